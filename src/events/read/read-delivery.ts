/**
 * Reads the body of a delivery (interface section 6) liberally. One object may replace the array, other events than the
 * six are accepted, and any field may be missing. A delivery is bad if its body is not JSON, names no event, or lacks a
 * part that its event needs (`payloadFault`). `fault` then states the reason. A bad delivery is kept and shown, but not
 * passed on.
 *
 * A delivery may hold several objects, and a search finds all of them. A line (who, amount, outcome) shows the first
 * one.
 *
 * Card numbers and secrets are masked before anything else is read, and the masked body is kept. The gateway masks them
 * itself, so this only changes the bytes of hostile deliveries.
 */

import {
  isObject,
  type Json,
  type JsonObject,
  repeatsField,
  withNumbers,
} from '../../base/json.ts';
import { answerJson, writtenJson } from '../../contract/envelope.ts';
import {
  fullNameOf,
  isUnsuccessful,
  normalRecord,
  outcomeOf,
  recordsOf,
} from '../../contract/normal.ts';
import { EVENT_NAMES, type EventName } from '../../contract/webhooks/names.ts';
import { sha256 } from '../../host/digest.ts';
import { redactJson, redactText } from '../../host/redaction/redact.ts';
import type { NewEvent } from '../event.ts';

/** The most objects of one delivery that are read. */
const MAX_ELEMENTS = 1_000;

export const OUTCOMES = [
  'pending',
  'approved',
  'declined',
  'abandoned',
  'expiring',
  'expired',
  'unclear',
  'unknown',
  'bad',
] as const;

/** A list also takes the word for what `gw trigger` sends, whatever outcome it plays. */
export const LISTED_OUTCOMES = [...OUTCOMES, 'sample'] as const;

/** `unknown` is an event other than the six; `unclear` is a charge whose event and purchase differ. */
export type EventOutcome = (typeof OUTCOMES)[number];

/** The records in an object of a payload (the table of interface section 6). */
interface Parts {
  subscription: JsonObject | null;
  customer: JsonObject | null;
  /** The envelope with which the gateway answered a charge. */
  response: JsonObject | null;
  /** The purchase of a charge, in normal form. */
  purchase: JsonObject | null;
}

const NO_PARTS: Parts = {
  subscription: null,
  customer: null,
  response: null,
  purchase: null,
};

/** The marks by which the store finds a delivery, and its body as it is kept. */
type KeptContent = Pick<NewEvent, 'event' | 'fault' | 'source' | 'identity' | 'isLasting'> &
  SafeBody & { outcome: EventOutcome };

/** The content of a delivery's body; the parts are those of its first object. */
export interface DeliveryContent extends Parts {
  kept: KeptContent;
  /** The payload as sent, but masked; null if the body is not JSON. */
  payload: Json;
  /** The number of objects in the payload. */
  elements: number;
  /** The records of each object; one empty element if there is none. */
  parts: readonly Parts[];
  /** The gateway's message about the outcome. */
  message: string | null;
  /** The customer's name, or another identification. */
  who: string | null;
}

interface SafeBody {
  body: Uint8Array;
  /** true if something was masked, so that these are not the bytes that were received. */
  isMasked: boolean;
}

/** @param body as received, decompressed, and no longer than a receiver accepts */
export function readDelivery(body: Uint8Array): DeliveryContent {
  const text = textIn(body);
  if (text === undefined) return unreadableContent(body, 'the body is not UTF-8 text');
  const value = answerJson(text);
  if (value === undefined) {
    const safe = redactText(text);
    const isMasked = safe !== text;
    return unreadableContent(isMasked ? Buffer.from(safe) : body, 'the body is not JSON', isMasked);
  }
  const safe = redactJson(value);
  // If a name occurs twice, the value has only the last one, and the text has all.
  const isMasked = safe !== value || (repeatsField(text, value) && redactText(text) !== text);
  const kept = isMasked
    ? Buffer.from(withNumbers(JSON.stringify(redactJson(writtenJson(text) ?? null))))
    : body;
  if (!isObject(safe)) return unreadableContent(kept, 'the body is not a JSON object', isMasked);
  const { event, payload = null } = safe;
  if (typeof event !== 'string' || event === '') {
    return { ...unreadableContent(kept, 'the body does not name an event', isMasked), payload };
  }
  return eventContent(event, payload, { body: kept, isMasked });
}

