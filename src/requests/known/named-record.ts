/**
 * Finds the record that a person means where a command takes an id. The rule is that of `gw get` (resolve-name.ts),
 * limited to the kind that the command is about.
 *
 *   it looks like an id of the kind           it is sent as it is
 *   it names one record of the kind here      the id of that one
 *   it names a customer, for a subscription   the id of their subscription, where one alone is known
 *   it names several of the kind              a person chooses; refused, and they are listed
 *   it is the reference of a charge           refused: every charge of the subscription has it
 *   it names a record of another kind         refused
 *   nothing is known of it                    the gateway is asked by reference
 *   it does not know it, but it is a part     a person chooses; refused, and they are listed (near-names.ts)
 *   of the names of some
 *   it is an email                            refused: the gateway cannot look one up
 *   else                                      it is sent as it is, because ids are opaque
 *
 * What hearsay alone names is first asked of the gateway (proven.ts).
 *
 * A look-up changes nothing, so gw first asks for the text as it was typed (`otherIdOf`). gw never changes a record
 * that only a person's name identifies, unless somebody at the terminal says that it is meant (meant-record.ts):
 * another person may have the same name.
 *
 * Tests: test/unit/requests/known/proven.test.ts, test/system/named-records.test.ts
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import { checkOne } from '../../cli/flags/flag.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import { customerGet } from '../../contract/resources/customer.ts';
import { planGet } from '../../contract/resources/plan.ts';
import { purchaseGet } from '../../contract/resources/purchase.ts';
import { subscriptionGet } from '../../contract/resources/subscription.ts';
import { attempt, Failure, usage } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { fold } from '../../things/normalise.ts';
import type { Session } from '../session.ts';
import { meantBy, wordOf } from './candidates.ts';
import { withKnown } from './lazy-ledger.ts';
import {
  type CommandSession,
  chosenByPerson,
  commandOn,
  factsOf,
  factsOfAll,
  meantHere,
} from './meant-record.ts';
import { chosenNear } from './near-names.ts';
import type { KnownHost } from './open-ledger.ts';
import { type Choose, proven, unprovenInDryRun, withoutHearsay } from './proven.ts';
import {
  belongingsOf,
  type NameMatch,
  resolveName,
  TO_CHANGE,
  TO_LOOK_UP,
} from './resolve-name.ts';

/** Look-ups that accept a reference, by the interface or because deployments accept one. */
export const BY_REFERENCE: readonly Operation[] = [
  purchaseGet,
  subscriptionGet,
  planGet,
  customerGet,
];

/**
 * @param change the operation to send; if the profile does not allow it, nothing is looked up for it
 * @param text as it was typed: an id, a reference, an email, a token
 * @returns the id of the record to change or to refund
 * @throws Failure usage if it names several records, or one of another kind; notFound if it looks like the id of
 *   another kind, and the gateway knows no record of that reference either
 */
export async function idToChange(
  asking: CommandSession,
  change: Operation,
  kind: RecordKind,
  text: string,
): Promise<string> {
  const atGateway = (name: string) => idAtGateway(asking, change, kind, name);
  const plain = plainId(text);
  const shape = kindOfId(plain);
  if (shape === kind && !asking.session.offeredOnHearsay.has(text)) return plain;
  // A batch reads many refunds from stdin; other changes take one record each.
  checkOne(
    text,
    kind,
    change.money?.givesBack && '`gw refund batch -` reads refunds from stdin, one a line.',
  );
  const matches = await proven(asking, change, text, chooseOf(text, kind));
  if (!matches) {
    const said = `Only unverified webhooks say what ${neutralise(text)} is.`;
    await asking.session.notice(`${said} The real run asks the gateway first.`);
    return text;
  }
  const [only] = await meantHere(asking, text, matches);
  if (only && isCharge(only)) throw chargeOfMany(text, only);
  const ofMatch = async (one: NameMatch) => idIn(one) ?? (await atGateway(one.id)) ?? one.id;
  if (only) {
    const id = await ofMatch(only);
    // Whoever chose the record, or is to say in the summary whether it is meant, sees which it is.
    const isAsked = asking.questions?.meant.has(text) === true;
    if (id !== text && !isAsked) await sayDetour(asking.session, text, { ...only, id });
    return id;
  }
  const { named, other } = await otherKindOf(asking, text, kind);
  if (other) return ofMatch(await ofAnotherKind(asking, change, { text, kind, other }));
  const found = await atGateway(text);
  return found ?? nearId(asking, change, { text, kind, named });
}

