/** Which subscriptions are at risk, by what is known of them. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { riskOf, worstFirst } from '../../../../src/desk/report/at-risk.ts';
import { knownSubscriptions } from '../../../../src/desk/report/known-subscriptions.ts';
import type { AtRisk, KnownSubscription } from '../../../../src/desk/report/report-view.ts';
import { newEvent } from '../../events/support.ts';
import { charged, type OpenDesk, openDesk, purchase, SCOPE, seen } from '../support.ts';

const TODAY = '2026-03-11';

const SUBSCRIPTION = {
  id: '071-S-SUB-7',
  reference: 'SUB-7',
  customer: '071-C-SUB-7',
  plan: 'GOLD',
  frequency: 'Weekly',
  start_date: '2026-03-03',
  end_date: null,
  next_billing_date: '2026-03-17',
  last_status: 'Successful',
  is_active: true,
};
const CUSTOMER = {
  id: '071-C-SUB-7',
  reference: 'ada',
  email: 'ada@example.org',
  card_token: 'tok',
};
const PLAN = { id: '071-PL-1', reference: 'GOLD', amount: 1_500, currency: 'AUD' };
const CARD = { token: 'tok', card_expiry: '05/2031' };

async function known(desk: OpenDesk): Promise<KnownSubscription[]> {
  const { things } = desk.ledger;
  return knownSubscriptions({ things, scope: SCOPE }, TODAY);
}

/** A desk that has looked at everything of one subscription, with changes. */
async function deskWith(change: object = {}, card: object = {}): Promise<OpenDesk> {
  const desk = await openDesk();
  const seenAt = '2026-03-11T00:00:00.000Z';
  await desk.ledger.remember([
    seen('subscription', { ...SUBSCRIPTION, ...change }, { seenAt }),
    seen('customer', CUSTOMER, { name: 'Ada Byron', seenAt }),
    seen('plan', PLAN, { seenAt }),
    seen('card', { ...CARD, ...card }, { id: 'tok', seenAt }),
  ]);
  return desk;
}

const riskIn = async (desk: OpenDesk) => {
  const [one] = await known(desk);
  return one && riskOf(one, TODAY);
};

const later = { receivedAt: '2026-03-11T23:00:00.000Z' };
const earlier = { receivedAt: '2026-03-10T23:00:00.000Z' };

test('a healthy subscription is known with its customer, money and card, and not at risk', async () => {
  const desk = await deskWith();
  expect(await known(desk)).toMatchObject([
    {
      name: 'SUB-7',
      who: 'Ada Byron',
      email: 'ada@example.org',
      amount: 1_500,
      currency: 'AUD',
      next: '2026-03-17',
      cardExpiry: '2031-05',
      source: 'record',
    },
  ]);
  expect(await riskIn(desk)).toBeUndefined();
});

test.each([
  ['retrying', { last_status: 'Failed (2), Pending' }, {}, 'retry 2 of 3', '2026-03-12'],
  ['aborted', { last_status: 'Failed (3), Aborted' }, {}, 'given up', '2026-03-17'],
  ['card expires', {}, { card_expiry: '03/2026' }, 'ends 2026-03', '2026-03-17'],
  [
    'card expires',
    { next_billing_date: '2026-04-07' },
    { card_expiry: '03/2026' },
    'ends 2026-03, before that',
    '2026-04-07',
  ],
  ['card expired', {}, { card_expiry: '02/2026' }, 'ended 2026-02', '2026-03-17'],
] as const)('it is %s with %j and %j', async (risk, change, card, why, nextDate) => {
  expect(await riskIn(await deskWith(change, card))).toMatchObject({ risk, why, nextDate });
});

test.each([
  ['2026-03-11T01:00:00.000Z', false],
  ['2026-03-10T01:00:00.000Z', true],
])('a subscription of a customer who was deleted at %s is billed: %j', async (seenAt, isActive) => {
  const desk = await deskWith({ next_billing_date: '2026-03-10' });
  await desk.ledger.remember([seen('customer', CUSTOMER, { seenAt, seenBy: 'customer delete' })]);
  const [one] = await known(desk);
  expect(one).toMatchObject({ isActive, next: isActive ? '2026-03-17' : '2026-03-10' });
});

