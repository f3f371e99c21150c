/** The panel of one record. */
import { expect, test } from 'vitest';
import { panelAlone, panelContent } from '../../../../src/view/panels/panel-of.ts';
import type { Item, ShownTies } from '../../../../src/view/panels/ties.ts';

const SALE = {
  id: '071-P-1',
  amount: 2500,
  currency: 'AUD',
  successful: true,
  message: 'Approved',
};
const headOf = (change: object) => panelAlone('purchase', { ...SALE, ...change }, new Date(0)).head;

test('a card says how much of a purchase was captured', () => {
  expect(headOf({})).toBe('Approved  25.00 AUD');
  expect(headOf({ captured: true, captured_amount: 2500 })).toBe('Approved  25.00 AUD');
  expect(headOf({ captured: true, captured_amount: 1000 })).toBe(
    'Approved  10.00 AUD of 25.00 AUD',
  );
  expect(headOf({ captured: false, captured_amount: 0 })).toBe('Authorised  25.00 AUD');
  expect(headOf({ captured_amount: 0, message: 'Voided' })).toBe('VOIDED  25.00 AUD');
});

test.each([
  ['paid', {}, 600, '6.00 AUD refunded, 19.00 AUD left, as far as gw knows'],
  ['captured in part', { captured: true, captured_amount: 1000 }, 600, '4.00 AUD left'],
  ['only authorised', { captured: false, captured_amount: 0 }, 600, '0.00 AUD left'],
  ['refunded more than was paid', {}, 2600, '26.00 AUD refunded, 0.00 AUD left'],
])(
  'a panel says what is left of a purchase that was %s, as the guard does',
  (_, change, refunded, text) => {
    const refund = {
      ...{ isRefund: true, counts: 'refunds', amount: -refunded, currency: 'AUD', sources: [] },
      ...{
        at: '2026-02-01T00:00:00.000Z',
        seenAt: '2026-02-01T00:00:00.000Z',
        outcome: 'approved',
      },
    };
    const ties = { items: [refund as unknown as Item], subscriptions: [], sums: [] };
    const { rows } = panelContent('purchase', {
      record: { ...SALE, ...change },
      ties: ties as unknown as ShownTies,
      moment: { since: '2026-03-01T00:00:00.000Z', now: new Date(0), today: '2026-03-01' },
    });
    expect(rows?.find((row) => 'label' in row && row.label === 'refunds')?.text).toContain(text);
  },
);