/** @returns the id of the record that a person chooses of those near a text that names none; else the text */
async function nearId(
  asking: CommandSession,
  change: Operation,
  { text, kind, named }: { text: string; kind: RecordKind; named: readonly NameMatch[] },
): Promise<string> {
  const isEmail = text.includes('@');
  // A dry run does not know whether the gateway has a reference, of which the real run asks it.
  if (asking.session.options.isDryRun && !isEmail) return text;
  throwIfOfAnother(text, kind, named);
  const near = await chosenNear(asking, change, kind, text);
  if (!near && isEmail && change.effect !== 'read') throw unknownEmail(text, kind);
  return near ? idToChange(asking, change, kind, near.id) : text;
}

/** @returns what the text names without hearsay, and that of another kind, if it is one */
async function otherKindOf(
  asking: CommandSession,
  text: string,
  kind: RecordKind,
): Promise<{ named: NameMatch[]; other: NameMatch | undefined }> {
  const { host, session } = asking;
  const [named = []] = await namesOf(host, session.gateway, [text], { isSure: true });
  // A charge has the reference of its subscription, which the gateway is asked for.
  const isOfThis = (one: NameMatch) => kind === 'subscription' && isCharge(one);
  const others = named.filter(
    (one) => one.kind !== 'request' && one.kind !== kind && !isOfThis(one),
  );
  // Refunds of several purchases may have one reference, and none of the purchases is chosen by a guess.
  const isOfSeveral =
    others[0]?.by === 'name' || new Set(others.map(({ thing }) => thing.purchase)).size > 1;
  const [other] = others.length > 1 && isOfSeveral ? await meantHere(asking, text, others) : others;
  return { named, other };
}

/**
 * @param lookUp the look-up for which the gateway found nothing
 * @param change the operation to send about the record, if there is one
 * @returns another id to look the record up by; undefined if nothing else is known of the text
 * @throws Failure usage if it names several records; guard if only hearsay names the record to change
 */
export async function otherIdOf(
  asking: CommandSession,
  lookUp: Operation,
  text: string,
  change?: Operation,
): Promise<string | undefined> {
  if (change) {
    const matches = await proven(asking, change, text, chooseOf(text, lookUp.kind));
    if (!matches) throw unprovenInDryRun(change, text);
    const [only] = await meantHere(asking, text, matches);
    if (only) await sayDetour(asking.session, text, only);
    if (only) return only.id;
    const { kind } = lookUp;
    const { other } = await otherKindOf(asking, text, kind);
    if (other) return (await ofAnotherKind(asking, change, { text, kind, other })).id;
    return (await chosenNear(asking, change, kind, text))?.id;
  }
  const names = namesOf(asking.host, asking.session.gateway, [text], {
    isForSubscription: lookUp.kind === 'subscription',
  });
  // The gateway has answered, so a look-up goes on without the ledger.
  const [named = []] = (await attempt(names)) ?? [];
  const others = named.filter(({ kind, id }) => kind === lookUp.kind && id !== text);
  const [only] = meantBy(text, others, TO_LOOK_UP);
  if (!only) {
    throwIfDeclined(text, lookUp.kind, named);
    return undefined;
  }
  await sayDetour(asking.session, text, only);
  return only.id;
}

/** The records that a text names without being their id. */
export interface NamedOtherwise {
  /** At least one. */
  ids: readonly string[];
  /** The way in which the text names them. */
  by: NameMatch['by'];
  /** The reference of the first, as its record has it; null if it has none. */
  reference: string | null;
}

/**
 * Finds what lines of a batch name that are to give money back.
 * @returns for each text that names a charge only as one of many, or a record of another kind and no purchase, a sentence
 *   without its subject that says so: `names subscription SUB-1, and no purchase`
 */
