/**
 * What this machine knows: its profiles, and the ledger in its file with the look-ups that wait to be
 * taken in. A ledger on a server is not asked, since a Tab is no time to wait for a network.
 */
import { join } from 'node:path';
import { moneyText } from '../contract/money.ts';
import type { FactKind } from '../facts/fact.ts';
import { knownNames, type NamedFact } from '../facts/known-names.ts';
import type { Host } from '../host/host.ts';
import { SightingsFile } from '../journal/sightings-file.ts';
import { listProfiles } from '../profiles/store.ts';
import { readOnly } from '../storage/read-only.ts';
import type { Candidate, Known, NameKind } from './known.ts';

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

export function knownHere(files: Files): Known {
  return {
    async profiles() {
      const listed = await listProfiles(files).catch(() => []);
      return listed.map(({ profile: { name, environment, baseUrl } }) => ({
        value: name,
        meaning: [environment, baseUrl].filter(Boolean).join(', '),
      }));
    },
    async names(kind, prefix, profile) {
      const facts = [...waiting(files, kind), ...indexed(files, kind, prefix, profile)];
      const seen = new Set<string>();
      return facts
        .flatMap((fact) => candidatesOf(fact, kind))
        .filter(({ value }) => !seen.has(value) && seen.add(value));
    },
  };
}

function indexed(
  files: Files,
  kind: NameKind,
  prefix: string,
  profile: string | undefined,
): NamedFact[] {
  const path = join(files.stateDirectory, 'ledger.db');
  const asked = { kinds: KINDS[kind], prefix, profile };
  return readOnly(path, (queries) => knownNames(queries, asked)) ?? [];
}

/** Look-ups that nobody has taken into the ledger yet: the newest of all. */
function waiting(files: Files, kind: NameKind): NamedFact[] {
  const sightings = new SightingsFile(files, join(files.stateDirectory, 'seen.jsonl')).peek();
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
