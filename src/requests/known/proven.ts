/**
 * What was only heard names nothing that a request changes. Anyone can send a webhook, and choose all that it says: the
 * email of one customer beside the id of another, the reference of a subscription beside the purchase of a stranger.
 *
 * So a choice is made twice: from all that is known here, and from what is known without hearsay. If both are the same,
 * hearsay decided nothing. Otherwise the gateway is asked, by their ids, for the records behind the choice. Its answers
 * are kept, and the choice is made again from them. So no forger is believed because he agrees with himself: a purchase
 * is a customer's by the subscription or the card that the gateway's own records name.
 *
 *   the gateway confirms it              the request goes on
 *   it has no such record                that hearsay is ignored, and a note says so
 *   its record says something else       refused; the next run goes by that record
 *   it cannot be asked                   refused
 */
import { isOf } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { differences } from '../../events/receive/verify.ts';
import { Failure, invariant, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise, typedWord } from '../../host/redaction/safe.ts';
import type { Destination } from '../../journal/ledger.ts';
import { foldedForms } from '../../things/normalise.ts';
import { askedRow, keyOfName } from '../../things/row-of.ts';
import type { Thing } from '../../things/thing.ts';
import { keysOf } from '../../things/words.ts';
import type { Session } from '../session.ts';
import { recordHeard } from './known-record.ts';
import { type KnownWithEvents, type NamedThings, withKnown } from './lazy-ledger.ts';
import type { NameMatch } from './resolve-name.ts';

/** @returns the records that a person may mean */
export type Choose = (known: NamedThings, owner: Destination) => Promise<NameMatch[]>;

/** A sender of forged webhooks must not make gw ask for ever. */
const MAX_ASKED = 20;

/** @returns the same things without hearsay and without what they belong to, each if it still has one of the names */
export function withoutHearsay({ things }: NamedThings): NamedThings {
  return changed(things, (all, names) => {
    const wanted = new Set(names.flatMap(foldedForms));
    const rows = all.flatMap((one) => askedRow(one) ?? []);
    return rows.filter((row) => keysOf(row).some((key) => wanted.has(key)));
  });
}

/**
 * @param change the operation to send; if the profile does not allow it, nothing is looked up for it
 * @param text as it was typed
 * @returns what `choose` chooses without hearsay; in a dry run, which asks nothing, from all that is known
 * @throws Failure guard if hearsay would decide, and the gateway does not confirm it
 */
export async function proven(
  { context, session }: { context: Context; session: Session },
  change: Operation,
  text: string,
  choose: Choose,
): Promise<NameMatch[]> {
  const asked = new Set<string>();
  const absent = new Set<string>();
  for (;;) {
    const found = await withKnown(context, session.gateway, async (known, owner) => {
      const there = changed(known.things, (all) => all.filter((one) => !absent.has(nameOf(one))));
      const all = await choose(there, owner);
      const sure = await choose(withoutHearsay(known), owner);
      const isSure = namesIn(all) === namesIn(sure);
      return { all, sure, isSure, heard: isSure ? [] : await heardBehind(known, all, owner) };
    });
    if (!found || found.isSure) return found?.sure ?? [];
    if (session.options.isDryRun) {
      await session.notice(
        `Only unverified webhooks say what ${neutralise(text)} is. The real run asks the gateway first.`,
      );
      return found.all;
    }
    const left = found.heard.filter(({ thing }) => !asked.has(nameOf(thing)));
    if (left.length === 0 || asked.size + left.length > MAX_ASKED)
      throw refused(
        change,
        `Only unverified webhooks say what ${JSON.stringify(text)} is, and the gateway does not confirm it.`,
        `Look it up with \`gw get ${typedWord(text)}\`, and give the id of the record that you mean.`,
      );
    await session.gateway.admit(change);
    for (const heard of left) {
      asked.add(nameOf(heard.thing));
      if (await isAbsent(session, change, heard)) absent.add(nameOf(heard.thing));
    }
  }
}

/** What hearsay alone tells of. */
interface Heard {
  thing: Thing;
  /** The record as it was heard. */
  claimed: JsonObject;
}

