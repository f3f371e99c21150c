/**
 * Samples of the six events, made like the test gateway's own. They are about one of its subscriptions or customers: the
 * one that is named, or the newest, or a made-up one if it has none. Nothing is charged and nothing is stored.
 *
 * Tests: test/unit/contract/webhooks/payload.test.ts, test/unit/events/read/read-delivery.test.ts
 */

import { existsSync } from 'node:fs';
import type { JsonObject } from '../base/json.ts';
import { DEFAULT_DIALECT, type Dialect } from '../contract/local-account.ts';
import type { EventName } from '../contract/webhooks/names.ts';
import {
  type EventCustomer,
  type EventSubscription,
  eventBody,
  type Occasion,
} from '../contract/webhooks/payload.ts';
import { type ShapeName, shaped } from '../contract/webhooks/shapes.ts';
import { Failure } from '../failure.ts';
import { firstRow } from '../store/sql.ts';
import { dateTime, dayOf, type GatewayClock } from './gateway-clock.ts';
import { authorizationOf, idOf } from './resources/ids.ts';
import { type PaidCard, purchaseAnswer } from './resources/purchases.ts';
import { openState } from './state.ts';
import { drawNumber, stateOf, type Transaction } from './store.ts';

/** What a sample is to be about, by ids, references, or the email of a customer. */
export interface SampleSubject {
  subscription?: string | undefined;
  customer?: string | undefined;
}

export interface SampleOptions {
  name: EventName;
  /** The built-in test gateway's file, which is not created if it is missing. */
  path: string;
  clock: Pick<GatewayClock, 'now'>;
  /** Determines the ids of a charge: another seed gives another purchase. */
  seed: string;
  subject?: SampleSubject;
  /** The usual shape by default. */
  shape?: ShapeName | undefined;
}

interface Billed {
  /** Missing for a customer who has none. */
  subscription?:
    | (Omit<EventSubscription, 'last_status'> & {
        /** The prefix of the account's ids. */
        merchant: string;
        customer: string;
        /** The plan's amount, in minor units. */
        amount: number;
        currency: string;
      })
    | undefined;
  customer: EventCustomer & PaidCard;
}

/**
 * @returns the body of a delivery, never a live one
 * @throws Failure usage if the file cannot be used; notFound if it does not have what the sample is to be about
 */
export function sampleBody(options: SampleOptions): JsonObject {
  const bodyOf = (seed: string) => eventBody(sampleOccasion({ ...options, seed }), true);
  const { seed, shape } = options;
  const body = bodyOf(seed);
  return shape === undefined ? body : shaped(body, bodyOf(`${seed} 2`), shape);
}

/** @throws as `sampleBody` */
export function sampleOccasion({ name, path, clock, seed, subject = {} }: SampleOptions): Occasion {
  const { now, dialect, found } = knownIn(path, clock, subject);
  const isNamed = (subject.subscription ?? subject.customer) !== undefined;
  const { subscription, customer } = found ?? (isNamed ? {} : madeUp(now));
  const isCharge = name.startsWith('charge:');
  if (!customer || (isCharge && !subscription)) throw notThere(name, subject);
  if (!subscription || !isCharge) return { name, customer };
  const isApproved = name === 'charge:successful';
  const { random } = drawNumber(stateOf(seed));
  const purchase = {
    id: idOf('purchases', subscription.merchant, random),
    merchant: subscription.merchant,
    card_token: customer.token,
    amount: subscription.amount,
    currency: subscription.currency,
    reference: subscription.reference,
    successful: isApproved ? 1 : 0,
    message: isApproved ? 'Approved' : 'Insufficient Funds',
    authorization: isApproved ? authorizationOf(random) : null,
    response_code: isApproved ? '00' : '51',
    captured: 1,
    metadata: null,
    transaction_date: dateTime(now),
    source: 'Recurring',
  };
  const last_status = name === 'charge:failed' ? 'Failed (3), Aborted' : 'Failed (2), Pending';
  return {
    name,
    customer,
    subscription: { ...subscription, last_status },
    purchase: purchaseAnswer(purchase, customer, dialect),
  };
}

function notThere(name: EventName, { subscription, customer }: SampleSubject): Failure {
  const named = [subscription, customer].filter((text) => text !== undefined);
  const isAboutCharge = subscription !== undefined || name.startsWith('charge:');
  const kind = isAboutCharge ? 'subscription' : 'customer';
  return new Failure(
    'sample-subject-not-found',
    `The built-in test gateway has no ${kind} for ${named.map((text) => JSON.stringify(text)).join(' and ')}.`,
    `\`gw ${kind} list --profile local\` shows what it has. Without the flag, a sample is about the newest.`,
    { sent: false },
  );
}

function knownIn(
  path: string,
  clock: SampleOptions['clock'],
  subject: SampleSubject,
): { now: Date; dialect: Dialect; found: Billed | undefined } {
  if (!existsSync(path)) return { now: clock.now(), dialect: DEFAULT_DIALECT, found: undefined };
  const store = openState({ path, clock });
  try {
    return store.read((tx) => ({
      now: tx.now,
      dialect: tx.dialect,
      found: newestIn(tx, subject),
    }));
  } finally {
    store.close();
  }
}

/** The newest subscription of the first account that fits the names, preferably an active one, with its customer. */
function newestIn(tx: Transaction, subject: SampleSubject): Billed | undefined {
  const named = subject.subscription ?? null;
  const owner = subject.customer ?? null;
  const subscription = tx.do(
    firstRow<NonNullable<Billed['subscription']>>(
      `SELECT s.id, s.merchant, s.customer, s.frequency, s.start_date, s.end_date, s.reference,
       p.amount, p.currency
     FROM subscriptions s JOIN customers c ON c.id = s.customer JOIN plans p ON p.id = s.plan
     WHERE s.merchant = (${FIRST_ACCOUNT})
       AND (:named IS NULL OR :named IN (s.id, s.reference))
       AND (:owner IS NULL OR :owner IN (c.id, c.reference, c.email))
     ORDER BY s.is_active DESC, s.rowid DESC LIMIT 1`,
      { named, owner },
    ),
  );
  if (!subscription && (named !== null || owner === null)) return undefined;
  const customer = tx.do(
    firstRow<Billed['customer']>(
      `SELECT c.id, c.email, c.first_name, c.last_name, c.reference,
       k.token, k.card_holder, k.card_number, k.card_type, k.expiry
     FROM customers c JOIN cards k ON k.token = c.card_token
     WHERE c.merchant = (${FIRST_ACCOUNT}) AND :name IN (c.id, c.reference, c.email)
     ORDER BY c.rowid DESC LIMIT 1`,
      { name: subscription?.customer ?? owner },
    ),
  );
  return customer && { subscription, customer };
}

const FIRST_ACCOUNT = 'SELECT prefix FROM merchants ORDER BY rowid LIMIT 1';

function madeUp(now: Date): Billed {
  return {
    subscription: {
      id: '001-S-SAMPLE01',
      merchant: '001',
      customer: '001-C-SAMPLE01',
      frequency: 'Daily',
      start_date: dayOf(now),
      end_date: null,
      reference: 'SUB-SAMPLE-1',
      amount: 2500,
      currency: 'AUD',
    },
    customer: {
      id: '001-C-SAMPLE01',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      reference: 'CUST-SAMPLE-1',
      token: 'sampletoken1',
      card_holder: 'Ada Lovelace',
      card_number: '512345XXXXXX2346',
      card_type: 'MasterCard',
      expiry: `${now.getUTCFullYear() + 2}-12`,
    },
  };
}
