import { expect, test } from 'vitest';
import { type Json, type JsonObject, setAt } from '../../../../src/base/json.ts';
import { type RecordLookUp, verifyEvent } from '../../../../src/events/receive/verify.ts';
import { Failure } from '../../../../src/failure.ts';
import type { FailureKind } from '../../../../src/failure-codes.ts';
import { charge } from '../../../helpers/listener.ts';
import { contentOf } from '../support.ts';

const SUBSCRIPTION = {
  id: 'S-1',
  reference: 'SUB-1',
  frequency: 'Daily',
  start_date: '2026-03-10',
  end_date: null,
  next_billing_date: '2026-03-11',
  plan: 'PL-1',
  customer: 'C-1',
  last_status: 'Failed (3), Aborted',
};
const CUSTOMER = {
  id: 'C-1',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  reference: 'CUST-1',
};
const PAID = {
  ...{ id: 'P-1', amount: 2500, currency: 'AUD', reference: 'SUB-1', source: 'Recurring' },
  ...{ successful: true, message: 'Approved', transaction_date: '2026-03-10T23:59:59+00:00' },
};
const DECLINED = { ...PAID, id: 'P-2', successful: false, message: 'Declined' };
const PLAN = { id: 'PL-1', name: 'Gold', amount: 2500 };

/** A gateway with those records. */
const GATEWAY: Record<string, JsonObject> = {
  'subscription SUB-1': SUBSCRIPTION,
  'customer C-1': CUSTOMER,
  'purchase P-1': PAID,
  'purchase P-2': DECLINED,
  'plan PL-1': PLAN,
};
const nothing = () => {
  throw new Failure('not-found', 'None.', '');
};
const gateway =
  (records = GATEWAY): RecordLookUp =>
  async (kind, key) =>
    records[`${kind} ${key}`] ?? nothing();

/** An event with one place of its body changed; `payload.0.` goes before the path. */
function changed(event: string, id: string, path: string, value: Json | undefined) {
  const body = structuredClone(charge(id, { event })) as unknown as { payload: [JsonObject] };
  // JSON leaves out undefined values.
  setAt(body.payload[0], path.split('.'), value as Json);
  return body;
}

const PURCHASE = 'response.response';
const paid = charge('P-1');
const card = (event: string, ...customers: Json[]) => ({ event, payload: customers });
const PENDING = {
  ...{ id: 'S-1', reference: 'SUB-1', frequency: 'Daily', start_date: '2026-03-10' },
};
const pending = (change: JsonObject = {}) => ({
  event: 'charge:pending',
  payload: [{ ...PENDING, end_date: null, customer: CUSTOMER, ...change }],
});

