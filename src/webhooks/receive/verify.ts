/**
 * Asks the gateway whether an event is true. A delivery is not signed, so anybody who knows the
 * address can send one; what counts is what the gateway says of the records that it names:
 *
 *   charge:*    the subscription, by its reference, and the purchase, whose outcome is the event's
 *   card:*      the customer, by its id; of a card's expiry the gateway says nothing
 *
 * Every object of the payload is asked about, and a customer wherever one is. Compared is what does not
 * change from one day to the next: a subscription's status and next date may have moved on since the
 * event was sent, so they prove nothing either way.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findJsonFault } from '../../base/json-text.ts';
import { isUnsuccessful, normalRecord, outcomeOf, recordsOf } from '../../contract/normal.ts';
import { EVENT_NAMES, type EventName } from '../../contract/webhook-events.ts';
import type { Verification } from '../../events/event-store.ts';
import { Failure } from '../../failure.ts';
import type { DeliveryContent } from './delivery-content.ts';

/** More is not asked because of one delivery. */
const MAX_LOOK_UPS = 30;

const COMPARED = {
  subscription: ['id', 'reference', 'frequency', 'start_date', 'end_date', 'plan', 'customer'],
  customer: ['id', 'reference', 'email', 'first_name', 'last_name', 'card_token'],
  purchase: [
    ...['id', 'amount', 'decimal_amount', 'currency', 'reference', 'successful'],
    ...['authorization', 'card_token', 'source'],
  ],
} as const;

type AskedKind = keyof typeof COMPARED;

/**
 * @param key reference of a subscription, else id
 * @returns the gateway's record, in normal form. @throws Failure notFound when there is none
 */
export type LookUp = (kind: AskedKind, key: string) => Promise<JsonObject | undefined>;

/** What a delivery says of one record. */
interface Claim {
  kind: AskedKind;
  key: string;
  fields: JsonObject;
}

/** @returns `waiting` when the gateway could not be asked, and may be in a moment */
export async function verifyEvent(content: DeliveryContent, lookUp: LookUp): Promise<Verification> {
  const event = EVENT_NAMES.find((known) => known === content.kept.event);
  const claims = event && claimsOf(event, content.payload);
  if (!event) return unverified('the interface does not define this event');
  if (namesTwice(content.kept.body)) return unverified('it contains the same field twice');
  if (typeof claims === 'string') return unverified(claims);
  if (!claims || claims.length === 0)
    return unverified('it does not name anything that gw can look up');
  if (claims.length > MAX_LOOK_UPS) return unverified(`it names more than ${MAX_LOOK_UPS} records`);
  for (const claim of claims) {
    const found = await verifyClaim(event, claim, lookUp);
    if (found) return found;
  }
  return { state: 'verified', reason: extentOf(event, claims) };
}

function unverified(reason: string): Verification {
  return { state: 'unverified', reason };
}

/** How far the gateway's word goes. */
function extentOf(event: EventName, claims: readonly Claim[]): string {
  if (event.startsWith('card:')) return 'the customer only, not the card';
  const isCharge = event !== 'charge:pending';
  return isCharge && claims.every(({ kind }) => kind !== 'purchase') ? 'without a purchase' : '';
}

/** @returns what is to be asked, or why nothing is */
function claimsOf(event: EventName, payload: Json): Claim[] | string {
  const claims: Claim[] = [];
  for (const element of Array.isArray(payload) ? payload : [payload]) {
    if (!isObject(element)) return 'it contains something that is not an object';
    const found = event.startsWith('card:')
      ? customerClaims(spoken(element, 'customer', ['id', 'email', 'reference']))
      : chargeClaims(event, element);
    if (typeof found === 'string') return found;
    claims.push(...found);
  }
  return claims;
}

/** An element speaks of a record by being it, by holding it, or by both: then both have to be true. */
function spoken(element: JsonObject, name: string, marks: readonly string[]): JsonObject[] {
  const isRecord = marks.some((mark) => mark in element);
  return [...(isRecord ? [element] : []), ...[element[name]].filter(isObject)];
}