/** @returns the content of a delivery that names no event. @param fault the reason in a few words */
export function unreadableContent(
  body: Uint8Array,
  fault: string,
  isMasked = false,
): DeliveryContent {
  return {
    kept: {
      event: null,
      fault,
      outcome: 'bad',
      source: 'unreadable',
      identity: `@ ${hashOf(body)}`,
      isLasting: false,
      body,
      isMasked,
    },
    payload: null,
    elements: 0,
    parts: [NO_PARTS],
    message: null,
    who: null,
    ...NO_PARTS,
  };
}

/** Copies each part by name: a spread would take as long as all other reading. */
function eventContent(event: string, payload: Json, safe: SafeBody): DeliveryContent {
  const elements = (Array.isArray(payload) ? payload : [payload]).filter(isObject);
  const parts = elements.slice(0, MAX_ELEMENTS).map((element) => partsOf(event, element));
  const [first = NO_PARTS] = parts;
  const name = EVENT_NAMES.find((known) => known === event);
  const fault = name && payloadFault(name, payload, parts);
  if (fault !== undefined) {
    const bad = unreadableContent(safe.body, fault, safe.isMasked);
    const kept = { ...bad.kept, event };
    return { ...bad, kept, payload, elements: elements.length, parts: orNone(parts) };
  }
  const source = sourceOf(event, first);
  const { identity, isLasting } = identityOf(first, safe.body);
  return {
    kept: {
      event,
      fault: null,
      outcome: name ? outcomeOfEvent(name, parts) : 'unknown',
      source,
      identity,
      isLasting,
      body: safe.body,
      isMasked: safe.isMasked,
    },
    payload,
    elements: elements.length,
    parts: orNone(parts),
    message: messageOf(first),
    who: first.customer && nameOf(first.customer),
    subscription: first.subscription,
    customer: first.customer,
    response: first.response,
    purchase: first.purchase,
  };
}

/**
 * Recognises a subscription beside its charge, a subscription alone, or a customer. For an object with few fields, the
 * event decides.
 */
function partsOf(event: string, element: JsonObject): Parts {
  const inner = element.subscription;
  const isPerson = 'email' in element || 'first_name' in element;
  const isPending = event === 'charge:pending' && !isPerson;
  const isSubscription = 'frequency' in element || 'customer' in element || isPending;
  const subscription = isObject(inner) ? inner : isSubscription ? element : null;
  const named = [subscription?.customer, element.customer].find(isObject);
  const isCustomer = subscription === null && (isPerson || event.startsWith('card:'));
  const response = isObject(element.response) ? element.response : null;
  const [purchase] = recordsOf(response?.response);
  return {
    subscription,
    customer: named ?? (isCustomer ? element : null),
    response,
    purchase: purchase ? normalRecord('purchase', purchase) : null,
  };
}

/** An event without any record still has one element. */
function orNone(parts: readonly Parts[]): readonly Parts[] {
  return parts.length > 0 ? parts : [NO_PARTS];
}

/**
 * Checks the parts that each of the six events needs (interface section 6). A delivery without them is bad: its outcome
 * in words would claim more than the payload says.
 *
 *   charge:pending              a subscription
 *   charge:successful           a subscription, and a response with a purchase
 *   charge:retry, charge:failed a subscription, and a response; a failed charge may have made no purchase
 *   card:expiring, card:expired a customer, or else the card
 *
 * One object may replace a list of one. Everything else may be missing, as in any record.
 * @param parts of the payload's objects
 * @returns the fault of a bad delivery in a few words
 */
function payloadFault(
  event: EventName,
  payload: Json,
  parts: readonly Parts[],
): string | undefined {
  const elements = Array.isArray(payload) ? payload : [payload];
  if (payload === null || elements.length === 0) return 'the payload is empty';
  if (!elements.every(isObject)) return 'the payload contains something that is not an object';
  return parts.map((one) => faultOf(event, one)).find((fault) => fault !== undefined);
}

const SUBSCRIPTION_NAMES = ['id', 'reference'];
const CARD_NAMES = ['token', 'card_token', 'card_number', 'card_holder'];
const CUSTOMER_NAMES = ['id', 'reference', 'email', 'first_name', 'last_name', ...CARD_NAMES];

