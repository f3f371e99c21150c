/**
 * Hearsay names nothing that a request changes. Anyone can send a webhook, and choose all that it says: the
 * email of one customer beside the id of another, the reference of a subscription beside the purchase of a stranger.
 *
 * So a choice is made twice: from all that is known here, and from what is known without hearsay. If both are the same,
 * hearsay decided nothing. Otherwise the gateway is asked, by their ids, for the records behind the choice. Its answers
 * are kept, and the choice is made again from them. So no forger is believed because he agrees with himself: a purchase
 * is a customer's by the subscription or the card that the gateway's own records name.
 *
 *   the gateway confirms it              that counts from now on
 *   it has no such record, or another    that hearsay is ignored, and one note says so
 *   it cannot be asked                   refused
 *
 * What is then known without hearsay is chosen. If that is nothing, and hearsay was wrong, the request is refused. So a
 * forger can neither lead a request to another record, nor keep it from the one that is known.
 */
import type { JsonObject } from '../../base/json.ts';
import { refusal } from '../../client/connection/refusals.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { differences } from '../../events/receive/verify.ts';
import { Failure, invariant, orFailure } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { foldedForms } from '../../things/normalise.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { askedRow } from '../../things/row-of.ts';
import type { Thing } from '../../things/thing.ts';
import { keyOfName, keysOfThing } from '../../things/words.ts';
import type { Session } from '../session.ts';
import { recordHeard } from './known-record.ts';
import { type KnownWithEvents, type NamedThings, withKnown } from './lazy-ledger.ts';
import type { KnownHost } from './open-ledger.ts';
import type { NameMatch } from './resolve-name.ts';

/** @returns the records that a person may mean */
export type Choose = (known: NamedThings, owner: Owner<string>) => Promise<NameMatch[]>;

/** A sender of forged webhooks must not make gw ask for ever: then gw goes by what is sure. */
const MAX_ASKED = 20;

/**
 * @returns the same things without hearsay and without what they belong to, each if it still has one of the names. The
 *   price of a plan and the card of a customer stay: a person tells subscriptions apart by them, and none is named so.
 */
export function withoutHearsay({ things }: NamedThings): NamedThings {
  return changed(things, (all, names) => {
    const wanted = new Set(names.flatMap(foldedForms));
    const rows = all.flatMap(({ amount, currency, lastFour, ...one }) => {
      const row = askedRow({ amount, currency, lastFour, ...one });
      return row ? { ...row, amount, currency, lastFour } : [];
    });
    return rows.filter((row) => keysOfThing(row).some((key) => wanted.has(key)));
  });
}

/**
 * @param change the operation to send; if the profile does not allow it, nothing is looked up for it
 * @param text as it was typed
 * @returns what `choose` chooses without hearsay; undefined in a dry run, which asks nothing, if that is nothing
 * @throws Failure guard if hearsay would decide, and the gateway does not confirm it
 */
export async function proven(
  { host, session }: { host: KnownHost; session: Session },
  change: Operation,
  text: string,
  choose: Choose,
): Promise<NameMatch[] | undefined> {
  const asked = new Set<string>();
  const doubts: Doubt[] = [];
  for (;;) {
    const absent = new Set(doubts.flatMap(({ isAbsent, of }) => (isAbsent ? [of] : [])));
    const choices = await withKnown(host, session.gateway, (known, owner) =>
      chosen(known, owner, choose, absent),
    );
    const { sure, isSure, heard } = choices ?? { sure: [], isSure: true, heard: [] };
    if (!isSure && session.options.isDryRun) return sureInDryRun(session, sure);
    const left = heard.filter(({ thing }) => !asked.has(nameOf(thing)));
    if (left.length === 0 || asked.size + left.length > MAX_ASKED) {
      if (sure.length > 0 || !isSure || doubts.some(({ isAbsent }) => !isAbsent))
        refuseDoubtful(change, text, doubts, sure);
      await sayIgnored(session, doubts);
      return sure;
    }
    await session.gateway.admit(change);
    for (const one of left) {
      asked.add(nameOf(one.thing));
      doubts.push(...(await doubtsOf(session, change, one)));
    }
  }
}

/**
 * @param absent the things that the gateway does not have, which `choose` does not see
 * @returns what is chosen without hearsay; whether it is all that would be chosen; the hearsay behind the rest
 */
async function chosen(
  known: KnownWithEvents,
  owner: Owner<string>,
  choose: Choose,
  absent: ReadonlySet<string>,
): Promise<{ sure: NameMatch[]; isSure: boolean; heard: Heard[] }> {
  const there = changed(known.things, (all) => all.filter((one) => !absent.has(nameOf(one))));
  const all = await choose(there, owner);
  const sure = await choose(withoutHearsay(known), owner);
  const isSure = namesIn(all) === namesIn(sure);
  return { sure, isSure, heard: isSure ? [] : await heardBehind(known, all, owner) };
}

async function sureInDryRun(session: Session, sure: NameMatch[]): Promise<NameMatch[] | undefined> {
  if (sure.length === 0) return undefined;
  await session.notice('Unverified webhooks say otherwise: the real run asks the gateway first.');
  return sure;
}

