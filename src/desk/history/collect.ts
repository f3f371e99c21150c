/**
 * All that is known of a record and of what it is tied to, downwards:
 *
 *   plan ──► subscription ──► purchase ──► refund
 *   customer ──► subscription, card
 *   card ──► purchase
 *
 * with the money requests and events that are about any of them. A customer's purchases are those of
 * its subscriptions and of its card, which a purchase and a customer have in common by the token.
 */
import { isOf, type Owner } from '../../base/account.ts';
import type { Fact, FactKind } from '../../index/document.ts';
import { rememberedOf } from '../../journal/account-scope.ts';
import type { Known } from '../query/sources.ts';

/** Of what the facts are wanted; all of them names as records have them. */
export interface Roots {
  plans: readonly string[];
  customers: readonly string[];
  /** Tokens of cards. */
  cards: readonly string[];
  /** References and ids. */
  subscriptions: readonly string[];
  purchases: readonly string[];
  refunds: readonly string[];
  /** Ids of entries of the journal. */
  requests: readonly string[];
}

export const NO_ROOTS: Roots = {
  plans: [],
  customers: [],
  cards: [],
  subscriptions: [],
  purchases: [],
  refunds: [],
  requests: [],
};

export interface Gathered {
  /** Each once, newest first. */
  facts: Fact[];
  /** true where there is more than is taken in: the oldest are missing. */
  isCut: boolean;
}

/** More than this no timeline has. */
const MAX_FACTS = 20_000;
const NAMES_AT_ONCE = 500;

/** @param owner whose they are: facts of others are left out */
export async function gather(
  known: Pick<Known, 'facts' | 'remembered'>,
  roots: Roots,
  owner: Owner,
): Promise<Gathered> {
  const pool = new Pool(known, owner);
  const plans = new Set(roots.plans);
  await pool.take(roots.plans, (fact) => isAbout(fact, 'plan', plans));
  const customers = new Set(roots.customers);
  await pool.take(roots.customers, (fact) => isAbout(fact, 'customer', customers));
  const cards = [...roots.cards, ...(await tokensOf(known, pool, owner))];
  const paid: readonly FactKind[] = ['purchase', 'card', 'request', 'event', 'refund'];
  await pool.take(cards, ({ kind }) => paid.includes(kind));

  const subscriptions = new Set([...roots.subscriptions, ...pool.subscriptions()]);
  await pool.take([...subscriptions], ({ kind, reference, ...fact }) => {
    if (kind === 'purchase' || kind === 'request') return subscriptions.has(reference ?? '');
    return isAbout({ kind, reference, ...fact }, 'subscription', subscriptions);
  });
  await pool.take([...roots.purchases, ...pool.purchases()], ({ kind }) => kind !== 'customer');
  await pool.take(roots.refunds, ({ kind }) => kind === 'refund' || kind === 'request');
  await pool.take(roots.requests, ({ kind }) => kind === 'request');
  return { facts: pool.sorted(), isCut: pool.isCut };
}

/** @returns whether it is the record of that name, or tied to it */
function isAbout(
  fact: Fact,
  link: 'customer' | 'plan' | 'subscription',
  names: ReadonlySet<string>,
): boolean {
  const own = fact.kind === link && (names.has(fact.id) || names.has(fact.reference ?? ''));
  return own || names.has(fact[link] ?? '');
}

/** @returns the tokens of the cards that the customers among them have now */
async function tokensOf(
  known: Pick<Known, 'remembered'>,
  pool: Pool,
  owner: Owner,
): Promise<string[]> {
  const tokens: string[] = [];
  for (const { id } of pool.of('customer')) {
    const customer = await rememberedOf(known, { kind: 'customer', id }, owner);
    const token = customer?.record.card_token;
    if (typeof token === 'string' && token !== '') tokens.push(token);
  }
  return tokens;
}

class Pool {
  isCut = false;
  readonly #known: Pick<Known, 'facts'>;
  readonly #owner: Owner;
  readonly #facts = new Map<string, Fact>();

  constructor(known: Pick<Known, 'facts'>, owner: Owner) {
    this.#known = known;
    this.#owner = owner;
  }

  /** Takes in the facts that have one of the names and are wanted. */
  async take(names: readonly string[], isWanted: (fact: Fact) => boolean): Promise<void> {
    const all = [...new Set(names)];
    for (let from = 0; from < all.length; from += NAMES_AT_ONCE) {
      const some = all.slice(from, from + NAMES_AT_ONCE);
      const limit = MAX_FACTS - this.#facts.size + 1;
      const facts = await this.#known.facts.tied(some, { limit });
      if (facts.length === limit) this.isCut = true;
      for (const fact of facts.filter((one) => isOf(one, this.#owner) && isWanted(one))) {
        if (this.#facts.size >= MAX_FACTS) return;
        this.#facts.set(keyOf(fact), fact);
      }
    }
  }

  of(kind: FactKind): Fact[] {
    return [...this.#facts.values()].filter((fact) => fact.kind === kind);
  }

  subscriptions(): string[] {
    const facts = [...this.#facts.values()];
    return facts.flatMap(({ kind, id, subscription }) => [
      ...(subscription === null ? [] : [subscription]),
      ...(kind === 'subscription' ? [id] : []),
    ]);
  }

  purchases(): string[] {
    return [...this.#facts.values()].flatMap(({ purchase }) => purchase ?? []);
  }

  sorted(): Fact[] {
    const time = ({ at }: Fact) => Date.parse(at);
    return [...this.#facts.values()].toSorted((one, other) => time(other) - time(one));
  }
}

/** An event is a fact for each of its objects. */
function keyOf({ kind, id, account, profile, at, purchase, subscription, customer }: Fact): string {
  const which = kind === 'event' ? [at, purchase, subscription, customer] : [account ?? profile];
  return JSON.stringify([kind, id, ...which]);
}
