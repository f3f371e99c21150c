/**
 * Asks the gateway whether an event is true. A delivery is not signed, so anybody who knows the
 * address can send one; what counts is what the gateway says of the records that it names:
 *
 *   charge:*    the subscription, by its reference, and its customer
 *   of these successful, retry, failed
 *               the purchase, which is that subscription's (section 2.3: its source is Recurring), of its
 *               plan's amount, and of the event's outcome
 *   card:*      the customer, by its id; of a card's expiry the gateway says nothing
 *
 * Every object of the payload is asked about, and a customer or a subscription wherever one is. What is
 * said of a record has to be the gateway's word, and records have to belong together. Of what changes from
 * day to day only a subscription's `last_status` is in an event: one that is another now is told, and does not
 * make an event false.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { repeatsField } from '../../base/json-value.ts';
import { isUnsuccessful, normalRecord, outcomeOf, recordsOf } from '../../contract/normal.ts';
import { EVENT_NAMES, type EventName } from '../../contract/webhooks/names.ts';
import { Failure } from '../../failure.ts';
import type { Verification } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';

/** More is not asked because of one delivery. */
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

/** What is shown of an event, and so has to be said by the gateway where the event says it. */
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
 * @param key reference of a subscription, else id
 * @returns the gateway's record, in normal form. @throws Failure notFound when there is none
 */
export type RecordLookUp = (
  kind: ClaimedKind | 'plan',
  key: string,
) => Promise<JsonObject | undefined>;

/** What a delivery says of one record. */
interface Claim {
  kind: ClaimedKind;
  key: string;
  fields: JsonObject;
}

/** What one object of a payload says. */
interface Element {
  subscriptions: Claim[];
  customers: Claim[];
  /** Of a charge that was attempted. */
  purchase: Claim | undefined;
}

/** Ends the asking: the event is not verified. */
class Doubt extends Error {
  readonly verification: Verification;

  constructor(state: Verification['state'], reason: string) {
    super(reason);
    this.verification = { state, reason };
  }
}

const unverified = (reason: string) => new Doubt('unverified', reason);
const contradicted = (reason: string) => new Doubt('contradicted', reason);

/** @returns `waiting` when the gateway could not be asked, and may be in a moment */
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

/** A purchase is asked about together with each plan. */
function lookUpsOf({ subscriptions, customers, purchase }: Element): number {
  return subscriptions.length * (purchase ? 2 : 1) + customers.length + (purchase ? 1 : 0);
}

/** @throws Doubt where it does not name what it is about */
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

/** An element speaks of a record by being it, by holding it, or by both: then both have to be true. */
function spoken(element: JsonObject, name: string, marks: readonly string[]): JsonObject[] {
  const isRecord = marks.some((mark) => mark in element);
  return [...(isRecord ? [element] : []), ...[element[name]].filter(isObject)];
}

function purchaseOf(envelope: Json | undefined, isAttempt: boolean): Claim | undefined {
  const [purchase, ...others] = isObject(envelope) ? recordsOf(envelope.response) : [];
  if (!isAttempt) {
    if (purchase) throw unverified('it contains a purchase, which this event has none of');
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

/** @returns how far the gateway's word goes, where it does not say all. @throws Doubt */
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

/** @returns the gateway's record, where it is what is said of it. @param isOwned of another's that was asked for */
async function confirmed(
  { kind, key, fields }: Claim,
  lookUp: RecordLookUp,
  isOwned = false,
): Promise<JsonObject> {
  const record = await askedFor(kind, key, lookUp);
  // The subscription names it: it was there, and was deleted.
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

/** @returns undefined where there is none. @throws Doubt where the gateway does not say */
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

/** What the delivery itself may have caused is final. All else may pass, or be mended by who runs gw. */
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
 * A charge of a subscription has its reference and its plan's amount, neither of which changes while the
 * plan is in use (section 2.5).
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

/** @throws Doubt unless the gateway says of the record that a field has that value */
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

/** The words of a `last_status` (sections 2.7 and 3.2): no others are shown on the word of a delivery. */
const STATUS = /^(?:Scheduled|Queued|Successful|Failed \([1-3]\), (?:Pending|Aborted))$/;

/**
 * @param said the event's `last_status`
 * @returns false where it is another now. @throws Doubt where it is none
 */
function isStatusNow(said: Json | undefined, { last_status: now }: JsonObject): boolean {
  if (isNothing(said) || said === now) return true;
  if (!isSaid(now))
    throw unverified('the gateway does not say the last_status of this subscription');
  if (!isSaid(said) || !STATUS.test(said))
    throw contradicted(`last_status is ${now}, not ${textOf(said)}`);
  return false;
}

/** Two readers may take different ones of two fields with one name, or with names alike but for case. */
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

/** What the gateway says differently; a field that either side leaves out says nothing. */
function differences(kind: ClaimedKind, claimed: JsonObject, record: JsonObject): string[] {
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

/** A customer is an object in an event, and an id in the record of a subscription. */
function idOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? value.id : value;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
