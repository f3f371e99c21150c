/** The filters that the flags of a search make. */
import { expect, test } from 'vitest';
import { listOptions, readSearchFilter } from '../../../../src/cli/flags/search-flags.ts';
import { Capture } from '../../../helpers/capture.ts';
import { failureOf } from '../../../helpers/failure.ts';

const NOW = new Date('2026-03-11T12:00:00Z');
const HOST = { env: {}, stderr: new Capture() };
const UTC = { 'time-zone': 'UTC' };

type SearchFlags = Partial<Parameters<typeof listOptions>[0]>;

test.each<[flags: SearchFlags, filter: object]>([
  [{}, {}],
  [{ since: '2h' }, { since: '2026-03-11T10:00:00.000Z' }],
  [
    { since: 'yesterday', until: 'yesterday' },
    { since: '2026-03-10T00:00:00.000Z', until: '2026-03-11T00:00:00.000Z' },
  ],
  [{ amount: '45' }, { amount: '45' }],
  [{ amount: '$45' }, { amount: '45' }],
  [{ amount: '45,00' }, { amount: '45.00' }],
  [{ amount: '1,250.5 €' }, { amount: '1250.5' }],
  [{ amount: '25.00' }, { amount: '25.00' }],
  [
    { min: '5', max: '25.00' },
    { min: '5', max: '25.00' },
  ],
  // JavaScript computes 1.1 * 100 as more than 110, and 0.29 * 100 as less than 29.
  [
    { min: '1.10', max: '110' },
    { min: '1.10', max: '110' },
  ],
  [
    { min: '0.29', max: '29' },
    { min: '0.29', max: '29' },
  ],
  [
    { min: '25.00', max: '25.00' },
    { min: '25.00', max: '25.00' },
  ],
  [
    { reference: 'N-19', outcome: ['declined'] },
    { reference: 'N-19', outcome: ['declined'] },
  ],
  [{ outcome: ['Declined, voided', 'ended'] }, { outcome: ['declined', 'voided', 'ended'] }],
  [{ outcome: ['authorized,failed'] }, { outcome: ['authorised', 'declined'] }],
])('the flags %j are read', (flags, filter) => {
  expect(readSearchFilter(HOST, listOptions({ ...UTC, limit: '20', ...flags }), NOW)).toEqual(
    filter,
  );
});

test.each<[flags: SearchFlags, code: string]>([
  [{ outcome: ['declined,nope'] }, 'no-such-outcome'],
  [{ outcome: [''] }, 'no-such-outcome'],
  [{ amount: '-5' }, 'amount-invalid'],
  [{ amount: '25.00.1' }, 'amount-invalid'],
  [{ amount: '.5' }, 'amount-invalid'],
  [{ min: '45 AUD' }, 'amount-invalid'],
  [{ min: '-' }, 'amount-invalid'],
  [{ amount: '900719925474.1000' }, 'amount-invalid'],
  [{ min: '5,00', max: '4.00' }, 'amount-range-empty'],
  [{ min: '40.00', max: '39' }, 'amount-range-empty'],
  [{ min: '30', max: '0.29' }, 'amount-range-empty'],
  [{ min: '1.11', max: '1.1' }, 'amount-range-empty'],
  [{ min: '2501', max: '2500' }, 'amount-range-empty'],
  [{ since: 'soon' }, 'time-invalid'],
  [{ since: '2026-04-01', until: '2026-03-01' }, 'period-empty'],
  [{ 'time-zone': 'Mars/Olympus' }, 'time-zone-unknown'],
])('%j cannot be read', async (flags, code) => {
  const failure = await failureOf(() =>
    readSearchFilter(HOST, listOptions({ ...UTC, limit: '20', ...flags }), NOW),
  );
  expect(failure).toMatchObject({ kind: 'usage', code });
});

test.each([
  ['a screen', {}, 50],
  ['a file', { output: 'csv' }, 10_000],
  ['a program', { jq: '.[].id' }, 10_000],
  ['whoever says so', { output: 'json', limit: '3' }, 3],
] as const)('a list for %s', (_, flags, limit) => {
  expect(listOptions({ ...UTC, ...flags }).limit).toBe(limit);
});
