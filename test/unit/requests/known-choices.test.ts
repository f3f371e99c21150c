/** What is offered where a record is to be named. */
import { expect, test } from 'vitest';
import type { RememberedRecord } from '../../../src/journal/ledger.ts';
import { knownChoices, refundableChoices } from '../../../src/requests/known-choices.ts';
import type { Session } from '../../../src/requests/session.ts';

const US = { account: 'a1', profile: 'shop', environment: 'sandbox', host: 'gateway.example' };

function seen(id: string, change: Partial<RememberedRecord> = {}): RememberedRecord {
  return {
    ...US,
    kind: 'customer',
    id,
    reference: null,
    name: null,
    lastFour: null,
    amount: null,
    seenBy: 'customer create',
    firstSeenAt: '2026-11-23T10:00:00.000Z',
    lastSeenAt: '2026-11-23T10:00:00.000Z',
    record: { id, first_name: 'Ann', last_name: 'Bee' },
    ...change,
  };
}

const ANN = { id: '071-C-1', first_name: 'Ann', last_name: 'Bee' };
const CALLED = ['071-C-1', 'ANN', 'ann@example.com'];

test('a choice offers records that are not deleted', async () => {
  const remembered = [
    seen('071-C-1', { record: { ...ANN, email: 'ann@example.com', reference: 'ANN' } }),
    seen('071-C-2', { seenBy: 'customer delete' }),
    seen('071-C-4', { seenBy: 'customer get' }),
  ];
  const gateway = { ledger: { remembered: async () => remembered } };
  expect(await knownChoices({ gateway } as unknown as Session, 'customer')).toEqual({
    title: 'Customers known here, latest seen first:',
    listed: [
      { value: '071-C-1', name: '071-C-1', hint: 'Ann Bee, ann@example.com, ANN', aliases: CALLED },
      { value: '071-C-4', name: '071-C-4', hint: 'Ann Bee', aliases: ['071-C-4'] },
    ],
    more: 'More customers: `gw customer list`.',
  });
});

test('the choice for a refund offers purchases with an amount left, and shows it with the customer', async () => {
  const purchase = (id: string, change: Partial<RememberedRecord> = {}) =>
    seen(id, {
      ...{ kind: 'purchase', reference: `INV-${id}`, name: 'Ann Bee', lastFour: '2346' },
      record: { id, successful: true, currency: 'JPY', transaction_date: '2026-03-10T09:30:00Z' },
      ...change,
    });
  const balance = { paid: 2_500, refunded: 0, uncertain: 0 };
  const balances = new Map([
    ['all', balance],
    ['part', { ...balance, refunded: 1_000, uncertain: 500 }],
    ['none', { ...balance, refunded: 2_500 }],
    ['unsure', { ...balance, uncertain: 2_500 }],
    ['declined', balance],
    ['unclear', balance],
    ['bare', balance],
  ]);
  const remembered = [
    ...['all', 'part', 'none', 'unsure', 'unknown'].map((id) => purchase(id)),
    purchase('declined', { record: { id: 'declined', successful: false } }),
    purchase('unclear', { record: { id: 'unclear' } }),
    purchase('bare', {
      ...{ reference: null, name: null, lastFour: null, lastSeenAt: '2026-11-23T09:00:00.000Z' },
      record: { id: 'bare', successful: true },
    }),
    purchase('part', { account: 'a2' }),
  ];
  const offered = (refusesOverRefunds: boolean) =>
    refundableChoices({
      options: { refusesOverRefunds },
      gateway: {
        ledger: {
          remembered: async () => remembered,
          balances: async (ids: readonly string[]) =>
            new Map([...balances].filter(([id]) => ids.includes(id))),
          currencyOf: async () => 'AUD',
        },
      },
    } as unknown as Session);
  expect((await offered(true)).listed).toEqual([
    {
      value: 'all',
      name: 'all',
      hint: '2500 JPY left, Ann Bee, card ending 2346, 2026-03-10, INV-all',
      aliases: ['INV-all'],
    },
    {
      value: 'part',
      name: 'part',
      hint: '1000 JPY left, Ann Bee, card ending 2346, 2026-03-10, INV-part',
      aliases: ['INV-part'],
    },
    { value: 'bare', name: 'bare', hint: '25.00 AUD left, 2026-11-23', aliases: [] },
  ]);
  const all = (await offered(false)).listed.map(({ value }) => value);
  expect(all).toEqual(['all', 'part', 'none', 'unsure', 'bare']);
});