export async function noPurchases(
  host: KnownHost,
  gateway: Pick<GatewayConnection, 'profile' | 'ledger'>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const unsure = texts.filter((text) => kindOfId(plainId(text)) !== 'purchase');
  if (unsure.length === 0) return new Map();
  const named = await namesOf(host, gateway, unsure, { isSure: true });
  return new Map(
    unsure.flatMap((text, i): [string, string][] => {
      const matches = (named[i] ?? []).filter(({ by }) => OWN_NAMES.includes(by));
      const charge = matches.find(isCharge);
      if (charge) return [[text, `names every charge of a subscription, such as ${charge.id}`]];
      const [other] = matches.filter(({ kind }) => kind !== 'request');
      if (!other || matches.some(({ kind }) => kind === 'purchase')) return [];
      return [[text, `names ${wordOf(other.kind)} ${other.id}, and no purchase`]];
    }),
  );
}

/** The names that belong to one record alone. */
const OWN_NAMES: readonly NameMatch['by'][] = ['id', 'reference', 'email'];

/**
 * For lines of a batch. A line is known by what it asks for, so it must ask the same in every run, whatever this
 * machine has learned since. Its names are therefore not resolved, unless somebody says that they are references.
 * @param texts that lines give as ids of a kind
 * @returns the records of those texts that name some here other than by their ids; a reference of charges alone names
 *   none of them
 */
export async function namedOtherwise(
  host: KnownHost,
  gateway: Pick<GatewayConnection, 'profile' | 'ledger'>,
  kind: RecordKind,
  texts: readonly string[],
): Promise<ReadonlyMap<string, NamedOtherwise>> {
  const unsure = texts.filter((text) => kindOfId(plainId(text)) !== kind);
  if (unsure.length === 0) return new Map();
  const named = await namesOf(host, gateway, unsure, { isSure: true });
  return new Map(
    unsure.flatMap((text, i): [string, NamedOtherwise][] => {
      const matches = (named[i] ?? []).filter((one) => one.kind === kind);
      const ids = matches.map(({ id }) => id);
      const [match] = matches;
      return !match || ids.includes(text) || matches.every(isCharge)
        ? []
        : [[text, { ids, by: match.by, reference: match.thing.reference }]];
    }),
  );
}

function chooseOf(text: string, kind: RecordKind): Choose {
  const rule = { ...TO_CHANGE, kinds: [kind], isForSubscription: kind === 'subscription' };
  return (known, owner) => resolveName(known, text, owner, rule);
}

const CALLED: Readonly<Record<NameMatch['by'], string>> = {
  id: 'is known here as',
  token: 'belongs to',
  reference: 'is the reference of',
  email: 'is the email of',
  name: 'is the name of',
  customer: 'is a customer. Their only known subscription is',
  other: 'belongs to',
  event: 'is the number of an event about',
  near: 'is near the name of',
};

/** Says how gw understood a text, unless the command makes that plain. */
export async function sayDetour(session: Session, text: string, named: NameMatch): Promise<void> {
  const detour = detourTo(text, named);
  if (detour !== undefined) await session.notice(detour);
}

/** @returns how gw understood a text; undefined where that is plain */
export function detourTo(
  text: string,
  { by, kind, id, thing, isFormer = false }: NameMatch,
): string | undefined {
  const isPlain = by === 'reference' && kind === 'subscription' && id === text;
  if (isPlain || (by === 'token' && kind === 'card')) return undefined;
  const mark = thing.told === 'heard' ? ' Only unverified webhooks say so.' : '';
  const called = isFormer ? 'was the email of' : CALLED[by];
  return `${neutralise(text)} ${called} ${wordOf(kind)} ${neutralise(id)}.${mark}`;
}

/**
 * @param isSure leaves hearsay out
 * @returns the matches of each text, in the order of the texts; empty if nothing is kept
 */
