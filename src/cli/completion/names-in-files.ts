/** What the ledger of this machine and its embedded gateway know, as values to complete. */
import { plural } from '../../base/plural.ts';
import type { LedgerSources } from '../../client/ledger/place.ts';
import { moneyText } from '../../contract/money.ts';
import { knownHooks } from '../../emulator/deliveries/hooks.ts';
import type { Host } from '../../host/host.ts';
import type { DocumentKind } from '../../index/document.ts';
import { knownNames, type NamedDocument } from '../../index/names.ts';
import { isOurs, type SearchScope } from '../../index/scope.ts';
import type { Ledger, RecordSnapshot } from '../../journal/ledger.ts';
import { SnapshotInbox } from '../../journal/snapshot-inbox.ts';
import {
  accountOfProfile,
  latestBatches,
  recordsDue,
} from '../../journal/sqlite/sqlite-queries.ts';
import { emulatorPath, ledgerPath, seenPath } from '../../store/paths.ts';
import { readOnly } from '../../store/sqlite/read-only.ts';
import { scopeOf, type Whose } from '../flags/whose.ts';
import type { NameKind, Suggestion } from './sources.ts';

type Files = Pick<Host, 'files'>['files'];

/** Kinds that `gw get` and its like look up. */
const LOOKED_UP: readonly DocumentKind[] = [
  'purchase',
  'refund',
  'plan',
  'customer',
  'subscription',
];

const kindsOf = (kind: NameKind): readonly DocumentKind[] => (kind === 'any' ? LOOKED_UP : [kind]);

/** Kinds that commands look up by reference too. */
const BY_REFERENCE = new Set<DocumentKind>(['subscription', 'plan']);

/** @param us whose are offered */
export async function namesInFiles(
  sources: LedgerSources,
  us: Whose,
  { kind, prefix }: { kind: NameKind; prefix: string },
): Promise<Suggestion[]> {
  const { files } = sources;
  const scope = await scopeInFiles(sources, us);
  const documents = [...waiting(files, kind, scope), ...indexed(files, { kind, prefix, scope })];
  const seen = new Set<string>();
  return documents
    .flatMap((document) => candidatesOf(document, kind))
    .filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** @param us whose are offered */
export async function batchesInFiles(sources: LedgerSources, us: Whose): Promise<Suggestion[]> {
  const scope = await scopeInFiles(sources, us);
  const path = ledgerPath(sources.files);
  const batches = readOnly(path, (queries) => latestBatches(queries, scope)) ?? [];
  return batches.map(({ batch, operation, profile, lines }) => ({
    value: batch,
    meaning: `${operation}, ${profile}, ${lines} ${plural(lines, 'line', 'lines')}`,
  }));
}

export function hooksInFiles(files: Files): Suggestion[] {
  const hooks = readOnly(emulatorPath(files), knownHooks) ?? [];
  return hooks.map(({ id, url, events }) => ({
    value: String(id),
    meaning: events === '*' ? url : `${url} ${events}`,
  }));
}

/** Of a profile that was only used to look up by now, the account is that of its latest look-up. */
function scopeInFiles(sources: LedgerSources, us: Whose): Promise<SearchScope | undefined> {
  const { files } = sources;
  const isOf = (
    one: RecordSnapshot,
    { profile, environment }: Parameters<Ledger['accountOf']>[0],
  ) => one.profile === profile && (environment === null || one.environment === environment);
  return scopeOf(sources, us, {
    accountOf: async (asked) =>
      readOnly(ledgerPath(files), (queries) => accountOfProfile({ queries }, asked)) ??
      snapshotsIn(files).findLast((one) => isOf(one, asked))?.account ??
      null,
  });
}

function snapshotsIn(files: Files): RecordSnapshot[] {
  return new SnapshotInbox(files, seenPath(files)).peek();
}

function indexed(
  files: Files,
  { kind, prefix, scope }: { kind: NameKind; prefix: string; scope: SearchScope | undefined },
): NamedDocument[] {
  const asked = { kinds: kindsOf(kind), prefix, scope };
  return readOnly(ledgerPath(files), (queries) => queries.do(knownNames(asked))) ?? [];
}

/** Records that nobody has taken into the ledger or its index yet: the newest of all. */
function waiting(files: Files, kind: NameKind, scope: SearchScope | undefined): NamedDocument[] {
  const due = readOnly(ledgerPath(files), recordsDue) ?? [];
  return [...due, ...snapshotsIn(files)]
    .filter((one) => kindsOf(kind).includes(one.kind))
    .filter((one) => scope === undefined || isOurs(one, scope))
    .toReversed()
    .map(({ kind, id, reference, name, amount, record: { currency } }) => ({
      kind,
      id,
      reference,
      who: name,
      amount,
      currency: typeof currency === 'string' ? currency : null,
      email: null,
      label: null,
    }));
}

function candidatesOf(document: NamedDocument, asked: NameKind): Suggestion[] {
  const { kind, id, reference, who, email, amount, currency, label } = document;
  const money = amount === null ? null : moneyText(amount, currency);
  const meaning = (...left: (string | null)[]) =>
    [asked === 'any' ? kind : null, money, label, who, ...left].filter(Boolean).join(' ');
  const hasReference = reference !== null && (asked === 'any' || BY_REFERENCE.has(kind));
  return [
    { value: id, meaning: meaning(reference) },
    ...(hasReference ? [{ value: reference, meaning: meaning(id) }] : []),
    ...(asked === 'any' && email !== null ? [{ value: email, meaning: meaning(id) }] : []),
  ];
}