test('one that was stopped is not at risk, also if its card has expired', async () => {
  const desk = await deskWith({ is_active: false, last_status: 'Failed (1), Aborted' });
  expect(await riskIn(desk)).toBeUndefined();
  const customer = { id: '071-C-SUB-7', email: 'ada@example.org' };
  const body = { event: 'card:expired', payload: [customer] };
  const told = { profile: 'sandbox', ...earlier };
  await desk.events.append(newEvent(body, told));
  expect(await known(desk)).toMatchObject([{ hasExpiredCard: false }]);
  await desk.events.append(newEvent(body, { ...told, authentication: 'basic' }));
  expect(await known(desk)).toMatchObject([{ hasExpiredCard: true }]);
  expect(await riskIn(desk)).toBeUndefined();
});

const NOTICE_AT = '2026-03-10T23:00:00.000Z';
const changedCard = (record: JsonObject, at = '2026-03-11T01:00:00.000Z', since = at) => {
  const deed = { at, what: 'changed', fields: ['card'], operator: 'ada', note: null } as const;
  return { ...deed, card: { since, record } };
};

test.each([
  ['its expiry', CUSTOMER, { card_expiry: '05/2032' }, true],
  [
    'a new card',
    { ...CUSTOMER, card_token: 'new' },
    { card_number: '400555XXXXXX0001', card_expiry: '07/2031', card_token: 'new' },
    true,
  ],
  [
    'a new card whose token is not known',
    { ...CUSTOMER, card_token: null },
    { card_number: '400555XXXXXX0001', card_expiry: '07/2031' },
    true,
  ],
  ['the holder alone', CUSTOMER, { card_holder: 'Grace' }, false],
  [
    'an expiry before the notice',
    CUSTOMER,
    { card_expiry: '05/2032' },
    false,
    '2026-03-01T00:00:00.000Z',
  ],
] as const)(
  'after a change of %s, an old notice and the old expiry do not count: %#',
  async (_, customer, card, isOver, at?: string) => {
    const desk = await deskWith({ is_active: false }, { card_expiry: '02/2026' });
    const body = { event: 'card:expired', payload: [{ id: CUSTOMER.id, email: CUSTOMER.email }] };
    const told = { profile: 'sandbox', authentication: 'basic', receivedAt: NOTICE_AT } as const;
    await desk.events.append(newEvent(body, told));
    expect(await known(desk)).toMatchObject([{ hasExpiredCard: true }]);
    await desk.ledger.remember([
      seen('customer', customer as JsonObject, {
        seenBy: 'customer update',
        deed: changedCard(card as JsonObject, at),
      }),
    ]);
    const [one] = await known(desk);
    expect(one?.hasExpiredCard).toBe(!isOver);
    if (isOver) expect(one?.cardExpiry).toBe(card.card_expiry.split('/').toReversed().join('-'));
    const [row] = await desk.ledger.things.tied([CUSTOMER.id], { kinds: ['customer'], limit: 1 });
    expect(row?.outcome).toBe(isOver ? null : 'expired');
  },
);

test.each([
  ['before the change', '2026-03-10T12:00:00Z', '2032-05'],
  ['after it', '2026-03-11T12:00:00Z', '2031-01'],
])('a charge %s, of which gw learns later, has the expiry of that day', async (_, date, expiry) => {
  const desk = await deskWith();
  await desk.ledger.remember([
    seen('customer', CUSTOMER, {
      deed: changedCard({ card_expiry: '05/2032' }, undefined, '2026-03-11T00:00:00.000Z'),
    }),
    seen(
      'purchase',
      purchase('071-P-9', {
        source: 'Recurring',
        reference: 'SUB-7',
        card_token: 'tok',
        card_expiry: '01/2031',
        transaction_date: date,
      }),
    ),
  ]);
  expect(await known(desk)).toMatchObject([{ cardExpiry: expiry }]);
});

test('a card that was replaced elsewhere since has no expiry that was sent from here', async () => {
  const desk = await deskWith();
  const deed = changedCard({ card_expiry: '05/2032', card_token: 'tok' });
  await desk.ledger.remember([seen('customer', { ...CUSTOMER, card_token: 'other' }, { deed })]);
  expect(await known(desk)).toMatchObject([{ cardExpiry: null }]);
});