async function namesOf(
  host: KnownHost,
  gateway: Pick<GatewayConnection, 'profile' | 'ledger'>,
  texts: readonly string[],
  { isSure = false, ...rule }: { isSure?: boolean; isForSubscription?: boolean },
): Promise<NameMatch[][]> {
  const read = withKnown(host, gateway, async (all, owner) => {
    const known = isSure ? withoutHearsay(all) : all;
    const named: NameMatch[][] = [];
    for (const text of texts)
      named.push(await resolveName(known, text, owner, { ...TO_LOOK_UP, ...rule }));
    return named;
  });
  return (await read) ?? [];
}

/** @returns the id; undefined for a subscription of which only the reference is known */
function idIn({ kind, id, thing }: NameMatch): string | undefined {
  if (kind !== 'subscription') return id;
  return thing.kind === 'subscription' ? thing.id : undefined;
}

/**
 * Asks the gateway for the record by its reference, which deployments accept. A failed look-up proves nothing: ids are
 * opaque, and the gateway decides when the request arrives.
 */
async function idAtGateway(
  { session }: CommandSession,
  change: Operation,
  kind: RecordKind,
  text: string,
): Promise<string | undefined> {
  const lookUp = lookUpOf(kind);
  if (!lookUp || !BY_REFERENCE.includes(lookUp) || text.includes('@')) return undefined;
  if (session.options.isDryRun) {
    await session.notice(
      `The real run asks the gateway whether ${neutralise(text)} is an id or a reference.`,
    );
    return undefined;
  }
  await session.gateway.admit(change);
  try {
    const { records } = await session.call(lookUp, { id: text });
    const [record = {}] = records;
    if (record.source === 'Recurring' && record.id !== text) throw chargeOfMany(text, record);
    return records.length === 1 && isCalled(record, text)
      ? (textOrNull(record.id) ?? undefined)
      : undefined;
  } catch (error) {
    if (error instanceof Failure && !ENDS.has(error.kind)) return undefined;
    if (error instanceof Failure && error.code === 'command-not-allowed') return undefined;
    throw error;
  }
}

/** Failures by which the user or one of their guards ended the look-up. */
const ENDS: ReadonlySet<string> = new Set(['interrupted', 'guard', 'usage']);

/** @returns whether it is a charge of a subscription that is named by a reference, which all of them have */
function isCharge({ kind, by, thing }: NameMatch): boolean {
  return kind === 'purchase' && by === 'reference' && thing.label === 'Recurring';
}

/** A charge has the reference of its subscription, and the gateway answers with one of them. */
function chargeOfMany(text: string, { id }: { id?: Json }): Failure {
  return usage(
    'name-ambiguous',
    `${JSON.stringify(text)} is the reference of every charge of a subscription. ${id} is one of them.`,
    'Give the id of the charge that you mean.',
    { sent: false },
  );
}

/** @returns whether it is the id or the reference of the record */
export function isCalled({ id, reference }: JsonObject, text: string): boolean {
  return [id, reference].some((one) => typeof one === 'string' && fold(one) === fold(text));
}

/** @throws Failure notFound if what the gateway does not know is called like a refund or a declined request */
function throwIfOfAnother(text: string, kind: RecordKind, named: readonly NameMatch[]): void {
  if (kindOfId(plainId(text)) === 'refund') throw looksLikeARefund(text, kind);
  throwIfDeclined(text, kind, named);
}

function unknownEmail(text: string, kind: RecordKind): Failure {
  return new Failure(
    'name-unknown',
    `Nothing seen, sent or received here has ${neutralise(text)}, and the gateway cannot look up an email.`,
    `Give the id of the ${kind}: \`gw find\` searches for a part of a name.`,
    { kind: 'notFound', sent: false },
  );
}

/** A declined payment by token has no id (section 2.3). @throws Failure notFound if the text names one */
function throwIfDeclined(text: string, kind: RecordKind, named: readonly NameMatch[]): void {
  const request = named.find((one) => one.kind === 'request' && one.thing.outcome === 'declined');
  if (!request) return;
  const reason = request.thing.message ?? '';
  const isSaid = reason === '' || reason.toLowerCase() === 'declined';
  throw new Failure(
    'name-of-another-kind',
    `The request ${neutralise(text)} was declined${isSaid ? '' : `: ${neutralise(reason)}`}.`,
    `It made no ${kind}. \`gw get ${commandWord(text)}\` shows the request.`,
    { kind: 'notFound' },
  );
}

