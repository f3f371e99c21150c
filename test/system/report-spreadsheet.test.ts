/** A month for a spreadsheet: LibreOffice and gnumeric take each cell for what it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run } from '../helpers/run.ts';
import { READERS } from '../helpers/spreadsheets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const REFERENCES = [
  ...['00777', '2E5', '1234567890123456', '12345678901234567890', '2026-03', '3-4', '1/2', '1.10'],
  ...[
    '12345',
    '-5',
    '20-',
    '12:30',
    '26:',
    '5%',
    '$5',
    'R501',
    'kr 5',
    '01.02.2026',
    '1,5',
    'true',
  ],
  ...['Mar-26', 'MAR1', '(6)', '2026-03-01', '2026-03-01T10:00:00Z', '10am', '1 1/2', '#N/A'],
  ...["'00999", 'INV-501', '5e1234', 'Zoë 7', 'a_x0041_b', '*9', '1.23457E+15', '=1+1', '+61 412'],
];
/** The days in Auckland are those after the days in UTC for half of the clock. */
const ZONE = 'Pacific/Auckland';

/** @returns the paths of a month that gw wrote for spreadsheets, in CSV and as a workbook */
async function months(): Promise<{ csv: string; xlsx: string }> {
  const home = temporaryDirectory();
  await gwIn(home, 'emulator', 'reset', '--clock', '2026-02-28T12:00:00Z');
  const { card_number } = TEST_CARDS.approved;
  const card = { card_number, card_expiry: '05/2031', card_holder: 'Ada Byron', cvv: '123' };
  const lines = REFERENCES.map((reference, n) =>
    JSON.stringify({ ...card, amount: 1000 + n, currency: 'AUD', reference }),
  );
  writeFileSync(path.join(home, 'sales.jsonl'), lines.join('\n'));
  await gwIn(home, 'purchase', 'batch', 'sales.jsonl', '--concurrency', '1', '--as-written');
  const month = ['report', 'charges', '2026-03', '--time-zone', ZONE];
  const [csv, xlsx] = [path.join(home, 'march.csv'), path.join(home, 'march.xlsx')];
  writeFileSync(csv, (await gwIn(home, ...month, '--excel')).stdout);
  await gwIn(home, ...month, '--xlsx', xlsx);
  return { csv, xlsx };
}