function chargeClaims(event: EventName, element: JsonObject): Claim[] | string {
  const subscriptions = spoken(element, 'subscription', ['id', 'reference', 'frequency']);
  const claims: Claim[] = [];
  for (const fields of subscriptions) {
    if (!isKey(fields.reference)) return 'it does not name a subscription by its reference';
    claims.push({ kind: 'subscription', key: fields.reference, fields });
  }
  if (claims.length === 0) return 'it does not name a subscription by its reference';
  const customers = [...subscriptions, element].map(({ customer }) => customer).filter(isObject);
  const ofCustomers = customerClaims([...new Set(customers)]);
  const ofPurchase = purchaseClaims(event, element.response);
  if (typeof ofCustomers === 'string') return ofCustomers;
  return typeof ofPurchase === 'string' ? ofPurchase : [...claims, ...ofCustomers, ...ofPurchase];
}

function purchaseClaims(event: EventName, envelope: Json | undefined): Claim[] | string {
  const purchases = isObject(envelope) ? recordsOf(envelope.response) : [];
  if (purchases.length > 1) return 'it contains several purchases';
  const fields = purchases[0] && normalRecord('purchase', purchases[0]);
  if (fields && isKey(fields.id)) return [{ kind: 'purchase', key: fields.id, fields }];
  // One that was declined may have no id; one that was paid has one.
  return event === 'charge:successful' ? 'it does not name a purchase by its id' : [];
}

function customerClaims(customers: readonly JsonObject[]): Claim[] | string {
  const claims: Claim[] = [];
  for (const fields of customers) {
    if (!isKey(fields.id)) return 'it does not name a customer by its id';
    claims.push({ kind: 'customer', key: fields.id, fields });
  }
  return claims;
}

function isKey(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** @returns undefined when the gateway says the same */
async function verifyClaim(
  event: EventName,
  { kind, key, fields }: Claim,
  lookUp: LookUp,
): Promise<Verification | undefined> {
  try {
    const record = await lookUp(kind, key);
    if (!record) return unverified(`the gateway answered without a ${kind}`);
    const reason = [...differences(kind, fields, record), ...otherOutcome(event, kind, record)];
    return reason.length > 0 ? { state: 'contradicted', reason: reason.join('; ') } : undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'notFound') {
      return { state: 'contradicted', reason: `the gateway does not have this ${kind}` };
    }
    return { state: isFinal(error) ? 'unverified' : 'waiting', reason: error.message };
  }
}

/** What the delivery itself may have caused is final. All else may pass, or be mended by who runs gw. */
function isFinal({ kind, status = 0 }: Failure): boolean {
  const isRefused = kind === 'rejected' && status < 500 && status !== 429;
  return kind === 'usage' || status === 403 || isRefused;
}

/** Two readers may take different ones of two fields with one name, or with names alike but for case. */
function namesTwice(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body);
  let isTwice = findJsonFault(text) !== undefined;
  JSON.parse(text, (_, value: Json) => {
    const names = isObject(value) ? Object.keys(value).map((name) => name.toLowerCase()) : [];
    isTwice ||= new Set(names).size < names.length;
    return value;
  });
  return isTwice;
}

/** What the gateway says differently; a field that either side leaves out says nothing. */
function differences(kind: AskedKind, claimed: JsonObject, record: JsonObject): string[] {
  return COMPARED[kind].flatMap((field) => {
    const [a, b] = [idOf(claimed[field]), idOf(record[field])];
    if (a === undefined || a === null || b === undefined || b === null) return [];
    if (!isObject(a) && !Array.isArray(a) && String(a) === String(b)) return [];
    return [`${field} is ${textOf(b)}, not ${textOf(a)}`];
  });
}

function otherOutcome(event: EventName, kind: AskedKind, record: JsonObject): string[] {
  if (kind !== 'purchase') return [];
  const outcome = outcomeOf('purchase', record);
  const isSuccess = event === 'charge:successful';
  if (isSuccess ? outcome === 'approved' : isUnsuccessful(outcome)) return [];
  return [`the purchase is ${outcome}, not ${isSuccess ? 'approved' : 'declined'}`];
}

/** A customer is an object in an event, and an id in the record of a subscription. */
function idOf(value: Json | undefined): Json | undefined {
  return isObject(value) ? value.id : value;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
