/** Lists of known things to pick from. */
import { expect, test } from 'vitest';
import { EventFile } from '../../../src/events/store/event-file.ts';
import type { RecordSnapshot } from '../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { knownChoices, refundableChoices } from '../../../src/requests/known-choices.ts';
import type { Session } from '../../../src/requests/session.ts';
import { ledgerPath } from '../../../src/store/paths.ts';
import { createTestHost } from '../../helpers/cli.ts';
import { AT } from '../../helpers/money-request.ts';
import { charged, seen } from '../desk/support.ts';

const PROFILE = { name: 'sandbox', environment: 'sandbox' };
const BALANCE = { paid: 2_500, refunded: 0, uncertain: 0 };

/** A session on a ledger with these records and events. */
async function deskWith(
  records: readonly RecordSnapshot[],
  {
    events = [],
    balances = {},
    refusesOverRefunds = true,
  }: {
    events?: readonly ReturnType<typeof charged>[];
    balances?: Readonly<Record<string, typeof BALANCE>>;
    refusesOverRefunds?: boolean;
  } = {},
) {
  const host = createTestHost();
  const file = ledgerPath(host.files);
  const ledger = await openSqliteLedger(file, host.clock);
  await ledger.remember([...records]);
  await ledger.close();
  const store = new EventFile(file);
  for (const event of events) await store.append(event);
  await store.close();
  const session = {
    profile: PROFILE,
    options: { refusesOverRefunds },
    gateway: {
      ledger: {
        allSeen: async () => {},
        destination: async () => AT,
        balances: async (ids: readonly string[]) =>
          new Map(Object.entries(balances).filter(([id]) => ids.includes(id))),
      },
    },
  } as unknown as Session;
  return { host, session };
}

const ANN = { id: '071-C-1', first_name: 'Ann', last_name: 'Bee' };
const LEE = { id: '071-C-4', first_name: 'Ann', last_name: 'Lee' };
const customer = (record: RecordSnapshot['record'], change: Partial<RecordSnapshot> = {}) =>
  seen('customer', record, { name: `${record.first_name} ${record.last_name}`, ...change });

test('customers are offered that are not known to be deleted', async () => {
  const desk = await deskWith([
    customer({ ...ANN, email: 'ann@example.com', reference: 'ANN' }),
    customer({ ...ANN, id: '071-C-2' }, { seenBy: 'customer delete' }),
    customer(LEE, { seenAt: '2026-03-11T09:30:00.000Z' }),
    customer({ ...ANN, id: '071-C-5' }, { account: 'a2' }),
  ]);
  const { listed } = await knownChoices(desk, 'customer');
  expect(listed).toEqual([
    {
      ...{ value: '071-C-1', name: '071-C-1', hint: 'Ann Bee, ann@example.com, ANN' },
      aliases: ['071-C-1', 'ANN', 'ann@example.com', 'Ann Bee'],
    },
    { value: '071-C-4', name: '071-C-4', hint: 'Ann Lee', aliases: ['071-C-4', 'Ann Lee'] },
  ]);
});

test('a subscription is offered with its customer, plan, price and next date', async () => {
  const plan = { id: '071-PL-1', name: 'Gold', reference: 'GOLD', amount: 1_500, currency: 'AUD' };
  const subscription = (n: number, change: RecordSnapshot['record']) =>
    seen('subscription', {
      ...{ id: `071-S-${n}`, reference: `SUB-${n}`, plan: 'GOLD', customer: ANN.id },
      ...{ is_active: true, next_billing_date: '2026-04-01', ...change },
    });
  const desk = await deskWith([
    customer(ANN),
    seen('plan', plan, { name: 'Gold', amount: 1_500 }),
    subscription(1, { plan: plan.id }),
    subscription(2, { is_active: false }),
    subscription(3, { plan: 'NOSUCH', customer: 'C-9', reference: null, next_billing_date: null }),
  ]);
  const { listed } = await knownChoices(desk, 'subscription', { by: 'reference' });
  expect(listed.map(({ value, hint }) => [value, hint]).toSorted()).toEqual([
    ['071-S-3', undefined],
    ['SUB-1', 'Ann Bee, Gold, 15.00 AUD, next 2026-04-01'],
    ['SUB-2', 'Ann Bee, Gold, 15.00 AUD, stopped'],
  ]);
});

test('the next date follows a later charge that a webhook told of', async () => {
  const dates = { start_date: '2026-03-03', next_billing_date: '2026-03-10', frequency: 'Weekly' };
  const record = { id: '071-S-SUB-7', reference: 'SUB-7', is_active: true, ...dates };
  const charge = { id: '071-P-1', amount: 700, transaction_date: '2026-03-10T23:59:59Z' };
  const desk = await deskWith([seen('subscription', record)], {
    events: [{ ...charged('approved', charge), receivedAt: '2026-03-12T10:00:00.000Z' }],
  });
  const { listed } = await knownChoices(desk, 'subscription');
  expect(listed[0]?.hint).toBe('Li SUB-7, next 2026-03-17, SUB-7');
});

const purchase = (id: string, change: RecordSnapshot['record'] = {}) =>
  seen(
    'purchase',
    {
      ...{ id, amount: 2_500, successful: true, currency: 'JPY', reference: `INV-${id}` },
      ...{ transaction_date: '2026-03-10T09:30:00Z', ...change },
    },
    { name: 'Ann Bee', lastFour: '2346' },
  );

test('purchases are offered for a refund of which something is left, with what it is and whose', async () => {
  const records = [
    ...['all', 'part', 'none', 'unsure'].map((id) => purchase(id)),
    purchase('declined', { successful: false }),
    { ...purchase('others'), account: 'a2' },
  ];
  const balances = {
    all: BALANCE,
    part: { ...BALANCE, refunded: 1_000, uncertain: 500 },
    none: { ...BALANCE, refunded: 2_500 },
    unsure: { ...BALANCE, uncertain: 2_500 },
    declined: BALANCE,
  };
  const desk = await deskWith(records, { balances });
  const { listed } = await refundableChoices(desk);
  expect(listed.toSorted((one, other) => (one.value < other.value ? -1 : 1))).toEqual([
    {
      ...{ value: 'all', name: 'all', aliases: ['INV-all'] },
      hint: '2500 JPY left, Ann Bee, card ending 2346, 2026-03-10, INV-all',
    },
    {
      ...{ value: 'part', name: 'part', aliases: ['INV-part'] },
      hint: '1000 JPY left, Ann Bee, card ending 2346, 2026-03-10, INV-part',
    },
  ]);
  const every = await refundableChoices(
    await deskWith(records, { balances, refusesOverRefunds: false }),
  );
  expect(every.listed.map(({ value }) => value).toSorted()).toEqual([
    ...['all', 'none', 'part', 'unsure'],
  ]);
});

test('a charge that only a webhook told of is offered, and what is left of it is not claimed', async () => {
  const told = { id: '071-P-1', amount: 1_490, currency: 'AUD', transaction_date: '2026-03-11' };
  const desk = await deskWith([purchase('seen')], {
    balances: { seen: BALANCE },
    events: [charged('approved', told), charged('declined', { ...told, id: '071-P-2' })],
  });
  const { listed } = await refundableChoices(desk);
  expect(listed[0]).toEqual({
    ...{ value: '071-P-1', name: '071-P-1' },
    hint: '14.90 AUD charged, Li SUB-7, 2026-03-11, SUB-7',
    // SUB-7 names each of its charges.
    aliases: [],
  });
  expect(listed.map(({ value }) => value)).toEqual(['071-P-1', 'seen']);
});
