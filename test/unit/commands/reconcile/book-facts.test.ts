/** gw tells from a file as a whole whether it can be of the account. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import {
  addRow,
  type Extent,
  emptyFacts,
  strangenessText,
} from '../../../../src/commands/reconcile/book-facts.ts';
import type { BookRow } from '../../../../src/commands/reconcile/book-row.ts';
import { readBookRow } from '../../../../src/commands/reconcile/book-row.ts';

const EMPTY = readBookRow({ fields: {}, isText: false }, 'AUD').row;
const row = (others: Partial<BookRow>): BookRow => ({ ...EMPTY, ...others });
const extent = (
  first: string | undefined,
  last: string | undefined,
  ...codes: string[]
): Extent => ({
  ...{ first, last },
  currencies: new Set(codes),
});

test('rows are counted by what they have', () => {
  const rows = [
    row({ id: 'x', amount: 1, dates: ['2026-01-31', '2026-02-01'], currency: 'AUD' }),
    row({ texts: ['PMT'], decimal: '1.00', dates: ['2026-01-02'], side: 'debit' }),
    row({ reference: 'x', texts: ['PMT'], currency: 'EUR' }),
  ];
  const facts = emptyFacts();
  for (const one of rows) addRow(facts, one);
  expect(facts).toEqual({
    ...{ named: 2, dated: 2, sided: 1, debits: 1 },
    ...extent('2026-01-02', '2026-02-01', 'AUD', 'EUR'),
  });
});

const KNOWN = extent('2026-01-10', '2026-03-10', 'AUD', 'NZD');
const NONE = {};
const OPTIONS = { zone: openTimeZone('UTC'), since: undefined, until: undefined, withinDays: 3 };

test.each<[string, Extent, { since?: string; until?: string }, string]>([
  ['the same days and currency', extent('2026-03-01', '2026-03-31', 'AUD'), NONE, ''],
  ['no days and no currency', extent(undefined, undefined), NONE, ''],
  ['days within the days of delay', extent('2026-03-13', '2026-04-30'), NONE, ''],
  ['one known currency', extent(undefined, undefined, 'USD', 'AUD'), NONE, ''],
  [
    'another currency',
    extent(undefined, undefined, 'USD'),
    NONE,
    'The file is in USD, and this ledger knows the account in AUD, NZD only.',
  ],
  [
    'later days',
    extent('2026-03-14', '2026-03-31', 'AUD'),
    NONE,
    'The file has days from 2026-03-14 to 2026-03-31, and this ledger knows the account from 2026-01-10 to 2026-03-10.',
  ],
  [
    'days before the given period',
    extent('2026-01-31', '2026-02-28', 'AUD'),
    { since: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' },
    'The file has days from 2026-01-31 to 2026-02-28, none in the given period.',
  ],
])('a file with %s', (_, facts, asked, text) => {
  const all = { ...emptyFacts(), ...facts };
  const said = strangenessText(all, KNOWN, { ...OPTIONS, ...asked });
  expect(said).toBe(text && `Note: this may be the file of another account or period. ${text}\n`);
});

test('a ledger that knows nothing has nothing to say', () => {
  const all = { ...emptyFacts(), ...extent('2026-01-01', '2026-01-31', 'USD') };
  const known = extent(undefined, undefined);
  expect(strangenessText(all, known, OPTIONS)).toBe('');
});
