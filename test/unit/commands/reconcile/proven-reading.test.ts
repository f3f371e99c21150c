/** Records that tell which column of a file has its amounts. */
import { expect, test } from 'vitest';
import type { NamedRecord } from '../../../../src/commands/reconcile/known-names.ts';
import { provenReading, provenText } from '../../../../src/commands/reconcile/proven-reading.ts';
import { readTable } from '../../../../src/commands/reconcile/read-table.ts';

const SETTINGS = {
  columns: { mapped: new Map(), ignored: [] },
  decimalMark: undefined,
  dateOrder: undefined,
};

const purchase = (reference: string, amount: number, currency = 'AUD'): NamedRecord => ({
  ...{ kind: 'purchase', id: `071-P-${reference}`, outcome: 'approved' },
  ...{ reference, amount, currency },
});

async function proven(text: string, known: NamedRecord[]) {
  const read = readTable(text, {
    ...{ settings: SETTINGS, currency: 'AUD', zone: 'UTC', today: '2026-04-02' },
  });
  if (!('question' in read)) throw new Error('There is no question.');
  const named = async (texts: readonly string[]) =>
    texts.map((name) => known.filter(({ reference }) => reference === name));
  return provenReading(named, read.question, read.table);
}

const SUMS =
  'Order,Order Total,Paid Total\nA-1,50.00,45.00\nA-2,20.00,18.00\nA-3,12.00,12.00\nA-4,12.00,12.00\n';

test('the column with the amounts of the records is the one, whatever stands beside it', async () => {
  const one = await proven(SUMS, [purchase('A-1', 4_500), purchase('A-2', 1_800)]);
  expect(one).toEqual({
    flag: ['map', 'decimal_amount=Paid Total'],
    columns: ['Paid Total'],
    isMinor: false,
    by: 2,
    of: 2,
  });
  expect(one && provenText(one)).toContain('as 2 of 2 records show');
});

test('whole numbers are minor units, or whole units of the currency', async () => {
  const text = 'Order,Total\nA-1,4500\nA-2,1800\n';
  const minor = await proven(text, [purchase('A-1', 4_500), purchase('A-2', 1_800)]);
  expect(minor?.flag).toEqual(['map', 'amount=Total']);
  expect(minor && provenText(minor)).toContain('"Total" has minor units');
  const whole = await proven(text, [purchase('A-1', 450_000), purchase('A-2', 180_000)]);
  expect(whole?.flag).toEqual(['map', 'decimal_amount=Total']);
});

test.each<[string, NamedRecord[]]>([
  ['no record is known', []],
  ['one record alone has an amount', [purchase('A-1', 4_500)]],
  ['the records have no such amount', [purchase('A-1', 4_000), purchase('A-2', 1_800)]],
  ['both columns have the amounts', [purchase('A-3', 1_200), purchase('A-4', 1_200)]],
  ['a row names two', [purchase('A-1', 4_500), { ...purchase('A-1', 4_500), id: '071-P-X' }]],
])('nothing is proven where %s', async (_, known) => {
  expect(await proven(SUMS, known)).toBeUndefined();
});
