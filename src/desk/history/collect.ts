/**
 * Collects what this machine knows of a record and of the records below it:
 *
 *   plan ──► subscription ──► purchase ──► refund
 *   customer ──► subscription, card
 *   card ──► purchase
 *
 * It adds the money requests and events about any of them. A customer's purchases are those of its subscriptions and of
 * its card. A purchase and a customer have the token of the card in common.
 */
import type { RecordKind } from '../../contract/record.ts';
import type { NamedThings } from '../../requests/known/lazy-ledger.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';

/**
 * The names of the records to collect, by kind: ids, and references of plans, customers and subscriptions; tokens of
 * cards; ids of entries of the journal; references of payments and refunds whose attempts without a record are wanted.
 */
export type Roots = Partial<Record<RecordKind | 'request' | 'attempt', readonly string[]>>;

export interface Gathered {
  /** Each once, newest first. */
  things: Thing[];
  /** The customers of the wanted subscriptions, which an expired card stops. */
  payers: Thing[];
  /** true if there is more than fits: the oldest are missing. */
  isCut: boolean;
}

/** The most things of a timeline. */
const MAX_THINGS = 20_000;
const NAMES_AT_ONCE = 500;

/** @param owner the account: things of others are left out */
export async function collectRelated(
  known: NamedThings,
  roots: Roots,
  owner: Owner,
): Promise<Gathered> {
  const { plan = [], customer = [], card = [], purchase = [], refund = [], request = [] } = roots;
  const pool = new Pool(known, owner);
  const plans = new Set(plan);
  await pool.take(plan, (thing) => isAbout(thing, 'plan', plans));
  const customers = new Set(customer);
  await pool.take(customer, (thing) => isAbout(thing, 'customer', customers));
  const held = pool.things.filter(({ kind }) => kind === 'customer');
  const paid: readonly ThingKind[] = ['purchase', 'card', 'request', 'event', 'refund'];
  await pool.take([...card, ...held.flatMap(({ token }) => token ?? [])], ({ kind }) =>
    paid.includes(kind),
  );

  const named = pool.things.flatMap(({ kind, id, subscription }) =>
    [subscription ?? [], kind === 'subscription' ? id : []].flat(),
  );
  const subscriptions = new Set([...(roots.subscription ?? []), ...named]);
  await pool.take([...subscriptions], ({ kind, reference, ...thing }) => {
    if (kind === 'purchase' || kind === 'request')
      return subscriptions.has(reference ?? '') || subscriptions.has(thing.subscription ?? '');
    return isAbout({ kind, reference, ...thing }, 'subscription', subscriptions);
  });
  const purchases = pool.things.flatMap((thing) => thing.purchase ?? []);
  await pool.take([...purchase, ...purchases], ({ kind }) => kind !== 'customer');
  await pool.take(refund, ({ kind }) => kind === 'refund' || kind === 'request');
  await pool.take(request, ({ kind }) => kind === 'request');
  await pool.take(
    roots.attempt ?? [],
    ({ kind, reference }) =>
      kind === 'request' && roots.attempt?.includes(reference ?? '') === true,
  );
  const payers = new Pool(known, owner);
  const paying = pool.things.flatMap(({ kind, customer: id }) =>
    kind === 'subscription' ? (id ?? []) : [],
  );
  if (roots.subscription) await payers.take(paying, ({ kind }) => kind === 'customer');
  const time = ({ at }: Thing) => Date.parse(at);
  const things = pool.things.sort((one, other) => time(other) - time(one));
  return { things, payers: payers.things, isCut: pool.isCut };
}

/** @returns whether it is the record of that name, or belongs to it */
function isAbout(
  thing: Thing,
  link: 'customer' | 'plan' | 'subscription',
  names: ReadonlySet<string>,
): boolean {
  const own = thing.kind === link && (names.has(thing.id) || names.has(thing.reference ?? ''));
  return own || names.has(thing[link] ?? '');
}

class Pool {
  isCut = false;
  readonly #known: NamedThings;
  readonly #owner: Owner;
  readonly #things = new Map<string, Thing>();

  constructor(known: NamedThings, owner: Owner) {
    this.#known = known;
    this.#owner = owner;
  }

  /** Adds the wanted things that have one of the names. */
  async take(names: readonly string[], isWanted: (thing: Thing) => boolean): Promise<void> {
    const all = [...new Set(names)];
    for (let from = 0; from < all.length; from += NAMES_AT_ONCE) {
      const some = all.slice(from, from + NAMES_AT_ONCE);
      const limit = MAX_THINGS - this.#things.size + 1;
      const things = await this.#known.things.tied(some, { limit });
      if (things.length === limit) this.isCut = true;
      for (const thing of things.filter(
        (one) => isOwnedBy(one, this.#owner, 'named') && isWanted(one),
      )) {
        if (this.#things.size >= MAX_THINGS) return;
        this.#things.set(JSON.stringify([thing.kind, thing.id]), thing);
      }
    }
  }

  get things(): Thing[] {
    return [...this.#things.values()];
  }
}
