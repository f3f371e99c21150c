import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { Failure, type FailureKind } from '../../../../src/failure.ts';
import { type LookUp, verifyEvent } from '../../../../src/webhooks/receive/verify.ts';
import { charge } from '../../../helpers/listener.ts';
import { contentOf } from '../support.ts';

const SUBSCRIPTION = {
  id: 'S-1',
  reference: 'SUB-1',
  frequency: 'Daily',
  start_date: '2026-03-10',
  end_date: null,
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
const PAID = { id: 'P-1', amount: 2500, currency: 'AUD', successful: true, source: 'Recurring' };
const DECLINED = { ...PAID, id: 'P-2', successful: false };

/** A gateway with those records. */
const GATEWAY: Record<string, JsonObject> = {
  'subscription SUB-1': SUBSCRIPTION,
  'customer C-1': CUSTOMER,
  'purchase P-1': PAID,
  'purchase P-2': DECLINED,
};
const nothing = () => {
  throw new Failure('notFound', 'None.', { code: 'not-found', next: '' });
};
const gateway =
  (records = GATEWAY): LookUp =>
  async (kind, key) =>
    records[`${kind} ${key}`] ?? nothing();

/** An event with one place of its body changed; `payload.0.` goes before the path. */
function changed(event: string, id: string, path: string, value: Json | undefined) {
  const body = structuredClone(charge(id, { event })) as unknown as { payload: [JsonObject] };
  const names = path.split('.');
  const last = names.pop() ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: a path through whatever there is
  const at = names.reduce((inner: any, name) => inner[name], body.payload[0]);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return body;
}

const PURCHASE = 'response.response';
const paid = charge('P-1');
const card = (event: string, ...customers: Json[]) => ({ event, payload: customers });
const { end_date: _, customer: __, last_status: ___, ...PENDING } = SUBSCRIPTION;
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
    'a declined charge without an id',
    changed('charge:retry', 'P-2', `${PURCHASE}.id`, null),
    'verified',
    'without a purchase',
  ],

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
    'successful is false, not true; the purchase is declined, not approved',
  ],
  [
    'a paid purchase as declined',
    charge('P-1', { event: 'charge:failed' }),
    'contradicted',
    'successful is true, not false; the purchase is approved, not declined',
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
])('an event with %s is what the gateway says of it', async (_what, body, state, reason) => {
  expect(await verifyEvent(contentOf(body), gateway())).toEqual({ state, reason });
});

test.each(['"amount":2500', '"Amount":2500', '"\\u0061mount":2500'])(
  'a body that gives %s beside the amount is not verified',
  async (other) => {
    const body = JSON.stringify(paid).replace('"amount":2500', `"amount":2500,${other}`);
    expect(await verifyEvent(contentOf(body), gateway())).toEqual({
      state: 'unverified',
      reason: 'it contains the same field twice',
    });
  },
);

test('a byte order mark before a body says nothing', async () => {
  const content = contentOf(`\ufeff${JSON.stringify(paid)}`);
  expect((await verifyEvent(content, gateway())).state).toBe('verified');
});

test('what the gateway leaves out proves nothing', async () => {
  const known = { ...GATEWAY, 'subscription SUB-1': { reference: 'SUB-1', customer: null } };
  expect((await verifyEvent(contentOf(paid), gateway(known))).state).toBe('verified');
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
  const fail: LookUp = async () => {
    throw new Failure(kind, 'Said so.', { code: 'code', next: '', status });
  };
  expect(await verifyEvent(contentOf(paid), fail)).toEqual({ state, reason: 'Said so.' });
});