/** Ids are opaque, so gw refuses one by its shape only after the gateway had no record of that name. */
function looksLikeARefund(text: string, kind: RecordKind): Failure {
  const id = neutralise(text);
  return new Failure(
    'name-of-another-kind',
    `${id} looks like the id of a refund, and no ${kind} has it.`,
    `Nothing was changed. Give the id of the ${kind}: \`gw get ${commandWord(text)}\` shows the refund.`,
    { kind: 'notFound' },
  );
}

/** A record of another kind than the command is about. */
interface OfAnotherKind {
  text: string;
  kind: RecordKind;
  other: NameMatch;
}

/**
 * @returns what belongs to the other record: for an answer, its only one, its last charge or the purchase that was refunded;
 *   else the one that a person chooses
 * @throws Failure usage with what belongs to the other record, if that is a customer's or a subscription's
 */
async function ofAnotherKind(
  asking: CommandSession,
  change: Operation,
  { text, kind, other }: OfAnotherKind,
): Promise<NameMatch> {
  const { host, session } = asking;
  const own = await withKnown(host, session.gateway, (known, owner) =>
    belongingsOf(withoutHearsay(known), { ...other, by: 'other' }, kind, owner),
  );
  const isRead = change.effect === 'read';
  const failure = anotherKind(change, { text, kind, other });
  const paid = refundedBy(other, kind);
  if (isRead && paid) {
    await session.notice(failure.message);
    return paid;
  }
  const [last, ...more] = own ?? [];
  if (!last) throw failure;
  const [whose, which] = [wordOf(other.kind), kind === 'purchase' ? 'last' : 'only'];
  const isClear = isForOne(other, more.length);
  if (isRead && isClear) {
    const said = `The last ${kind} of ${neutralise(text)} known here is ${last.id}`;
    await session.notice(`${said}: ${factsOf(last)}.`);
    return last;
  }
  const chosen = await chosenByPerson(asking, text, [last, ...more]);
  if (chosen) return chosen;
  const command = commandOn(asking, text, last.id) ?? commandWord(last.id);
  throw failure.with({
    next:
      more.length > 0 && (isRead || kind !== 'purchase')
        ? `Give the ${isRead ? 'id' : 'reference'} of the one that you mean: ${factsOfAll([last, ...more])}.`
        : `The ${which} ${kind} of this ${whose} that is known here: ${command} (${factsOf(last)}).`,
  });
}

/** @param more the number of its other payments @returns whether an answer may be about its last payment alone */
function isForOne({ by, kind }: NameMatch, more: number): boolean {
  return by !== 'name' && (more === 0 || kind === 'subscription');
}

/** @returns the purchase that a refund gives back, if a purchase is wanted and the refund names it */
function refundedBy(other: NameMatch, kind: RecordKind): NameMatch | undefined {
  const { purchase } = other.thing;
  const isPaid = other.kind === 'refund' && kind === 'purchase' && purchase !== null;
  return isPaid ? { ...other, kind, id: purchase } : undefined;
}

function anotherKind(change: Operation, { text, kind, other }: OfAnotherKind): Failure {
  // Nobody expects a look-up to have changed something.
  const sent = change.effect === 'read' ? undefined : false;
  const paid = refundedBy(other, kind);
  if (paid)
    return usage(
      'name-of-another-kind',
      `${JSON.stringify(text)} names a refund. Its purchase is ${neutralise(paid.id)}.`,
      `Give the id of the purchase: ${commandWord(paid.id)}.`,
      { sent },
    );
  return usage(
    'name-of-another-kind',
    `${JSON.stringify(text)} names ${wordOf(other.kind)} ${other.id}, and no ${kind}.`,
    `Give the id of the ${kind}: \`gw get ${commandWord(text)}\` shows what belongs to it.`,
    { sent },
  );
}