/** @returns whether the gateway has no such record. @throws Failure guard if it says otherwise, or cannot be asked */
async function isAbsent(session: Session, change: Operation, heard: Heard): Promise<boolean> {
  const { kind, id, reference } = heard.thing;
  const name = (kind === 'subscription' ? reference : null) ?? id;
  const what = `an unverified webhook about ${kind} ${neutralise(name)}`;
  const record = await recordAsked(session, kind as AskedKind, name);
  if (record instanceof Failure)
    throw refused(
      change,
      `gw could not ask the gateway about ${what}. ${record.message}`,
      `If you mean this ${kind}, give its id.`,
    );
  if (!record || (record.id ?? id) !== id) {
    await session.notice(
      `gw ignores an unverified webhook: the gateway knows no ${kind} ${neutralise(id)}.`,
    );
    return true;
  }
  const differing = differingFrom(heard, record);
  if (differing.length === 0) return false;
  throw refused(
    change,
    `The gateway contradicts ${what}: ${neutralise(differing.join('; '))}.`,
    `\`gw get ${typedWord(name)}\` shows its record. The next run goes by that.`,
  );
}

/** @returns the gateway's record; undefined if there is none; the failure if it does not say. @throws an interruption */
async function recordAsked(
  session: Session,
  kind: AskedKind,
  id: string,
): Promise<JsonObject | Failure | undefined> {
  const lookUp = lookUpOf(kind);
  invariant(lookUp, `a ${kind} cannot be looked up`);
  const reply = await orFailure(session.call(lookUp, { id }));
  if (!(reply instanceof Failure)) return reply.records[0];
  if (reply.kind === 'interrupted') throw reply;
  return reply.kind === 'notFound' ? undefined : reply;
}

function differingFrom({ thing, claimed }: Heard, record: JsonObject): string[] {
  const differing = differences(thing.kind as AskedKind, claimed, record);
  // A charge has the reference of its subscription (section 3.2).
  if (thing.kind === 'purchase' && record.reference !== thing.subscription)
    differing.push(`it is no charge of ${thing.subscription}`);
  return differing;
}

const ASKED = ['purchase', 'subscription', 'customer'] as const;
type AskedKind = (typeof ASKED)[number];

/** @returns what hearsay alone tells of, and the choice rests on */
async function heardBehind(
  known: KnownWithEvents,
  matches: readonly NameMatch[],
  owner: Destination,
): Promise<Heard[]> {
  const found = new Map<string, Heard>();
  for (const [kind, name] of matches.slice(0, MAX_ASKED).flatMap(namedBy)) {
    const key = kind === 'purchase' ? name : keyOfName(kind, name);
    const tied = await known.things.tied([key], { kinds: [kind], limit: MAX_ASKED });
    for (const thing of tied.filter((one) => one.told === 'heard' && isOf(one, owner)))
      found.set(nameOf(thing), { thing, claimed: await recordHeard(known, thing) });
  }
  return [...found.values()];
}

/** @returns the records that a match names, by their kinds */
function namedBy({ kind, id, thing }: NameMatch): [AskedKind, string][] {
  const names = ASKED.flatMap((of): [AskedKind, string | null][] => [
    [of, thing[of]],
    [of, kind === of ? id : null],
    [of, thing.kind === of ? thing.id : null],
  ]);
  return names.flatMap(([of, name]) => (name === null ? [] : [[of, name]]));
}

/** @returns the things as a change of each answer leaves them */
function changed(
  things: NamedThings['things'],
  change: (all: readonly Thing[], names: readonly string[]) => Thing[],
): NamedThings {
  return {
    things: { tied: async (names, filter) => change(await things.tied(names, filter), names) },
  };
}

/** A subscription is named by its reference, and a request changes it by its id. */
function namesIn(matches: readonly NameMatch[]): string {
  const names = matches.map(({ kind, id, thing }) => [kind, id, kind === thing.kind && thing.id]);
  return JSON.stringify(names.map((name) => name.join(' ')).toSorted());
}

function nameOf({ kind, id }: Pick<Thing, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

function refused({ name }: Operation, message: string, next: string): Failure {
  const details = { code: 'only-heard', next, sent: false, operation: name } as const;
  return new Failure('guard', message, details);
}