test.each<[what: string, body: unknown, state: string, reason: string]>([
  ['a charge that was made', paid, 'verified', ''],
  ['a charge that was declined', charge('P-2', { event: 'charge:retry' }), 'verified', ''],
  ['a charge that was given up', charge('P-2', { event: 'charge:failed' }), 'verified', ''],
  ['a charge that is queued', pending(), 'verified', ''],
  [
    'a card that expires',
    card('card:expiring', CUSTOMER),
    'verified',
    'the customer only, not the card',
  ],
  [
    'two cards',
    card('card:expired', CUSTOMER, CUSTOMER),
    'verified',
    'the customer only, not the card',
  ],
  ['one object in place of a list', { ...paid, payload: paid.payload[0] }, 'verified', ''],
  [
    'another amount',
    changed('charge:successful', 'P-1', `${PURCHASE}.amount`, 999999),
    'contradicted',
    'amount is 2500, not 999999',
  ],
  [
    'an amount in a list',
    changed('charge:successful', 'P-1', `${PURCHASE}.amount`, [2500]),
    'contradicted',
    'amount is 2500, not [2500]',
  ],
  [
    'an amount as text',
    changed('charge:successful', 'P-1', `${PURCHASE}.amount`, '2500'),
    'verified',
    '',
  ],
  [
    'another currency',
    changed('charge:successful', 'P-1', `${PURCHASE}.currency`, 'JPY'),
    'contradicted',
    'currency is AUD, not JPY',
  ],
  [
    'a declined purchase as paid',
    changed('charge:successful', 'P-2', `${PURCHASE}.successful`, true),
    'contradicted',
    'successful is false, not true; message is Declined, not Approved',
  ],
  [
    'a paid purchase as declined',
    charge('P-1', { event: 'charge:failed' }),
    'contradicted',
    'successful is true, not false; message is Approved, not Declined',
  ],
  ['an unknown purchase', charge('P-9'), 'contradicted', 'the gateway does not have this purchase'],
  [
    'an unknown subscription',
    charge('P-1', { reference: 'SUB-9' }),
    'contradicted',
    'the gateway does not have this subscription',
  ],
  [
    'another id of the subscription',
    charge('P-1', { subscription: 'S-2' }),
    'contradicted',
    'id is S-1, not S-2',
  ],
  [
    'another name of the customer',
    charge('P-1', { name: 'Eve' }),
    'contradicted',
    'first_name is Ada, not Eve',
  ],
  ['another customer', pending({ customer: 'C-2' }), 'contradicted', 'customer is C-1, not C-2'],
  [
    'an unknown customer',
    card('card:expired', { ...CUSTOMER, id: 'C-2' }),
    'contradicted',
    'the gateway does not have this customer',
  ],
  [
    'another email',
    card('card:expired', { ...CUSTOMER, email: 'eve@example.com' }),
    'contradicted',
    'email is ada@example.com, not eve@example.com',
  ],
  [
    'a second card that is not true',
    card('card:expired', CUSTOMER, { ...CUSTOMER, id: 'C-2' }),
    'contradicted',
    'the gateway does not have this customer',
  ],
  [
    'a second charge that is not true',
    { ...paid, payload: [...paid.payload, ...charge('P-9').payload] },
    'contradicted',
    'the gateway does not have this purchase',
  ],
  [
    'a true subscription within another',
    pending({ id: 'S-9', reference: 'SUB-9', subscription: SUBSCRIPTION }),
    'contradicted',
    'the gateway does not have this subscription',
  ],
  [
    'a true customer within another',
    card('card:expired', { ...CUSTOMER, id: 'C-2', customer: CUSTOMER }),
    'contradicted',
    'the gateway does not have this customer',
  ],

  [
    'two purchases in one charge',
    changed('charge:successful', 'P-1', PURCHASE, [PAID, DECLINED]),
    'unverified',
    'it contains several purchases',
  ],
  [
    'a declined charge without an id',
    changed('charge:failed', 'P-2', `${PURCHASE}.id`, null),
    'unverified',
    'it does not name a purchase by its id',
  ],
  [
    'a paid charge without an id',
    changed('charge:successful', 'P-1', `${PURCHASE}.id`, null),
    'unverified',
    'it does not name a purchase by its id',
  ],
  [
    'a paid charge without a purchase',
    changed('charge:successful', 'P-1', 'response', undefined),
    'unverified',
    'it does not name a purchase by its id',
  ],
  [
    'a subscription without a reference',
    changed('charge:retry', 'P-2', 'subscription.reference', undefined),
    'unverified',
    'it does not name a subscription by its reference',
  ],
  [
    'a customer without an id',
    card('card:expired', { email: 'ada@example.com' }),
    'unverified',
    'it does not name a customer by its id',
  ],
  [
    'an event of another name',
    card('charge:refunded', CUSTOMER),
    'unverified',
    'the interface does not define this event',
  ],
  [
    'no object',
    card('card:expired'),
    'unverified',
    'it does not name anything that gw can look up',
  ],
  [
    'no objects',
    card('card:expired', CUSTOMER, 'C-2'),
    'unverified',
    'it contains something that is not an object',
  ],
  [
    'too much to ask for',
    card('card:expired', ...Array(31).fill(CUSTOMER)),
    'unverified',
    'it names more than 30 records',
  ],
])('an event with %s gets the verdict of the gateway', async (_what, body, state, reason) => {
  expect(await verifyEvent(contentOf(body), gateway())).toEqual({ state, reason });
});

test.each(['"amount":2500', '"Amount":2500', '"\\u0061mount":2500'])(
  'a body with %s beside the amount is not verified',
  async (other) => {
    const body = JSON.stringify(paid).replace('"amount":2500', `"amount":2500,${other}`);
    expect(await verifyEvent(contentOf(body), gateway())).toEqual({
      state: 'unverified',
      reason: 'it contains the same field twice',
    });
  },
);

test('a byte order mark before a body does not matter', async () => {
  const content = contentOf(`\ufeff${JSON.stringify(paid)}`);
  expect((await verifyEvent(content, gateway())).state).toBe('verified');
});

const withRecord = (key: string, change: JsonObject) =>
  gateway({ ...GATEWAY, [key]: { ...GATEWAY[key], ...change } });

test.each<[what: string, lookUp: RecordLookUp, reason: string]>([
  [
    'whose it is',
    withRecord('subscription SUB-1', { customer: null }),
    'the customer of this subscription',
  ],
  ['its plan', withRecord('subscription SUB-1', { plan: null }), 'the plan of this subscription'],
  ['what it charges', withRecord('plan PL-1', { amount: null }), 'the amount of this purchase'],
  ['what was charged', withRecord('purchase P-1', { amount: null }), 'the amount of this purchase'],
  [
    'for what it was',
    withRecord('purchase P-1', { reference: null }),
    'the reference of this purchase',
  ],
  [
    'what was answered',
    withRecord('purchase P-1', { message: null }),
    'the message of this purchase',
  ],
  ['the name', withRecord('customer C-1', { first_name: null }), 'the first_name of this customer'],
])('a charge without %s at the gateway is not verified', async (_what, lookUp, reason) => {
  expect(await verifyEvent(contentOf(paid), lookUp)).toEqual({
    state: 'unverified',
    reason: `the gateway does not say ${reason}`,
  });
});