test('the newer source decides: an event counts after the record, and not before', async () => {
  const record = purchase('071-P-9', { message: 'Declined', card_token: 'tok' });
  const told = await deskWith();
  await told.events.append(charged('declined', record, later as object));
  expect(await riskIn(told)).toMatchObject({ risk: 'retrying', nextDate: '2026-03-11' });
  const old = await deskWith();
  await old.events.append(charged('declined', record, earlier as object));
  expect(await riskIn(old)).toBeUndefined();
});

test('a subscription that only events told of is known by them; what they lack is null', async () => {
  const desk = await openDesk();
  const record = purchase('071-P-9', { amount: 301, message: 'Declined', card_expiry: '2026-03' });
  await desk.events.append(charged('declined', record, earlier as object));
  const [one] = await known(desk);
  expect(one).toMatchObject({
    ...{ name: 'SUB-7', who: 'Li SUB-7', email: null, plan: null, amount: 301, currency: 'AUD' },
    ...{ frequency: 'Weekly', next: '2026-03-17', cardExpiry: '2026-03', source: 'event' },
    retry: { number: 1, date: '2026-03-11' },
  });
});

test('a card that was charged often does not hide the expiry of another', async () => {
  const desk = await openDesk();
  const paid = (day: string, n: number, card: object) =>
    seen('purchase', purchase(`071-P-${n}`, { transaction_date: `${day}T12:00:00Z`, ...card }));
  const often = Array.from({ length: 50 }, (_, n) =>
    paid('2026-03-10', n, { card_token: 'often' }),
  );
  await desk.ledger.remember([
    ...['often', 'once'].flatMap((token) => [
      seen('subscription', {
        ...SUBSCRIPTION,
        id: `071-S-${token}`,
        reference: token,
        customer: token,
      }),
      seen('customer', { ...CUSTOMER, id: `071-C-${token}`, reference: token, card_token: token }),
    ]),
    ...often,
    paid('2025-03-10', 99, { card_token: 'once', card_expiry: '03/2026' }),
  ]);
  const expiries = (await known(desk)).map(({ name, cardExpiry }) => [name, cardExpiry]);
  expect(expiries.toSorted()).toEqual([
    ['often', null],
    ['once', '2026-03'],
  ]);
});

test('nothing is guessed where no plan and no charge are known', async () => {
  const desk = await openDesk();
  await desk.ledger.remember([
    seen('subscription', {
      ...SUBSCRIPTION,
      frequency: 'Hourly',
      last_status: 'Failed (3), Aborted',
    }),
  ]);
  expect(await riskIn(desk)).toMatchObject({
    ...{ amount: null, currency: null, cardExpiry: null, who: null, frequency: null },
  });
});

test('subscriptions of other accounts are not known', async () => {
  const desk = await openDesk();
  await desk.ledger.remember([seen('subscription', SUBSCRIPTION, { account: 'a2' })]);
  await desk.events.append(
    charged('approved', purchase('071-P-9'), { profile: 'shop-2' } as object),
  );
  expect(await known(desk)).toEqual([]);
});

test('the worst comes first, and of the same kind the larger amount', () => {
  const one = (risk: AtRisk['risk'], amount: number | null, retry = 0, currency = 'AUD') =>
    ({
      risk,
      amount,
      currency,
      retry: retry === 0 ? null : { number: retry },
      nextDate: null,
      name: '',
    }) as AtRisk;
  const sorted = [
    one('card expires', 9_000),
    one('card expires', 90_000, 0, 'JPY'),
    one('card expires', 100),
    one('retrying', 9_000, 1),
    one('retrying', 100, 3),
    one('aborted', null),
    one('aborted', 100),
    one('card expired', 1),
  ].sort(worstFirst);
  expect(sorted.map(({ risk, amount }) => `${risk} ${amount}`)).toEqual([
    'aborted 100',
    'aborted null',
    'card expired 1',
    'retrying 100',
    'retrying 9000',
    'card expires 9000',
    'card expires 100',
    'card expires 90000',
  ]);
});