function faultOf(event: EventName, parts: Parts): string | undefined {
  const { subscription, customer, response, purchase } = parts;
  if (event === 'card:expiring' || event === 'card:expired') {
    return isNamed(customer, CUSTOMER_NAMES) ? undefined : 'it does not name a customer';
  }
  if (!isNamed(subscription, SUBSCRIPTION_NAMES)) return 'it does not name a subscription';
  if (event === 'charge:pending') return undefined;
  if (!response) return 'it has no response for the charge';
  return event === 'charge:successful' && !purchase ? 'its response has no purchase' : undefined;
}

function isNamed(record: JsonObject | null, names: readonly string[]): boolean {
  return names.some((name) => {
    const value = record?.[name];
    return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  });
}

const OUTCOME_OF: Readonly<Record<EventName, EventOutcome>> = {
  'charge:pending': 'pending',
  'charge:successful': 'approved',
  'charge:retry': 'declined',
  'charge:failed': 'abandoned',
  'card:expiring': 'expiring',
  'card:expired': 'expired',
};

function outcomeOfEvent(event: EventName, parts: readonly Parts[]): EventOutcome {
  const outcome = OUTCOME_OF[event];
  return parts.some((one) => isDoubtful(outcome, one)) ? 'unclear' : outcome;
}

/** Whether the event and its parts contradict each other. A part that says nothing does not contradict. */
function isDoubtful(outcome: EventOutcome, { response, purchase, subscription }: Parts): boolean {
  const isSuccess = outcome === 'approved';
  if (!isSuccess && outcome !== 'declined' && outcome !== 'abandoned') return false;
  // A decline is a successful answer (section 3.1), so the envelope only decides about a success.
  if (isSuccess && response?.successful === false) return true;
  const status = firstText(subscription?.last_status) ?? '';
  if (outcome === 'abandoned' && /\bpending\b/i.test(status)) return true;
  const successful = purchase ? purchase.successful : response?.successful;
  const said = outcomeOf('purchase', { ...purchase, successful: successful ?? isSuccess });
  return isSuccess ? said !== 'approved' : !isUnsuccessful(said);
}

function messageOf({ purchase, subscription }: Parts): string | null {
  const parts = texts(purchase?.message, subscription?.last_status);
  return parts.length > 0 ? parts.join('; ') : null;
}

function nameOf(customer: JsonObject): string | null {
  const { email, reference, id } = customer;
  return fullNameOf(customer) ?? firstText(email, reference, id) ?? null;
}

/** @returns the references of the subscription and the purchase */
export function referencesOf({ subscription, purchase }: Parts): string[] {
  return texts(subscription?.reference, purchase?.reference);
}

/** @returns every name of the customer: id, reference, email, full name, in lower case */
export function namesOfCustomer({ subscription, customer }: Parts): string[] {
  const { id, reference, email } = customer ?? {};
  const name = customer && nameOf(customer);
  return texts(id, reference, email, subscription?.customer, name).map((text) =>
    text.toLowerCase(),
  );
}

function sourceOf(event: string, { subscription, customer }: Parts): string {
  const ofSubscription = firstText(subscription?.id, subscription?.reference);
  if (ofSubscription !== undefined) return `subscription ${ofSubscription}`;
  const ofCustomer = firstText(customer?.id, customer?.reference, customer?.email);
  return ofCustomer === undefined ? `event ${event}` : `customer ${ofCustomer}`;
}

/** Enough for a date-time with offset. */
const MAX_DATE_LENGTH = 29;

/**
 * Only the same bytes say the same: somebody may send the id of a true purchase with another amount. With the id or the
 * date of a purchase, these bytes are never used again for a new event.
 */
function identityOf({ purchase }: Parts, body: Uint8Array) {
  const date = firstText(purchase?.transaction_date) ?? '';
  // Events of one time are near each other in the store (store/ledger/sqlite-schema.ts).
  const identity = `@${date.slice(0, MAX_DATE_LENGTH)} ${hashOf(body)}`;
  return { identity, isLasting: firstText(purchase?.id, date) !== undefined };
}

/** @returns half of the SHA-256 digest: enough for all events there will ever be, and half as long in the index */
export function hashOf(value: Uint8Array | string): string {
  return sha256(value, 'base64url').slice(0, 22);
}

type Values = readonly (Json | undefined)[];

const isText = (value: Json | undefined) => typeof value === 'string' && value !== '';

/** @returns the values that are texts and not empty */
function texts(...values: Values): string[] {
  return values.filter(isText) as string[];
}

function firstText(...values: Values): string | undefined {
  return values.find(isText) as string | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined if it is not UTF-8 */
function textIn(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}
