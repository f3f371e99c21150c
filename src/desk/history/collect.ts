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
import { type AccountScope, isOf } from '../../base/account.ts';
import type { Document, DocumentKind } from '../../index/document.ts';
import type { LedgerReader } from '../../requests/known/lazy-ledger.ts';

/** The records whose documents are wanted, each by the names that records have for it. */
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
  documents: Document[];
  /** true where there is more than is taken in: the oldest are missing. */
  isCut: boolean;
}

/** More than this no timeline has. */
const MAX_DOCUMENTS = 20_000;
const NAMES_AT_ONCE = 500;

/** @param owner whose they are: documents of others are left out */
export async function collectRelated(
  known: Pick<LedgerReader, 'documents'>,
  roots: Roots,
  owner: AccountScope,
): Promise<Gathered> {
  const pool = new Pool(known, owner);
  const plans = new Set(roots.plans);
  await pool.take(roots.plans, (document) => isAbout(document, 'plan', plans));
  const customers = new Set(roots.customers);
  await pool.take(roots.customers, (document) => isAbout(document, 'customer', customers));
  const cards = [...roots.cards, ...pool.of('customer').flatMap(({ token }) => token ?? [])];
  const paid: readonly DocumentKind[] = ['purchase', 'card', 'request', 'event', 'refund'];
  await pool.take(cards, ({ kind }) => paid.includes(kind));

  const subscriptions = new Set([...roots.subscriptions, ...pool.subscriptions()]);
  await pool.take([...subscriptions], ({ kind, reference, ...document }) => {
    if (kind === 'purchase' || kind === 'request')
      return subscriptions.has(reference ?? '') || subscriptions.has(document.subscription ?? '');
    return isAbout({ kind, reference, ...document }, 'subscription', subscriptions);
  });
  await pool.take([...roots.purchases, ...pool.purchases()], ({ kind }) => kind !== 'customer');
  await pool.take(roots.refunds, ({ kind }) => kind === 'refund' || kind === 'request');
  await pool.take(roots.requests, ({ kind }) => kind === 'request');
  return { documents: pool.sorted(), isCut: pool.isCut };
}

/** @returns whether it is the record of that name, or tied to it */
function isAbout(
  document: Document,
  link: 'customer' | 'plan' | 'subscription',
  names: ReadonlySet<string>,
): boolean {
  const own =
    document.kind === link && (names.has(document.id) || names.has(document.reference ?? ''));
  return own || names.has(document[link] ?? '');
}

class Pool {
  isCut = false;
  readonly #known: Pick<LedgerReader, 'documents'>;
  readonly #owner: AccountScope;
  readonly #documents = new Map<string, Document>();

  constructor(known: Pick<LedgerReader, 'documents'>, owner: AccountScope) {
    this.#known = known;
    this.#owner = owner;
  }

  /** Takes in the documents that have one of the names and are wanted. */
  async take(names: readonly string[], isWanted: (document: Document) => boolean): Promise<void> {
    const all = [...new Set(names)];
    for (let from = 0; from < all.length; from += NAMES_AT_ONCE) {
      const some = all.slice(from, from + NAMES_AT_ONCE);
      const limit = MAX_DOCUMENTS - this.#documents.size + 1;
      const documents = await this.#known.documents.tied(some, { limit });
      if (documents.length === limit) this.isCut = true;
      for (const document of documents.filter((one) => isOf(one, this.#owner) && isWanted(one))) {
        if (this.#documents.size >= MAX_DOCUMENTS) return;
        this.#documents.set(JSON.stringify([document.kind, document.id]), document);
      }
    }
  }

  of(kind: DocumentKind): Document[] {
    return [...this.#documents.values()].filter((document) => document.kind === kind);
  }

  subscriptions(): string[] {
    const documents = [...this.#documents.values()];
    return documents.flatMap(({ kind, id, subscription }) => [
      ...(subscription === null ? [] : [subscription]),
      ...(kind === 'subscription' ? [id] : []),
    ]);
  }

  purchases(): string[] {
    return [...this.#documents.values()].flatMap(({ purchase }) => purchase ?? []);
  }

  sorted(): Document[] {
    const time = ({ at }: Document) => Date.parse(at);
    return [...this.#documents.values()].toSorted((one, other) => time(other) - time(one));
  }
}