async function gwIn(home: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local', LANG: 'en_AU.UTF-8' };
  const ended = await run(process.execPath, [PROGRAM, ...args], { env, cwd: home });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

/** The kinds of reports, each with the fields that have a day, a month or an instant. */
const DATED: readonly [words: string, dates: readonly string[]][] = [
  ['charges march', ['day']],
  ['march', ['from', 'until']],
  ['march --by day', ['day', 'from', 'until']],
  ['q1', ['from', 'until']],
  ['declines march', ['from', 'until']],
  ['subscriptions march', ['from', 'until']],
  ['forecast', ['day', 'from', 'until']],
  ['at-risk', ['seen_at']],
  ['doubles march', ['at']],
  ['customers march', []],
];

/** Reports that have a row of totals elsewhere, each with the field that this row lacks. */
const TOTALLED: Readonly<Record<string, string>> = {
  'declines march': 'reason',
  'subscriptions march': 'plan',
};

/** @returns the folder of the workbooks of all reports, each under the number of its kind */
async function workbooks(): Promise<string> {
  const home = temporaryDirectory();
  const seed = path.resolve('docs/three-months.json');
  await gwIn(home, 'emulator', 'reset', '--seed', seed);
  const { merchants } = JSON.parse(readFileSync(seed, 'utf8'));
  const known = merchants[0].subscriptions as { reference: string }[];
  const some = known.slice(0, 40).map(({ reference }) => reference);
  await gwIn(home, 'subscription', 'get', ...some);
  await gwIn(home, 'emulator', 'advance', '--to', '2026-03-30');
  const { card_number } = TEST_CARDS.approved;
  const card = { card_number, card_expiry: '05/2031', card_holder: 'Ada Byron', cvv: '123' };
  const lines = ['A-1', 'A-2'].map((reference) => {
    return JSON.stringify({ ...card, amount: 1000, currency: 'AUD', reference });
  });
  const { card_number: declined } = TEST_CARDS.declined;
  lines.push(
    JSON.stringify({
      ...card,
      card_number: declined,
      amount: 5,
      currency: 'AUD',
      reference: 'A-3',
    }),
  );
  writeFileSync(path.join(home, 'sales.jsonl'), lines.join('\n'));
  await gwIn(home, 'purchase', 'batch', 'sales.jsonl', '--concurrency', '1').catch(() => undefined);
  await gwIn(home, 'subscription', 'get', ...some);
  for (const [n, [words]] of DATED.entries())
    await gwIn(
      home,
      'report',
      ...words.split(' '),
      '--xlsx',
      path.join(home, `${n}.xlsx`),
      '--time-zone',
      'UTC',
    );
  return home;
}

test.skipIf(READERS.length === 0)(
  'a workbook has dates as dates; sums have no empty column, and lists always the same ones',
  async () => {
    const [, read] = READERS[0] ?? [];
    const folder = await workbooks();
    for (const [n, [words, dates]] of DATED.entries()) {
      const [header = [], ...rows] = read?.(path.join(folder, `${n}.xlsx`)) ?? [];
      const names = header.map((cell) => cell?.value ?? '');
      const typesOf = (name: string) => [
        ...new Set(rows.flatMap((row) => row[names.indexOf(name)]?.type ?? [])),
      ];
      expect(rows.length, words).toBeGreaterThan(0);
      const isEmpty = (_: string, at: number) => rows.every((row) => row[at] === undefined);
      const isOfSums = !/^(?:charges|at-risk|doubles|customers)/.test(words);
      if (isOfSums) expect(names.filter(isEmpty), words).toEqual([]);
      else if (words.startsWith('charges')) expect(names).toContain('approved_by');
      if (names.includes('period')) expect(typesOf('period'), words).toEqual(['text']);
      for (const name of dates) expect(typesOf(name), `${words}: ${name}`).toEqual(['day']);
      // A row of totals among the others would count twice, and a net is not the amount of one payment.
      const total = TOTALLED[words];
      if (total)
        expect(rows.map((row) => row[names.indexOf(total)]?.type)).not.toContain(undefined);
      const isOfNets = /^(?:march --by day|customers)/.test(words);
      if (isOfNets) expect(typesOf('net'), words).toEqual(['number']);
      if (isOfNets) expect(names, words).not.toContain('decimal_amount');
    }
  },
);

describe.each(READERS)('%s', (_, read) => {
  test('takes the cells of CSV and of a workbook for what they are', async () => {
    const { csv, xlsx } = await months();
    for (const file of [csv, xlsx]) {
      const [header = [], ...rows] = read(file);
      const columns = header.map((cell) => cell?.value);
      const of = (column: string) => rows.map((row) => row[columns.indexOf(column)]);
      const all = (type: string, value: string) => REFERENCES.map(() => ({ type, value }));
      const references = of('reference').map((cell) => ({
        ...cell,
        value: cell?.value.replace(/^'=/, '='),
      }));
      expect(references).toEqual(REFERENCES.map((value) => ({ type: 'text', value })));
      expect(of('last_four')).toEqual(all('text', '*2346'));
      expect(of('card')).toEqual(all('text', '512345*2346'));
      expect(of('day')).toEqual(all('day', '2026-03-01'));
      expect(new Set(of('time').map((cell) => cell?.type))).toEqual(new Set(['time']));
      const amounts = REFERENCES.map((_reference, n) => 1000 + n);
      const numbers = (column: string) =>
        of(column).map((cell) => cell?.type === 'number' && Number(cell.value));
      expect(numbers('decimal_amount')).toEqual(amounts.map((amount) => amount / 100));
    }
  });
});
