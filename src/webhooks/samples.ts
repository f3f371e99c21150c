/**
 * Samples of the six events (interface section 6), made of records of the embedded gateway where
 * there are some, else of fixed ones.
 */

import type { JsonObject } from '../base/json.ts';
import { currencyExponent } from '../contract/currency.ts';
import { formatDecimal } from '../contract/money.ts';
import { EVENT_NAMES, type EventName, SERVICE_MODE_HEADER } from '../contract/webhook-events.ts';
import type { Header } from '../events/event-store.ts';
import { usage } from '../failure.ts';

/** The records that a sample is made of, in the interface's form. */
export interface SampleRecords {
  /** Fields of section 2.7; `customer` and `plan` are not looked at. */
  subscription: JsonObject;
  /** id, email, first_name, last_name, reference. */
  customer: JsonObject;
  /** A masked card: card_number, card_holder, card_expiry, card_token. */
  card: JsonObject;
  /** Minor units. */
  amount: number;
  currency: string;
}

/** @throws Failure usage when the event is none of the six */
export function parseEventName(text: string): EventName {
  const name = EVENT_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  throw usage('That is none of the six events.', `They are ${EVENT_NAMES.join(', ')}.`);
}

/** @param today first day of the sample's subscription */
export function fixedRecords(today: Date): SampleRecords {
  const day = today.toISOString().slice(0, 10);
  return {
    subscription: {
      id: '001-S-SAMPLE01',
      frequency: 'Daily',
      start_date: day,
      end_date: null,
      reference: 'SUB-SAMPLE-1',
    },
    customer: {
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      reference: 'CUST-SAMPLE-1',
      id: '001-C-SAMPLE01',
    },
    card: {
      card_number: '512345XXXXXX2346',
      card_holder: 'Ada Lovelace',
      card_expiry: `12/${today.getUTCFullYear() + 2}`,
      card_token: 'sample-token',
    },
    amount: 2500,
    currency: 'AUD',
  };
}

/** @returns the body of a delivery. @param code makes the purchase of a charge unlike any other */
export function sampleBody(
  event: EventName,
  records: SampleRecords,
  now: Date,
  code: string,
): JsonObject {
  return { event, payload: [elementOf(event, records, now, code)] };
}

/** @returns the headers of a sample; a sample is never a live one */
export function sampleHeaders(version: string): Header[] {
  return [
    ['Content-Type', 'application/json'],
    [SERVICE_MODE_HEADER, 'Sandbox'],
    ['User-Agent', `gw/${version} sample`],
  ];
}

function elementOf(event: EventName, records: SampleRecords, now: Date, code: string): JsonObject {
  const customer = pick(records.customer, CUSTOMER_FIELDS);
  if (event === 'card:expiring' || event === 'card:expired') return customer;
  const subscription = { ...pick(records.subscription, SUBSCRIPTION_FIELDS), customer };
  if (event === 'charge:pending') return subscription;
  const status = LAST_STATUS[event];
  const isApproved = event === 'charge:successful';
  return {
    subscription: status === undefined ? subscription : { ...subscription, last_status: status },
    response: {
      successful: isApproved,
      response: purchaseOf(records, isApproved, now, code),
      errors: [],
      test: true,
    },
  };
}

const CUSTOMER_FIELDS = ['email', 'first_name', 'last_name', 'reference', 'id'];
const SUBSCRIPTION_FIELDS = ['id', 'frequency', 'start_date', 'end_date', 'reference'];

const LAST_STATUS: Readonly<Partial<Record<EventName, string>>> = {
  'charge:retry': 'Failed (2), Pending',
  'charge:failed': 'Failed (3), Aborted',
};

function purchaseOf(
  { card, amount, currency, subscription }: SampleRecords,
  isApproved: boolean,
  now: Date,
  code: string,
): JsonObject {
  return {
    id: `001-P-${code}`,
    authorization: isApproved ? code.slice(0, 6) : null,
    ...card,
    amount,
    decimal_amount: Number(formatDecimal(amount, currencyExponent(currency) ?? 2)),
    successful: isApproved,
    message: isApproved ? 'Approved' : 'Insufficient Funds',
    reference: subscription.reference ?? null,
    currency,
    settlement_date: now.toISOString().slice(0, 10),
    transaction_date: now.toISOString(),
    source: 'Recurring',
  };
}

function pick(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}