/** Each record is there, and says what the event says of it. */
test.each<[what: string, lookUp: RecordLookUp, reason: string]>([
  [
    'of somebody else',
    withRecord('purchase P-1', { reference: 'ORDER-7' }),
    'reference of the purchase is ORDER-7, not SUB-1',
  ],
  [
    'that a merchant made',
    withRecord('purchase P-1', { source: null }),
    'the purchase is not a charge of a subscription',
  ],
  [
    "of another amount than the plan's",
    withRecord('plan PL-1', { amount: 150000 }),
    'amount of the purchase is 2500, not 150000',
  ],
  [
    "in another currency than the plan's",
    withRecord('plan PL-1', { currency: 'JPY' }),
    'currency of the purchase is AUD, not JPY',
  ],
])('a subscription with a purchase %s is not a charge', async (_what, lookUp, reason) => {
  expect(await verifyEvent(contentOf(paid), lookUp)).toEqual({ state: 'contradicted', reason });
});

test.each<[what: string, lookUp: RecordLookUp, verification: object]>([
  ['renamed', withRecord('plan PL-1', { name: 'Platinum' }), { state: 'verified', reason: '' }],
  [
    'ended, and its customer deleted',
    gateway(Object.fromEntries(Object.entries(GATEWAY).filter(([key]) => key !== 'customer C-1'))),
    { state: 'unverified', reason: 'the gateway does not have this customer any more' },
  ],
])(
  'a true charge of a subscription that was %s since is not contradicted',
  async (_what, lookUp, found) => {
    expect(await verifyEvent(contentOf(paid), lookUp)).toEqual(found);
  },
);

test.each<[said: Json, now: string | null, state: string, reason: string]>([
  [null, 'Scheduled', 'verified', ''],
  ['Failed (2), Pending', 'Failed (2), Pending', 'verified', ''],
  ['Failed (2), Pending', 'Successful', 'verified', 'last_status is Successful now'],
  ['Odd', 'Odd', 'verified', ''],
  [
    'Failed (3), call 555 0100',
    'Failed (3), Aborted',
    'contradicted',
    'last_status is Failed (3), Aborted, not Failed (3), call 555 0100',
  ],
  [['Successful'], 'Scheduled', 'contradicted', 'last_status is Scheduled, not ["Successful"]'],
  [
    'Failed (1), Pending',
    null,
    'unverified',
    'the gateway does not say the last_status of this subscription',
  ],
])('a last_status %j, with %j at the gateway, is %s', async (said, now, state, reason) => {
  const body = changed('charge:retry', 'P-2', 'subscription.last_status', said);
  const lookUp = withRecord('subscription SUB-1', { last_status: now });
  expect(await verifyEvent(contentOf(body), lookUp)).toEqual({ state, reason });
});

test.each<[what: string, body: unknown, reason: string]>([
  [
    'a queued charge with a purchase',
    pending({ response: { response: PAID } }),
    'it contains a purchase, which such an event never has',
  ],
  [
    'a card with a subscription that has no reference',
    card('card:expired', { ...CUSTOMER, subscription: { id: 'S-9' } }),
    'it does not name a subscription by its reference',
  ],
])('an event with %s is not verified', async (_what, body, reason) => {
  expect(await verifyEvent(contentOf(body), gateway())).toEqual({ state: 'unverified', reason });
});

test('a charge with another customer is contradicted', async () => {
  const lookUp = gateway({ ...GATEWAY, 'customer C-2': { ...CUSTOMER, id: 'C-2' } });
  const body = changed('charge:successful', 'P-1', 'customer', { id: 'C-2' });
  expect(await verifyEvent(contentOf(body), lookUp)).toEqual({
    state: 'contradicted',
    reason: 'customer of the subscription is C-1, not C-2',
  });
});

test('an answer without a record proves nothing', async () => {
  expect(await verifyEvent(contentOf(paid), async () => undefined)).toEqual({
    state: 'unverified',
    reason: 'the gateway answered without a subscription',
  });
});

test.each<[FailureKind, number | undefined, string]>([
  ['notReached', undefined, 'waiting'],
  ['unknown', undefined, 'waiting'],
  ['interrupted', undefined, 'waiting'],
  ['auth', 401, 'waiting'],
  ['auth', undefined, 'waiting'],
  ['guard', undefined, 'waiting'],
  ['rejected', 429, 'waiting'],
  ['rejected', 503, 'waiting'],
  ['auth', 403, 'unverified'],
  ['rejected', 400, 'unverified'],
  ['usage', undefined, 'unverified'],
])('a look-up that ends in %s (%s) leaves an event %s', async (kind, status, state) => {
  const fail: RecordLookUp = async () => {
    throw new Failure('not-found', 'Said so.', '', { kind, status });
  };
  expect(await verifyEvent(contentOf(paid), fail)).toEqual({ state, reason: 'Said so.' });
});
