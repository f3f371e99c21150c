/**
 * Learns what a source says of a thing, and writes its row. What belongs to the thing, such as the refunds of a
 * purchase, is written again if it shows what has changed.
 *
 *   plan, customer ──► subscription ──► purchase ──► refund, request
 *
 * A caller runs this in one transaction, and only one process does so at a time.
 */
import { all, get, type Work } from '../store/sql.ts';
import type { Document, DocumentKind, FoundDocument } from './document.ts';
import { DOCUMENT_COLUMNS, documentIn } from './document-columns.ts';
import { fold } from './normalise.ts';
import { type Identity, rowOf, type Ties } from './row-of.ts';
import { isEmpty, joined, NO_SOURCES, type Sources } from './sources.ts';
import { dropRow, putRow, type StoredRow } from './write.ts';

/** Whose a thing is. */
export type Owner = Omit<Identity, 'kind' | 'id'>;

const STORED = 'documents.keys AS keys, documents.text AS text';
type KnownRow = StoredRow & { document: Document };

/**
 * @param change adds a source to what is known, or takes one away
 * @param alias another name by which the same thing may have a row, such as its reference; that row is joined into this
 */
export function* learn(
  identity: Identity,
  change: (known: Sources) => Sources,
  alias: string | null = null,
): Work<void> {
  const row = yield* rowAt(identity);
  let known = row?.document.sources ?? NO_SOURCES;
  const provisional =
    alias === null || alias === identity.id ? undefined : yield* rowAt({ ...identity, id: alias });
  if (provisional) {
    known = joined(known, provisional.document.sources);
    yield* dropRow(provisional);
  }
  yield* write(identity, row, change(known));
}

/** Takes a source away from the things that have it under a key. @param except those which keep it */
export function* unlearn(
  key: string,
  change: (known: Sources, identity: Identity) => Work<Sources>,
  except: readonly Identity[] = [],
): Work<void> {
  for (const row of yield* rowsCalled([key])) {
    const { document } = row;
    if (except.some((one) => isSame(one, document))) continue;
    yield* write(document, row, yield* change(document.sources, document));
  }
}

/**
 * @param names the best first: the id, then the reference
 * @returns the thing that has one of the names; else a new one under the first name
 */
export function* identityOf(
  kind: DocumentKind,
  names: readonly [string, ...string[]],
  owner: Owner,
): Work<Identity> {
  const [first] = names;
  const given: Identity = { ...owner, kind, id: first };
  if (kind !== 'customer' && kind !== 'subscription') return given;
  if (yield* rowAt(given)) return given;
  const rows = yield* rowsCalled(names, kind);
  const known = rows.find(({ document }) => {
    const { id, reference } = document;
    return isOwnedBy(document, owner) && names.some((name) => name === id || name === reference);
  });
  // A row under a reference becomes the row of the id, once that is known.
  return known && (names.length === 1 || known.document.id !== names[1])
    ? { ...given, id: known.document.id }
    : given;
}

function isOwnedBy(one: Owner, owner: Owner): boolean {
  if (one.account !== owner.account) return false;
  return (
    one.account !== null || (one.profile === owner.profile && one.environment === owner.environment)
  );
}

function isSame(one: Identity, other: Identity): boolean {
  return one.kind === other.kind && one.id === other.id && isOwnedBy(one, other);
}

function* write(identity: Identity, before: KnownRow | undefined, known: Sources): Work<void> {
  const row = rowOf(identity, known, yield* tiesOf(identity, known));
  if (!row || isEmpty(known)) {
    if (before) yield* dropRow(before);
    if (before) yield* writeDependents(before.document);
    return;
  }
  yield* putRow(before, row);
  if (showsOf(before?.document) !== showsOf(row)) yield* writeDependents(row);
}

