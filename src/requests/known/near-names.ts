/**
 * Offers the records near a name that is none, for a change: those of whose names and references it begins words. Who
 * types a part of a name, or leaves out its accents, chooses one at a terminal. Elsewhere the change is refused, with the
 * whole command for each. A guess chooses nothing, and what only webhooks tell of is not offered.
 */
import type { Operation } from '../../contract/operation.ts';
import type { RecordKind } from '../../contract/record.ts';
import { usage } from '../../failure.ts';
import { commandWord } from '../../host/redaction/safe.ts';
import { fold, foldedForms, partsOf } from '../../things/normalise.ts';
import type { Thing } from '../../things/thing.ts';
import { withKnown } from './lazy-ledger.ts';
import { type CommandSession, chosenByPerson, commandOn, factsOfAll } from './meant-record.ts';
import { matchOf, type NameMatch } from './resolve-name.ts';

/** The most records that are read. */
const MOST_READ = 200;

/**
 * @param text that names no record here, and none at the gateway
 * @returns the record that a person chooses; undefined if none is near
 * @throws Failure usage with the command for each where nobody can choose; interrupted if none is meant
 */
export async function chosenNear(
  asking: CommandSession,
  change: Operation,
  kind: RecordKind,
  text: string,
): Promise<NameMatch | undefined> {
  const { host, session } = asking;
  // Nothing of a declined payment can be given back.
  const outcome = change.money?.givesBack ? 'approved' : undefined;
  const query = { text, kinds: [kind], outcome, limit: MOST_READ };
  const found = await withKnown(host, session.gateway, ({ things }, scope) =>
    things.search({ ...query, scope }),
  );
  const near = (found ?? [])
    .filter((one) => one.told !== 'heard' && one.outcome !== 'deleted' && isCalled(one, text))
    .map((one) => matchOf(kind, one, 'near'));
  if (near.length === 0) return undefined;
  const chosen = await chosenByPerson(asking, text, near);
  if (chosen) return chosen;
  throw usage(
    'name-ambiguous',
    `${JSON.stringify(text)} is the whole name of no ${kind}.`,
    `Give the one that you mean: ${factsOfAll(near, (id) => commandOn(asking, text, id) ?? commandWord(id))}.`,
    { sent: false },
  );
}

/** @returns whether each word begins a word of a name or reference: those people mean before a part of an id */
export function isCalled({ who, email, reference }: Thing, text: string): boolean {
  const called = [who, email, reference].flatMap((one) => foldedForms(one ?? '')).flatMap(partsOf);
  return partsOf(fold(text)).every((part) => called.some((one) => one.startsWith(part)));
}