/** @throws Failure guard if the request would go by nothing, or by a record of which something else was heard */
function refuseDoubtful(
  change: Operation,
  text: string,
  doubts: readonly Doubt[],
  sure: readonly NameMatch[],
): void {
  const names = sure.flatMap((one) => [nameOf(one), nameOf(one.thing)]);
  const wrong = doubts.find(
    ({ of, isAbsent }) => !isAbsent && (sure.length === 0 || names.includes(of)),
  );
  if (!wrong && sure.length > 0) return;
  const look = `\`gw get ${commandWord(text)}\``;
  const what = `what ${JSON.stringify(text)} is`;
  if (wrong)
    throw refused(
      change,
      `An unverified webhook says ${what}, and ${wrong.why}.`,
      `The next run goes by the gateway's record. ${look} shows what else is known of that name.`,
    );
  throw refused(
    change,
    `Only unverified webhooks say ${what}, and the gateway does not confirm it.`,
    `Look it up with ${look}, and give the id of the record that you mean.`,
  );
}

async function sayIgnored(session: Session, [first, ...more]: readonly Doubt[]): Promise<void> {
  if (!first) return;
  const also = more.length > 0 ? `, and ${more.length} more` : '';
  await session.notice(`gw ignores an unverified webhook: ${first.why}${also}.`);
}

/** What hearsay alone tells of. */
interface Heard {
  thing: Thing;
  /** The record as it was heard. */
  claimed: JsonObject;
}

/** The gateway does not confirm what was heard. */
interface Doubt {
  /** The record, as `nameOf` names it. */
  of: string;
  why: string;
  /** Whether it has no such record. */
  isAbsent: boolean;
}

/** @returns what the gateway does not confirm, if anything. @throws Failure guard if it cannot be asked */
async function doubtsOf(session: Session, change: Operation, heard: Heard): Promise<Doubt[]> {
  const { kind, id, reference } = heard.thing;
  const name = (kind === 'subscription' ? reference : null) ?? id;
  const what = `${kind} ${neutralise(name)}`;
  const record = await recordAsked(session, kind as AskedKind, name);
  if (record instanceof Failure)
    throw refused(
      change,
      `An unverified webhook tells of ${what}, and gw could not ask the gateway about it. ${record.message}`,
      `Try again when the gateway answers, or give the id of the ${kind} as the gateway shows it.`,
    );
  const of = nameOf(heard.thing);
  if (!record) return [{ of, why: `the gateway knows no ${what}`, isAbsent: true }];
  const { id: own = id } = record;
  if (own !== id)
    return [{ of, why: `${what} is ${neutralise(String(own))} at the gateway`, isAbsent: true }];
  const differing = neutralise(differingFrom(heard, record).join('; '));
  const why = `the gateway contradicts it about ${what}: ${differing}`;
  return differing === '' ? [] : [{ of, why, isAbsent: false }];
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
  // A gateway may reject a text that is none of its ids.
  return reply.kind === 'notFound' || reply.kind === 'rejected' ? undefined : reply;
}

/** What tells whose a record is, and how much money it is about. */
const TELLING = {
  purchase: ['amount', 'currency', 'card_token'],
  subscription: ['customer'],
  customer: ['email', 'reference'],
} as const;

function differingFrom({ thing, claimed }: Heard, record: JsonObject): string[] {
  const kind = thing.kind as AskedKind;
  const told = Object.fromEntries(TELLING[kind].map((name) => [name, claimed[name] ?? null]));
  const differing = differences(kind, told, record);
  // A charge has the reference of its subscription (section 3.2).
  if (kind === 'purchase' && record.reference !== thing.subscription)
    differing.push(`it is no charge of ${thing.subscription}`);
  return differing;
}

const ASKED = ['purchase', 'subscription', 'customer'] as const;
type AskedKind = (typeof ASKED)[number];

/** @returns what hearsay alone tells of, and the choice rests on */
async function heardBehind(
  known: KnownWithEvents,
  matches: readonly NameMatch[],
  owner: Owner<string>,
): Promise<Heard[]> {
  const found = new Map<string, Heard>();
  for (const [kind, name] of matches.slice(0, MAX_ASKED).flatMap(namedBy)) {
    const key = kind === 'purchase' ? name : keyOfName(kind, name);
    const tied = await known.things.tied([key], { kinds: [kind], limit: MAX_ASKED });
    for (const thing of tied.filter(
      (one) => one.told === 'heard' && isOwnedBy(one, owner, 'named'),
    ))
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

/** @returns the refusal of a dry run, which asks nothing, if only hearsay would give the id that it needs */
export function unprovenInDryRun(change: Operation, text: string): Failure {
  return refused(
    change,
    `Only unverified webhooks say what ${JSON.stringify(text)} is. The real run asks the gateway first.`,
    'Run it without --dry-run, or give the id of the record that you mean.',
  );
}

function refused({ name }: Operation, message: string, next: string): Failure {
  return refusal('only-heard', message, next, { operation: name });
}
