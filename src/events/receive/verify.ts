/**
 * Asks the gateway whether an event is true. Deliveries are not signed, so anybody who knows the address can send one.
 * gw only believes what the gateway says of the records in it:
 *
 *   charge:*    the subscription, by its reference, and its customer
 *   also, for successful, retry and failed:
 *               the purchase, which must be that subscription's (section 2.3: its source is Recurring),
 *               and have its plan's amount and the event's outcome
 *   card:*      the customer, by id; the gateway does not tell a card's expiry
 *
 * gw asks about every object of the payload, and about each customer and subscription in it. Statements about a record
 * must match the gateway's, and the records must belong together. Only a subscription's `last_status` changes from day
 * to day. A different one is reported, and does not make an event false.
 */
import { isObject, type Json, type JsonObject, repeatsField } from '../../base/json.ts';
import { isUnsuccessful, normalRecord, outcomeOf, recordsOf } from '../../contract/normal.ts';
import { EVENT_NAMES, type EventName } from '../../contract/webhooks/names.ts';
import { Failure } from '../../failure.ts';
import type { Verification } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';

/** The most look-ups for one delivery. */
const MAX_LOOK_UPS = 30;

const COMPARED = {
  subscription: ['id', 'reference', 'frequency', 'start_date', 'end_date', 'plan', 'customer'],
  customer: ['id', 'reference', 'email', 'first_name', 'last_name', 'card_token'],
  purchase: [
    'id',
    'amount',
    'decimal_amount',
    'currency',
    'reference',
    'successful',
    'message',
    'authorization',
    'card_token',
    'source',
  ],
} as const;

/** Fields that gw shows of an event. If the event has one of them, the gateway must state it too. */
const SHOWN: readonly string[] = [
  'reference',
  'email',
  'first_name',
  'last_name',
  'amount',
  'currency',
  'message',
];

type ClaimedKind = keyof typeof COMPARED;

/**
 * @param key the reference of a subscription, otherwise an id
 * @returns the gateway's record, in normal form. @throws Failure notFound if there is none
 */
export type RecordLookUp = (
  kind: ClaimedKind | 'plan',
  key: string,
) => Promise<JsonObject | undefined>;

/** The statements of a delivery about one record. */
interface Claim {
  kind: ClaimedKind;
  key: string;
  fields: JsonObject;
}

/** The statements of one object in a payload. */
interface Element {
  subscriptions: Claim[];
  customers: Claim[];
  /** The purchase of a charge that was attempted. */
  purchase: Claim | undefined;
}

/** Thrown to end the look-ups: the event is not verified. */
class Doubt extends Error {
  readonly verification: Verification;

  constructor(state: Verification['state'], reason: string) {
    super(reason);
    this.verification = { state, reason };
  }
}

const unverified = (reason: string) => new Doubt('unverified', reason);
const contradicted = (reason: string) => new Doubt('contradicted', reason);

/** @returns `waiting` if the gateway could not be asked now, but may be soon */
export async function verifyEvent(
  content: DeliveryContent,
  lookUp: RecordLookUp,
): Promise<Verification> {
  try {
    const event = EVENT_NAMES.find((known) => known === content.kept.event);
    if (!event) throw unverified('the interface does not define this event');
    if (namesTwice(content.kept.body)) throw unverified('it contains the same field twice');
    const { payload } = content;
    const elements = (Array.isArray(payload) ? payload : [payload]).map((one) =>
      elementOf(event, one),
    );
    const count = elements.reduce((sum, one) => sum + lookUpsOf(one), 0);
    if (count === 0) throw unverified('it does not name anything that gw can look up');
    if (count > MAX_LOOK_UPS) throw unverified(`it names more than ${MAX_LOOK_UPS} records`);
    const extents = new Set<string>();
    for (const element of elements) {
      for (const extent of await verifyElement(event, element, lookUp)) extents.add(extent);
    }
    return { state: 'verified', reason: [...extents].join('; ') };
  } catch (error) {
    if (error instanceof Doubt) return error.verification;
    throw error;
  }
}

/** With a purchase, each subscription needs a look-up of its plan too. */
function lookUpsOf({ subscriptions, customers, purchase }: Element): number {
  return subscriptions.length * (purchase ? 2 : 1) + customers.length + (purchase ? 1 : 0);
}

