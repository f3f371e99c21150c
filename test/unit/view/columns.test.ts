import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { openTimeZone } from '../../../src/base/time-zone.ts';
import { outputOptions } from '../../../src/cli/flags/command-options.ts';
import {
  fieldColumn,
  outcomeText,
  ownView,
  PLAIN_VIEW,
  timeColumn,
} from '../../../src/view/columns.ts';
import { VIEWS } from '../../../src/view/records/gateway-records.ts';
import { ENTRY_VIEW } from '../../../src/view/records/journal-entry.ts';
import { print, terminal } from '../../helpers/capture.ts';

describe('ids', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['card', { token: 'tok', id: 'other' }, 'tok'],
    ['purchase', { id: '1-P-1', card_token: 'tok' }, '1-P-1'],
    ['purchase', { id: null }, undefined],
    ['purchase', { id: '' }, undefined],
    ['plan', { id: 7 }, '7'],
    ['subscription', { id: '1-S-1', reference: 'SUB' }, '1-S-1'],
    ['subscription', { id: null, reference: 'SUB' }, 'SUB'],
    ['subscription', { reference: 'SUB' }, 'SUB'],
  ])('the id of a %s %j is %j', (kind, record, id) => {
    expect(VIEWS[kind as keyof typeof VIEWS].id(record)).toBe(id);
  });

  test('the id of an unknown kind of record is its id or its token', () => {
    expect(PLAIN_VIEW.id({ token: 't', id: 'i' })).toBe('i');
    expect(PLAIN_VIEW.id({ token: 't' })).toBe('t');
    expect(PLAIN_VIEW.id({ name: 'n' })).toBeUndefined();
  });
});

test('fields come in the order of the interface and in normal form', () => {
  expect(VIEWS.customer.fields).toEqual([
    'id',
    'first_name',
    'last_name',
    'reference',
    'email',
    'created_at',
    'card_token',
    'address.address',
    'address.city',
    'address.state',
    'address.postcode',
    'address.country',
  ]);
  expect(VIEWS.purchase.fields.slice(0, 3)).toEqual(['id', 'authorization', 'card_number']);
  expect(VIEWS.purchase.fields).toContain('successful');
  expect(VIEWS.purchase.fields).not.toContain('authorized');
  expect(VIEWS.card.fields).toContain('authorized');
});

test.each([
  ['approved', { message: 'Approved' }, 'Approved'],
  ['approved', { message: 'Approved - partially' }, 'Approved: Approved - partially'],
  ['approved', {}, 'Approved'],
  ['declined', { message: 'Declined' }, 'DECLINED'],
  ['declined', { message: 'Insufficient Funds' }, 'DECLINED: Insufficient Funds'],
  ['declined', { message: null }, 'DECLINED'],
  ['unclear', { message: 'Approved', successful: true, authorized: false }, 'UNCLEAR: Approved'],
  ['unclear', { successful: true, authorized: false }, 'UNCLEAR'],
  ['unclear', {}, undefined],
  ['declined', { message: 'Voided' }, 'VOIDED'],
  ['declined', { message: null, refunded: 'Voided' }, 'VOIDED'],
  ['approved', { message: 'Transaction voided' }, 'VOIDED'],
  ['declined', { message: 'Avoided' }, 'DECLINED: Avoided'],
  ['declined', { message: null, refunded: 'Declined' }, 'DECLINED'],
] as const)('outcome %s of %j is shown as %s', (outcome, record, text) => {
  expect(outcomeText(outcome, record as JsonObject)).toBe(text);
});

test('only records of card transactions have an outcome', () => {
  const kinds = Object.values(VIEWS).filter((view) => view.outcome !== undefined);
  expect(kinds.map((view) => view.name)).toEqual(['card', 'purchase', 'refund']);
});

test('a record of gw has the fields that its view names, as computed or as in its source', () => {
  const view = ownView({
    name: 'row',
    plural: 'rows',
    mayHave: ['sum', 'last_four', 'outcome', 'share', 'left'],
    columns: [],
    computed: ({ left }: { left: bigint; lastFour: string; outcome: null; share?: number }) => ({
      sum: left + 1n,
    }),
  });
  const source = { left: 2n ** 60n, lastFour: '2346', outcome: null, profile: 'local' };
  const record = { sum: String(2n ** 60n + 1n), last_four: '2346', outcome: null };
  // A sum that no number holds exactly is a text, and what the source does not say is left out.
  expect(JSON.stringify(view.record(source))).toBe(
    JSON.stringify({ ...record, left: String(2n ** 60n) }),
  );
  expect(view.record({ ...source, left: 5n, share: 0.5 })).toMatchObject({ sum: 6, share: 0.5 });
});

test.each([
  ['2026-07-29T10:24:59.000Z', '2026-07-29 20:24'],
  ['2026-07-29T10:24:59+00:00', '2026-07-29 20:24'],
  ['2026-07-29T10:24:59+11:00', '2026-07-29 09:24'],
  ['2026-07-29T10:24:59-0930', '2026-07-30 05:54'],
  ['2026-07-29', '2026-07-29'],
  ['2026-07-29T10:24:59', '2026-07-29 20:24'],
  ['never', 'never'],
])('every table shows the time %s as %s in the zone of --time-zone', async (at, shown) => {
  const { timeZone } = outputOptions({ 'time-zone': 'Australia/Sydney' });
  const kind = { ...PLAIN_VIEW, columns: [fieldColumn('id'), timeColumn('at')] };
  const records = [{ id: '1', at }];
  const { stdout } = await print(records, { kind, timeZone, output: terminal() });
  expect(stdout).toContain(`  ${shown}\n`);
});

test.each(['2026-07-29T10:24:59Z', '2026-07-29T10:24:59Z?'])('so does a journal: %s', (at) => {
  const [, created] = ENTRY_VIEW.columns;
  const zone = openTimeZone('Australia/Sydney');
  expect(created?.shorten?.(at, zone)).toBe(at.replace('2026-07-29T10:24:59Z', '2026-07-29 20:24'));
});
