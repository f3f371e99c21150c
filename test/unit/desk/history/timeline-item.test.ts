/** The words of an item of a timeline. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { itemView } from '../../../../src/desk/history/timeline-item.ts';
import { renderTable } from '../../../../src/view/formats/table.ts';
import type { Item } from '../../../../src/view/panels/ties.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';

function itemOf(what: Item['what'], change: Partial<Item> = {}): Item {
  return {
    ...{ what, at: '2026-04-01T09:00:00Z', outcome: 'approved', id: null, retry: 1 },
    ...{
      amount: 500,
      currency: 'AUD',
      reference: null,
      who: null,
      lastFour: null,
      endsOn: null,
      message: null,
    },
    ...{
      label: null,
      operator: null,
      note: null,
      purchase: '071-P-1',
      customer: null,
      subscription: 'SUB-7',
    },
    ...{ account: null, host: null, email: null, token: null },
    ...{ plan: null, profile: null, environment: null, seenAt: '2026-04-01T09:00:00Z' },
    ...{
      isMoney: true,
      isRefund: what === 'refund',
      counts: undefined,
      hearsay: false,
      sources: [],
      ...change,
    },
  };
}

function said(what: Item['what'], change?: Partial<Item>) {
  const item = itemOf(what, change);
  return itemView([item], '').record(item).text;
}

test.each([
  ['retry', 'First retry of SUB-7 approved'],
  ['charge', 'Charge of SUB-7 approved'],
  ['refund', 'Refund of 071-P-1 approved'],
] as const)('an item that is %s is described in words', (what, text) => {
  expect(said(what)).toBe(text);
});

test('a void is shown as voided, not as declined', () => {
  const change = { outcome: 'declined', message: 'Voided' } as const;
  expect(said('refund', change)).toBe('Refund of 071-P-1 voided');
});

test('80 columns show no source in place of what happened', async () => {
  const sources = [{ kind: 'event', id: '120' }] as const;
  const item = itemOf('charge', {
    id: '071-P-IAZCRFAK',
    reference: 'SUB-7',
    sources: [...sources],
  });
  const view = itemView([item], 'ada');
  const style = {
    columns: 80,
    color: false,
    zone: openTimeZone('UTC'),
    measure: await loadMeasure(),
  };
  const shown = await renderTable([view.record(item)], view.columns, style);
  expect(shown?.text).toMatch(
    /^TIME +WHAT +AMOUNT +REFERENCE +ID\n.* {2}Charge of SUB-7 approved {2}/,
  );
});

test('80 columns show the reference, the id and who sent it', async () => {
  const named = { id: '071-P-IAZCRFAK', reference: 'WEB-3004', operator: 'root@vm', amount: 2_500 };
  const items = [itemOf('purchase', named), itemOf('refund', { ...named, purchase: named.id })];
  const view = itemView(items, 'ada');
  const style = {
    columns: 80,
    color: false,
    zone: openTimeZone('UTC'),
    measure: await loadMeasure(),
  };
  const shown = await renderTable(items.map(view.record), view.columns, style);
  expect(shown?.text).toMatchInlineSnapshot(`
    "TIME              WHAT               AMOUNT  REFERENCE  ID              SENT BY
    2026-04-01 09:00  Purchase        25.00 AUD  WEB-3004   071-P-IAZCRFAK  root@vm
                      approved
    2026-04-01 09:00  Refund of       25.00 AUD  WEB-3004   071-P-IAZCRFAK  root@vm
                      071-P-IAZCRFAK
                      approved
    "
  `);
});

test.each([
  [{ outcome: 'stopped' }, 'Subscription SUB-7 starts: Monthly (now stopped)'],
  [
    { outcome: 'active', message: 'Successful' },
    'Subscription SUB-7 starts: Monthly (now active, Successful)',
  ],
  [{ outcome: null }, 'Subscription SUB-7 starts: Monthly'],
] as const)(
  'a subscription begins on its first day, and its state is that of now: %j',
  (change, text) => {
    expect(said('subscription', { ...change, label: 'Monthly', isMoney: false })).toBe(text);
  },
);
