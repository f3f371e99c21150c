/** Hard cases of several sources of one thing. */
import { expect, test } from 'vitest';
import { learnAllDue, learnDue, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { runSql, type Work } from '../../../src/store/sql.ts';
import type { Thing, ThingKind } from '../../../src/things/thing.ts';
import { contradict, putEntry, putEvent, putRecord, removeSource } from './sources.ts';
import { sqliteIndex } from './sqlite-index.ts';

const OWNER = { account: 'a1', profile: 'shop', environment: 'live' };
const AT = '2026-03-02T00:00:00.000Z';
const SEEN = { ...OWNER, last_seen_at: AT };

const { store, things } = sqliteIndex();

/** Writes the sources one after the other, and learns after each. */
async function given(...steps: (() => Work<void>)[]): Promise<void> {
  await store.write(function* () {
    for (const table of ['events', 'records', 'money_requests', 'profile_uses'])
      yield* runSql(`DELETE FROM gw.${table}`);
  });
  await rebuildIndex(store);
  await then(...steps);
}

async function then(...steps: (() => Work<void>)[]): Promise<void> {
  for (const step of steps) {
    await store.write(step);
    await learnAllDue(store);
  }
}

const rowsOf = (...kinds: ThingKind[]): Promise<Thing[]> => things.search({ kinds, limit: 20 });
const idsOf = async (...kinds: ThingKind[]) =>
  (await rowsOf(...kinds)).map(({ kind, id }) => `${kind} ${id}`).toSorted();

const purchase = (change: object = {}) => ({
  ...{ id: '071-P-1', amount: 300, currency: 'AUD', successful: true, message: 'Approved' },
  ...{ source: 'Recurring', transaction_date: '2026-03-01T00:00:00.000Z', ...change },
});
const customer = (change: object = {}) => ({
  ...{ id: '071-C-1', reference: 'C-1', first_name: 'Ada', last_name: 'Byron', ...change },
});
interface Charge {
  event?: string;
  /** Fields of the subscription, the customer and the purchase. */
  of?: object;
  by?: object;
  purchase?: object;
}
const charge = (id: number, { event, of, by = customer(), purchase: change }: Charge = {}) =>
  delivered(id, {
    event: event ?? 'charge:successful',
    payload: [
      {
        subscription: {
          id: '071-S-1',
          reference: 'SUB-1',
          frequency: 'Daily',
          customer: by,
          ...of,
        },
        response: { successful: true, response: purchase(change) },
      },
    ],
  });
const delivered =
  (id: number, body: object, mode: string | null = 'Live') =>
  () =>
    putEvent({ id, body, receivedAt: `2026-03-02T00:00:0${id}.000Z`, profile: 'shop', mode });
const record =
  (
    kind: string,
    of: { id: string; reference?: string; [name: string]: unknown },
    row: object = {},
  ) =>
  () =>
    putRecord({
      ...{ ...SEEN, kind, id: of.id, reference: of.reference ?? null },
      ...{ record: JSON.stringify(of), ...row },
    });
const entry =
  (state: string, record_id: string | null, row: object = {}) =>
  () =>
    putEntry({
      ...{ ...OWNER, id: 'e1', operation: 'purchase create', state, record_id },
      ...{ amount: 300, currency: 'AUD', ...row },
    });

test('an event with the id of a purchase is that purchase', async () => {
  await given(record('purchase', purchase()), charge(1));
  expect(await rowsOf('purchase')).toMatchObject([
    { id: '071-P-1', told: 'record', who: 'Ada Byron' },
  ]);
  expect(await idsOf()).toEqual(['customer 071-C-1', 'purchase 071-P-1', 'subscription 071-S-1']);
});

test('of money a record is believed before an event, and an event before a request', async () => {
  const told = async () =>
    (await rowsOf('purchase')).map(({ amount, currency }) => [amount, currency]);
  await given(entry('done', '071-P-1', { amount: 300, currency: 'AUD' }));
  expect(await told()).toEqual([[300, 'AUD']]);
  await then(charge(1, { purchase: { amount: 400, currency: null } }));
  expect(await told()).toEqual([[400, 'AUD']]);
  await then(record('purchase', purchase({ amount: 500, currency: 'JPY' })));
  expect(await told()).toEqual([[500, 'JPY']]);
});

test('a charge without an id is a row of its own', async () => {
  const without = { event: 'charge:failed', purchase: { id: undefined, successful: false } };
  await given(charge(1, without), charge(2, without));
  expect(await idsOf('event', 'purchase')).toEqual(['event 1', 'event 2']);
});

test('a request without an outcome has a row until it is resolved', async () => {
  await given(entry('unknown', null), record('purchase', purchase()));
  expect(await idsOf()).toEqual(['purchase 071-P-1', 'request e1']);
  await then(entry('done', '071-P-1'));
  expect(await rowsOf()).toMatchObject([{ id: '071-P-1', operator: 'ada@desk' }]);
  await then(entry('not-done', null));
  expect(await rowsOf()).toMatchObject([{ kind: 'request' }, { id: '071-P-1', operator: null }]);
});

test('a search for a name finds what has it as its own before what belongs to it', async () => {
  await given(
    record('subscription', { id: '071-S-1', reference: 'SUB-1', start_date: '2024-01-01' }),
    charge(1),
    charge(2, { purchase: { id: '071-P-2' } }),
    record('refund', { id: '071-R-1', transaction_date: '2026-04-01' }),
    entry('done', '071-R-1', { operation: 'refund create', refund_of: '071-P-1' }),
  );
  const first = async (text: string) =>
    (await things.search({ text, limit: 2 })).map(({ id }) => id)[0];
  expect(await first('sub-1')).toBe('071-S-1');
  expect(await first('071-S-1')).toBe('071-S-1');
  expect(await first('071-p-1')).toBe('071-P-1');
});

test('a declined request without a record is of the day of the gateway', async () => {
  const day = '2026-02-03T10:00:00+11:00';
  await given(
    entry('declined', null, { transaction_date: day }),
    entry('declined', null, { id: 'e2' }),
  );
  expect((await rowsOf('request')).map(({ at }) => at)).toEqual([
    expect.stringMatching(/^2026-03/),
    day,
  ]);
});

test('a request for a refund has the sign of a refund', async () => {
  const refund = { operation: 'refund create', refund_of: '071-P-1', amount: 300 };
  await given(entry('unknown', null, refund));
  expect(await rowsOf('request')).toMatchObject([{ amount: -300, purchase: '071-P-1' }]);
});

test('an event that is contradicted afterwards tells of itself alone', async () => {
  await given(charge(1), charge(2, { purchase: { id: '071-P-2', amount: 700 } }), () =>
    contradict(2),
  );
  expect(await rowsOf('event', 'purchase')).toMatchObject([
    { kind: 'event', outcome: 'contradicted', amount: 700 },
    { kind: 'purchase', id: '071-P-1' },
  ]);
  const [subscription] = await rowsOf('subscription');
  expect(subscription?.sources).toMatchObject({ events: [1], event: { event: 1 } });
});

test('a subscription outlives the event that decided its row, whichever source is learnt first', async () => {
  const plan = (amount: number) => record('plan', { id: '071-PL-1', amount });
  const paid = (id: number, day: string) => {
    const made = { id: `071-P-${id}`, transaction_date: `2026-03-0${day}T00:00:00.000Z` };
    return charge(id, { of: { plan: '071-PL-1' }, purchase: made });
  };
  // The first event is of the latest charge, and decides alone.
  await given(plan(300), paid(1, '3'), paid(2, '2'));
  await store.write(plan(400));
  await store.write(() => contradict(1));
  // The plan alone, which the row shows.
  await store.write(() => learnDue(1));
  await learnAllDue(store);
  const [subscription] = await rowsOf('subscription');
  expect(subscription?.sources).toMatchObject({ events: [2], event: { event: 2 } });
});

test('an event without ids tells of the charge alone, and references tie it', async () => {
  const byReference = { of: { id: undefined }, by: customer({ id: undefined }) };
  await given(charge(1, byReference), record('customer', { id: '071-C-1', reference: 'C-1' }));
  expect(await idsOf()).toEqual(['customer 071-C-1', 'purchase 071-P-1']);
  const seen = { id: '071-S-1', reference: 'SUB-1', customer: 'C-1' };
  await then(record('subscription', seen, { name: 'Grace Hopper' }));
  expect(await rowsOf('purchase')).toMatchObject([{ customer: '071-C-1', subscription: 'SUB-1' }]);
  await then(record('customer', { id: '071-C-1', reference: 'C-9' }));
  expect(await rowsOf('subscription')).toMatchObject([{ customer: 'C-1' }]);
});

test('what webhooks alone tell of is as old as the first, and has the latest status', async () => {
  // The last delivery is late: by the gateway's date, the third charge is the newest.
  const days = ['2026-01-05', '2026-02-05', '2026-04-05', '2026-03-05'];
  const on = (n: number, last_status?: string) =>
    charge(n, {
      purchase: { id: `071-P-${n}`, transaction_date: `${days[n - 1]}T00:00:00.000Z` },
      of: { last_status },
    });
  const shown = async () => (await rowsOf('subscription'))[0];
  await given(on(1), on(3, 'Failed (1), Pending'), on(4), on(2));
  expect(await rowsOf('customer')).toMatchObject([{ at: '2026-01-05T00:00:00.000Z' }]);
  expect(await shown()).toMatchObject({
    at: '2026-01-05T00:00:00.000Z',
    message: 'Failed (1), Pending',
    sources: { events: [1, 2, 3, 4] },
  });
  await then(() => removeSource({ kind: 'event', account: null, id: '1' }));
  expect(await shown()).toMatchObject({
    at: '2026-02-05T00:00:00.000Z',
    message: 'Failed (1), Pending',
    sources: { events: [2, 3, 4] },
  });
});

test('a subscription is as old as its first day, and the ledger as the first payment', async () => {
  const begun = { start_date: '2025-03-17' };
  await given(
    charge(1, { of: begun }),
    record('customer', { id: '071-C-1', created_at: '2024-01-01' }),
  );
  const date = async () => (await rowsOf('subscription')).map(({ at }) => at);
  expect(await date()).toEqual(['2025-03-17']);
  const seen = { id: '071-S-1', reference: 'SUB-1', start_date: '2025-02-17' };
  await then(record('subscription', seen, { last_seen_at: '2026-03-03T00:00:00.000Z' }));
  expect(await date()).toEqual(['2025-02-17']);
  expect(await things.sources()).toMatchObject({
    kinds: { customer: 1, purchase: 1, subscription: 1 },
    oldest: '2026-03-01T00:00:00.000Z',
  });
});

test('a record without a date of its own is as old as the first event of it', async () => {
  const later = '2026-05-01T00:00:00.000Z';
  const looked = (of: object) =>
    record(
      'subscription',
      { id: '071-S-1', reference: 'SUB-1', ...of },
      { first_seen_at: later, last_seen_at: later },
    );
  const date = async () => (await rowsOf('subscription')).map(({ at }) => at.slice(0, 10));
  await given(looked({}));
  expect(await date()).toEqual(['2026-05-01']);
  await then(charge(1));
  expect(await date()).toEqual(['2026-03-01']);
  await then(looked({ created_at: '2026-02-01' }));
  expect(await date()).toEqual(['2026-02-01']);
});

test('events belong to the account that their profile uses, in the same environment', async () => {
  const live = {
    event: 'charge:successful',
    payload: [{ subscription: { id: '071-S-1' }, response: { response: purchase() } }],
  };
  await given(delivered(1, live, 'Live'), delivered(2, live, 'Sandbox'));
  expect((await rowsOf('purchase')).map(({ account }) => account)).toEqual([null, null]);
  await then(record('plan', { id: '071-PL-1' }));
  expect(
    (await rowsOf('purchase')).map(({ account, environment }) => [account, environment]),
  ).toEqual(
    expect.arrayContaining([
      ['a1', 'live'],
      [null, 'Sandbox'],
    ]),
  );
  await then(
    record('plan', { id: '071-PL-2' }, { account: 'a2', last_seen_at: '2026-03-03T00:00:00.000Z' }),
  );
  expect((await rowsOf('purchase')).map(({ account }) => account).toSorted()).toEqual(['a2', null]);
});

test('a row whose date changes is found by its new date alone', async () => {
  await given(entry('done', '071-P-1', { created_at: '2026-02-27T00:00:00.000Z' }), charge(1));
  const of = (day: string, next: string) =>
    things.search({ kinds: ['purchase'], since: day, until: next, limit: 9 });
  expect(await of('2026-02-27', '2026-02-28')).toEqual([]);
  expect(await of('2026-03-01', '2026-03-02')).toHaveLength(1);
});

test('a subscription shows its own customer, while one of the same id changes in another environment', async () => {
  const card = { event: 'card:expiring', payload: [customer({ first_name: 'Zoe' })] };
  await given(
    record('customer', { id: '071-C-1' }, { name: 'Ada Byron' }),
    delivered(1, card, 'Sandbox'),
  );
  await then(function* () {
    yield* delivered(1, { event: 'other', payload: [] }, 'Sandbox')();
    yield* record('subscription', { id: '071-S-1', customer: '071-C-1' })();
  });
  expect(await rowsOf('subscription')).toMatchObject([{ who: 'Ada Byron' }]);
});

test('somebody whose two names are the same keeps both', async () => {
  await given(charge(1, { by: customer({ first_name: 'Ali', last_name: 'Ali' }) }));
  expect(await rowsOf('purchase')).toMatchObject([{ who: 'Ali Ali' }]);
});

test('a new name or email finds what was paid and refunded under the old one, which stays', async () => {
  const ada = (name: string, email: string, last_seen_at = AT) =>
    record('customer', { id: '071-C-1', email }, { name, last_seen_at });
  await given(
    record('subscription', { id: '071-S-1', reference: 'SUB-1', customer: '071-C-1' }),
    ada('Ada Byron', 'byron@example.com'),
    charge(1, { by: customer({ email: 'byron@example.com' }) }),
    entry('done', '071-R-1', { operation: 'refund create', refund_of: '071-P-1' }),
    ada('Ada King', 'king@example.com', '2026-03-03T00:00:00.000Z'),
  );
  const found = async (text: string, ...kinds: ThingKind[]) =>
    (await things.search({ text, kinds, limit: 9 })).map(({ id, who }) => [id, who]);
  const paid = [['071-P-1', 'Ada Byron']];
  for (const text of ['ada king', 'king 3.00', 'king@example.com', 'king@'])
    expect(await found(text, 'purchase')).toEqual(paid);
  expect(await found('ada byron', 'purchase')).toEqual(paid);
  expect(await found('ada king', 'refund')).toEqual([['071-R-1', 'Ada Byron']]);
});

test('a subscription shows its customer and its plan, and a charge who is charged', async () => {
  await given(
    record('subscription', {
      id: '071-S-1',
      reference: 'SUB-1',
      customer: 'C-1',
      plan: 'GOLD',
    }),
    charge(1, { by: {} }),
    record('plan', { id: '071-PL-1', reference: 'GOLD', amount: 2_900, currency: 'AUD' }),
    record('customer', { id: '071-C-1', reference: 'C-1' }, { name: 'Grace Hopper' }),
  );
  expect(await rowsOf('subscription')).toMatchObject([
    { who: 'Grace Hopper', amount: 2_900, currency: 'AUD' },
  ]);
  expect(await rowsOf('purchase')).toMatchObject([{ who: 'Grace Hopper', amount: 300 }]);
  await then(() => removeSource({ kind: 'customer', account: 'a1', id: '071-C-1' }));
  expect(await rowsOf('purchase')).toMatchObject([{ who: null }]);
});

test('a payment by token belongs to the customer who has the card, as long as nobody else has it', async () => {
  const token = { card_token: 'tok' };
  const ada = { id: '071-C-1', reference: 'C-1', email: 'ada@example.org', ...token };
  const declined = { operation: 'purchase create', body: JSON.stringify(token) };
  await given(
    record('purchase', purchase({ source: null, ...token }), { name: 'A Byron' }),
    entry('declined', null, declined),
    record('customer', ada, { name: 'Ada Byron' }),
  );
  const payers = async () =>
    (await rowsOf('purchase', 'request')).map(({ who, email, customer }) => [who, email, customer]);
  const whole = ['Ada Byron', 'ada@example.org', '071-C-1'];
  expect(await payers()).toEqual([whole, whole]);
  const found = await things.search({ text: 'ada@example.org', limit: 9 });
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['customer', 'purchase', 'request']);
  await then(record('customer', { id: '071-C-2', ...token }, { name: 'Grace Hopper' }));
  expect(await payers()).toEqual([
    [null, null, null],
    ['A Byron', null, null],
  ]);
});

