/** What the ledger of this machine and its embedded gateway know, as values to complete. */
import { plural } from '../base/plural.ts';
import { moneyText } from '../contract/money.ts';
import { knownHooks } from '../emulator/deliveries/known-hooks.ts';
import type { FactKind } from '../facts/fact.ts';
import { knownNames, type NamedFact } from '../facts/known-names.ts';
import type { Host } from '../host/host.ts';
import { batchName } from '../journal/batches.ts';
import { SightingsFile } from '../journal/sightings-file.ts';
import { latestBatches } from '../journal/sqlite-batches.ts';
import { emulatorPath, ledgerPath, seenPath } from '../session/paths.ts';
import { readOnly } from '../storage/read-only.ts';
import type { Candidate, NameKind } from './known.ts';

type Files = Pick<Host, 'files'>['files'];

/** What is asked of the index; a record is called by its id, and some by more. */
const KINDS: Readonly<Record<NameKind, readonly FactKind[]>> = {
  purchase: ['purchase'],
  refund: ['refund'],
  plan: ['plan'],
  customer: ['customer'],
  subscription: ['subscription'],
  card: ['card'],
  request: ['request'],
  event: ['event'],
  any: ['purchase', 'refund', 'plan', 'customer', 'subscription'],
};

/** Kinds that commands look up by reference too. */
const BY_REFERENCE = new Set<FactKind>(['subscription', 'plan']);

export function namesInFiles(
  files: Files,
  kind: NameKind,
  { prefix, profile }: { prefix: string; profile: string | undefined },
): Candidate[] {
  const facts = [...waiting(files, kind), ...indexed(files, kind, prefix, profile)];
  const seen = new Set<string>();
  return facts
    .flatMap((fact) => candidatesOf(fact, kind))
    .filter(({ value }) => !seen.has(value) && seen.add(value));
}

export function batchesInFiles(files: Files, profile: string | undefined): Candidate[] {
  const batches = readOnly(ledgerPath(files), (queries) => latestBatches(queries, profile)) ?? [];
  return batches.map(({ batch, operation, profile, lines }) => ({
    value: batchName(batch),
    meaning: `${operation}, ${profile}, ${lines} ${plural(lines, 'line', 'lines')}`,
  }));
}

export function hooksInFiles(files: Files): Candidate[] {
  const hooks = readOnly(emulatorPath(files), knownHooks) ?? [];
  return hooks.map(({ id, url, events }) => ({
    value: String(id),
    meaning: events === '*' ? url : `${url} ${events}`,
  }));
}

function indexed(
  files: Files,
  kind: NameKind,
  prefix: string,
  profile: string | undefined,
): NamedFact[] {
  const asked = { kinds: KINDS[kind], prefix, profile };
  return readOnly(ledgerPath(files), (queries) => knownNames(queries, asked)) ?? [];
}

/** Look-ups that nobody has taken into the ledger yet: the newest of all. */
function waiting(files: Files, kind: NameKind): NamedFact[] {
  const sightings = new SightingsFile(files, seenPath(files)).peek();
  return sightings
    .filter((one) => (KINDS[kind] as readonly string[]).includes(one.kind))
    .toReversed()
    .map(({ kind, id, reference, name, amount, record: { currency } }) => ({
      ...{ kind, id, reference, who: name, amount },
      currency: typeof currency === 'string' ? currency : null,
      ...{ email: null, label: null },
    }));
}

function candidatesOf(fact: NamedFact, asked: NameKind): Candidate[] {
  const { kind, id, reference, who, email, amount, currency, label } = fact;
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