/** @throws Doubt if it does not name its records */
function elementOf(event: EventName, value: Json): Element {
  if (!isObject(value)) throw unverified('it contains something that is not an object');
  const isCard = event.startsWith('card:');
  const isAttempt = !isCard && event !== 'charge:pending';
  const marks = ['id', 'reference', 'frequency'];
  const subscriptions = spoken(value, 'subscription', isCard ? [] : marks);
  const persons = isCard ? spoken(value, 'customer', ['id', 'email', 'reference']) : [];
  const customers = [...subscriptions, value].map(({ customer }) => customer).filter(isObject);
  if (!isCard && subscriptions.length === 0)
    throw unverified('it does not name a subscription by its reference');
  return {
    subscriptions: subscriptions.map((one) => claimOf('subscription', one, 'reference')),
    customers: [...new Set([...persons, ...customers])].map((one) =>
      claimOf('customer', one, 'id'),
    ),
    purchase: purchaseOf(value.response, isAttempt),
  };
}

/** An element may be a record, contain it, or both; in that case both must be true. */
function spoken(element: JsonObject, name: string, marks: readonly string[]): JsonObject[] {
  const isRecord = marks.some((mark) => mark in element);
  return [...(isRecord ? [element] : []), ...[element[name]].filter(isObject)];
}

function purchaseOf(envelope: Json | undefined, isAttempt: boolean): Claim | undefined {
  const [purchase, ...others] = isObject(envelope) ? recordsOf(envelope.response) : [];
  if (!isAttempt) {
    if (purchase) throw unverified('it contains a purchase, which such an event never has');
    return undefined;
  }
  if (others.length > 0) throw unverified('it contains several purchases');
  return claimOf('purchase', purchase ? normalRecord('purchase', purchase) : {}, 'id');
}

function claimOf(kind: ClaimedKind, fields: JsonObject, name: 'id' | 'reference'): Claim {
  const key = fields[name];
  if (isSaid(key)) return { kind, key, fields };
  throw unverified(`it does not name a ${kind} by its ${name}`);
}

function isSaid(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** @returns the limits of the gateway's confirmation, if it does not cover everything. @throws Doubt */
async function verifyElement(
  event: EventName,
  { subscriptions, customers, purchase }: Element,
  lookUp: RecordLookUp,
): Promise<string[]> {
  const extents = event.startsWith('card:') ? ['the customer only, not the card'] : [];
  const records: JsonObject[] = [];
  for (const claim of subscriptions) {
    const record = await confirmed(claim, lookUp);
    records.push(record);
    for (const { key } of customers) sameOrThrow('subscription', record, 'customer', key);
  }
  for (const claim of customers) await confirmed(claim, lookUp, records.length > 0);
  const paid = purchase && (await confirmed(purchase, lookUp));
  if (paid) outcomeOrThrow(event, paid);
  for (const [i, subscription] of records.entries()) {
    if (paid) await belongsOrThrow(paid, subscription, lookUp);
    const said = subscriptions[i]?.fields.last_status;
    if (!isStatusNow(said, subscription))
      extents.push(`last_status is ${subscription.last_status} now`);
  }
  return extents;
}

/**
 * @returns the gateway's record, if the claim matches it. @param isOwned true if another record, which was confirmed,
 *   names it
 */
async function confirmed(
  { kind, key, fields }: Claim,
  lookUp: RecordLookUp,
  isOwned = false,
): Promise<JsonObject> {
  const record = await askedFor(kind, key, lookUp);
  // The subscription names it, so it existed and was deleted.
  if (!record && isOwned) throw unverified(`the gateway does not have this ${kind} any more`);
  if (!record) throw contradicted(`the gateway does not have this ${kind}`);
  const differing = differences(kind, fields, record);
  if (differing.length > 0) throw contradicted(differing.join('; '));
  const unsaid = COMPARED[kind].find(
    (field) => SHOWN.includes(field) && !isNothing(fields[field]) && isNothing(record[field]),
  );
  if (unsaid) throw unverified(`the gateway does not say the ${unsaid} of this ${kind}`);
  return record;
}

/** @returns undefined if there is no such record. @throws Doubt if the gateway does not say */
async function askedFor(
  kind: ClaimedKind | 'plan',
  key: string,
  lookUp: RecordLookUp,
): Promise<JsonObject | undefined> {
  try {
    const record = await lookUp(kind, key);
    if (!record) throw unverified(`the gateway answered without a ${kind}`);
    return record;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'notFound') return undefined;
    throw new Doubt(isFinal(error) ? 'unverified' : 'waiting', error.message);
  }
}

