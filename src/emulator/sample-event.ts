/**
 * Samples of the six events, made like the test gateway's own. They are about its newest subscription, or a made-up
 * one if it has none. Nothing is charged and nothing is stored.
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
import { invariant } from '../failure.ts';
import { firstRow } from '../store/sql.ts';
import { dateTime, dayOf, type GatewayClock } from './gateway-clock.ts';
import { authorizationOf, idOf } from './resources/ids.ts';
import { type PaidCard, purchaseAnswer } from './resources/purchases.ts';
import { openState } from './state.ts';
import { drawNumber, stateOf, type Transaction } from './store.ts';

export interface SampleOptions {
  name: EventName;
  /** The built-in test gateway's file, which is not created if it is missing. */
  path: string;
  clock: Pick<GatewayClock, 'now'>;
  /** Determines the ids of a charge: another seed gives another purchase. */
  seed: string;
}

interface Billed {
  subscription: Omit<EventSubscription, 'last_status'> & {
    /** The prefix of the account's ids. */
    merchant: string;
    customer: string;
    /** The plan's amount, in minor units. */
    amount: number;
    currency: string;
  };
  customer: EventCustomer & PaidCard;
}

/** @returns the body of a delivery, never a live one. @throws Failure usage if the file cannot be used */
export function sampleBody(options: SampleOptions): JsonObject {
  return eventBody(sampleOccasion(options), true);
}

/** @throws as `sampleBody` */
export function sampleOccasion({ name, path, clock, seed }: SampleOptions): Occasion {
  const now = clock.now();
  const { dialect, newest } = knownIn(path, clock);
  const { subscription, customer } = newest ?? madeUp(now);
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

function knownIn(
  path: string,
  clock: SampleOptions['clock'],
): { dialect: Dialect; newest: Billed | undefined } {
  if (!existsSync(path)) return { dialect: DEFAULT_DIALECT, newest: undefined };
  const store = openState({ path, clock });
  try {
    return store.read((tx) => ({ dialect: tx.dialect, newest: newestIn(tx) }));
  } finally {
    store.close();
  }
}

/** The newest subscription of the first account, preferably an active one. */
function newestIn(tx: Transaction): Billed | undefined {
  const subscription = tx.do(
    firstRow<
      Billed['subscription']
    >(`SELECT s.id, s.merchant, s.customer, s.frequency, s.start_date, s.end_date, s.reference,
       p.amount, p.currency
     FROM subscriptions s JOIN customers c ON c.id = s.customer JOIN plans p ON p.id = s.plan
     WHERE s.merchant = (SELECT prefix FROM merchants ORDER BY rowid LIMIT 1)
     ORDER BY s.is_active DESC, s.rowid DESC LIMIT 1`),
  );
  if (!subscription) return undefined;
  const customer = tx.do(
    firstRow<Billed['customer']>(
      `SELECT c.id, c.email, c.first_name, c.last_name, c.reference,
       k.token, k.card_holder, k.card_number, k.card_type, k.expiry
     FROM customers c JOIN cards k ON k.token = c.card_token WHERE c.id = ?`,
      [subscription.customer],
    ),
  );
  invariant(customer, `customer ${subscription.customer} has no card`);
  return { subscription, customer };
}

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