/** @returns what the things that belong to a thing show of it */
function showsOf(document: Document | undefined): string {
  if (!document) return '';
  const { kind, who, email, lastFour, currency, amount, customer, plan, subscription, sources } =
    document;
  switch (kind) {
    case 'purchase':
      return JSON.stringify([who, email, lastFour, currency, customer]);
    case 'subscription':
      return JSON.stringify([who, email, customer, plan, subscription]);
    case 'customer':
      return JSON.stringify([who, email, lastFour, sources.notice]);
    case 'plan':
      return JSON.stringify([who, amount, currency]);
    default:
      return '';
  }
}

const DEPENDENTS: Partial<
  Record<
    DocumentKind,
    { kinds: readonly DocumentKind[]; link: 'purchase' | 'customer' | 'plan' | 'subscription' }
  >
> = {
  purchase: { kinds: ['refund', 'request'], link: 'purchase' },
  subscription: { kinds: ['purchase'], link: 'subscription' },
  customer: { kinds: ['subscription'], link: 'customer' },
  plan: { kinds: ['subscription'], link: 'plan' },
};

function* writeDependents(document: Document): Work<void> {
  const dependents = DEPENDENTS[document.kind];
  if (!dependents) return;
  const names = namesOf(document);
  for (const kind of dependents.kinds) {
    for (const row of yield* rowsCalled(names, kind)) {
      const one = row.document;
      const link = one[dependents.link];
      if (!isOwnedBy(one, document) || link === null || !names.includes(link)) continue;
      yield* write(one, row, one.sources);
    }
  }
}

function namesOf({ id, reference }: Document): string[] {
  return reference === null ? [id] : [id, reference];
}

function* tiesOf(identity: Identity, known: Sources): Work<Ties> {
  const bare = rowOf(identity, known);
  switch (identity.kind) {
    case 'refund':
    case 'request':
      return { purchase: yield* tied('purchase', bare?.purchase, identity) };
    case 'purchase':
      return { subscription: yield* tied('subscription', bare?.subscription, identity) };
    case 'subscription':
      return {
        customer: yield* tied('customer', bare?.customer, identity),
        plan: yield* tied('plan', bare?.plan, identity),
      };
    default:
      return {};
  }
}

function* tied(
  kind: DocumentKind,
  name: string | null | undefined,
  owner: Owner,
): Work<Document | undefined> {
  if (!name) return undefined;
  const rows = yield* rowsCalled([name], kind);
  const found = rows.find(
    ({ document }) => isOwnedBy(document, owner) && namesOf(document).includes(name),
  );
  return found?.document;
}

function* rowAt({ kind, id, account, profile, environment }: Identity): Work<KnownRow | undefined> {
  const whose =
    account === null
      ? 'account IS NULL AND profile IS NOT DISTINCT FROM :profile AND environment IS NOT DISTINCT FROM :environment'
      : 'account = :account';
  const row = yield* get<FoundDocument & StoredRow>(
    `SELECT ${DOCUMENT_COLUMNS}, ${STORED} FROM gw.documents WHERE kind = :kind AND id = :id AND ${whose}`,
    { kind, id, ...(account === null ? { profile, environment } : { account }) },
  );
  return row && knownRow(row);
}

/** @returns the rows that have one of the names as a key */
function* rowsCalled(names: readonly string[], kind?: DocumentKind): Work<KnownRow[]> {
  const rows = yield* all<FoundDocument & StoredRow>(
    `SELECT ${DOCUMENT_COLUMNS}, ${STORED}
       FROM gw.document_keys /*sqlite CROSS */ JOIN gw.documents ON documents.doc = document_keys.doc
      WHERE key = ANY (:names) ${kind === undefined ? '' : 'AND kind = :kind'}`,
    { names: [...new Set(names.map(fold))], ...(kind !== undefined && { kind }) },
  );
  return [...new Map(rows.map((row) => [row.doc, knownRow(row)])).values()];
}

function knownRow({ keys, text, ...found }: FoundDocument & StoredRow): KnownRow {
  return { doc: found.doc, keys, text, document: documentIn(found) };
}