/** A failure that the delivery itself may have caused is final. Any other may pass, or be repaired by the user. */
function isFinal({ kind, status = 0 }: Failure): boolean {
  const isRefused = kind === 'rejected' && status < 500 && status !== 429;
  return kind === 'usage' || status === 403 || isRefused;
}

function outcomeOrThrow(event: EventName, purchase: JsonObject): void {
  const isSuccess = event === 'charge:successful';
  const outcome = outcomeOf('purchase', purchase);
  if (isSuccess ? outcome === 'approved' : isUnsuccessful(outcome)) return;
  throw contradicted(`the purchase is ${outcome}, not ${isSuccess ? 'approved' : 'declined'}`);
}

/**
 * A charge has its subscription's reference and its plan's amount. Neither changes while the plan is in use (section
 * 2.5).
 */
async function belongsOrThrow(
  purchase: JsonObject,
  { reference, plan: planId }: JsonObject,
  lookUp: RecordLookUp,
): Promise<void> {
  if (purchase.source !== 'Recurring')
    throw contradicted('the purchase is not a charge of a subscription');
  sameOrThrow('purchase', purchase, 'reference', reference);
  const id = idOf(planId);
  const plan = isSaid(id) ? await askedFor('plan', id, lookUp) : undefined;
  if (!plan) throw unverified('the gateway does not say the plan of this subscription');
  sameOrThrow('purchase', purchase, 'amount', plan.amount);
  if (!isNothing(plan.currency)) sameOrThrow('purchase', purchase, 'currency', plan.currency);
}

/** @throws Doubt unless the gateway's record has that value in the field */
function sameOrThrow(
  kind: ClaimedKind,
  record: JsonObject,
  field: string,
  expected: Json | undefined,
): void {
  const value = idOf(record[field]);
  if (isNothing(value) || isNothing(expected))
    throw unverified(`the gateway does not say the ${field} of this ${kind}`);
  if (!isSame(expected, value))
    throw contradicted(`${field} of the ${kind} is ${textOf(value)}, not ${textOf(expected)}`);
}

/** The texts of a `last_status` (sections 2.7 and 3.2): only these are shown on the word of a delivery. */
const STATUS = /^(?:Scheduled|Queued|Successful|Failed \([1-3]\), (?:Pending|Aborted))$/;

/**
 * @param said the event's `last_status`
 * @returns false if the status is different now. @throws Doubt if it is not a status
 */
function isStatusNow(said: Json | undefined, { last_status: now }: JsonObject): boolean {
  if (isNothing(said) || said === now) return true;
  if (!isSaid(now))
    throw unverified('the gateway does not say the last_status of this subscription');
  if (!isSaid(said) || !STATUS.test(said))
    throw contradicted(`last_status is ${now}, not ${textOf(said)}`);
  return false;
}

/** Two readers may choose different ones of two fields with one name, or with names that differ only in case. */
function namesTwice(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body);
  let isTwice = repeatsField(text);
  JSON.parse(text, (_, value: Json) => {
    const names = isObject(value) ? Object.keys(value).map((name) => name.toLowerCase()) : [];
    isTwice ||= new Set(names).size < names.length;
    return value;
  });
  return isTwice;
}

/** @returns the fields in which the gateway's record differs; one that either side leaves out does not count */
export function differences(kind: ClaimedKind, claimed: JsonObject, record: JsonObject): string[] {
  return COMPARED[kind].flatMap((field) => {
    const [a, b] = [idOf(claimed[field]), idOf(record[field])];
    if (isNothing(a) || isNothing(b) || isSame(a, b)) return [];
    return [`${field} is ${textOf(b)}, not ${textOf(a)}`];
  });
}

function isNothing(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function isSame(a: Json, b: Json): boolean {
  return !isObject(a) && !Array.isArray(a) && String(a) === String(b);
}

/** An event has a customer as an object, and a subscription's record has it as an id. */
function idOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? value.id : value;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