test("a payment with an earlier card stays the customer's, as long as nobody else has or had that card", async () => {
  const renewed = (formerToken: string) =>
    JSON.stringify([
      { at: AT, what: 'renewed', fields: [], operator: '', formerToken, note: null },
    ]);
  const ada = { id: '071-C-1', reference: 'C-1', email: 'ada@example.org' };
  await given(
    record('purchase', purchase({ source: null, card_token: 'old' }), { name: 'A Byron' }),
    record('refund', { id: '071-R-1', transaction_date: '2026-04-01' }),
    entry('done', '071-R-1', { operation: 'refund create', refund_of: '071-P-1' }),
    record('customer', { ...ada, card_token: 'old' }),
    record('customer', { ...ada, card_token: 'new' }, { deeds: renewed('old') }),
    record('purchase', purchase({ id: '071-P-2', source: null, card_token: 'old' })),
  );
  const payers = async () => (await rowsOf('purchase', 'refund')).map(({ customer }) => customer);
  expect(await payers()).toEqual(['071-C-1', '071-C-1', '071-C-1']);
  await rebuildIndex(store);
  await learnAllDue(store);
  expect(await payers()).toEqual(['071-C-1', '071-C-1', '071-C-1']);
  await then(record('customer', { id: '071-C-2', card_token: 'other' }, { deeds: renewed('old') }));
  expect(await payers()).toEqual([null, null, null]);
  await then(record('customer', { id: '071-C-2', card_token: 'other' }));
  expect(await payers()).toEqual(['071-C-1', '071-C-1', '071-C-1']);
  await then(record('customer', { id: '071-C-2', card_token: 'old' }));
  expect(await payers()).toEqual([null, null, null]);
});
