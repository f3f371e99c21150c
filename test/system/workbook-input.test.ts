/** Sheets of refunds that a spreadsheet saved as a workbook, and a workbook of gw's own, as gw takes them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run } from '../helpers/run.ts';
import { WORKBOOKS } from '../helpers/spreadsheets.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

async function gwIn(home: string, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local', LANG: 'en_AU.UTF-8' };
  return run(process.execPath, [PROGRAM, ...args], { env, cwd: home });
}

/** @returns a home with three purchases, and the ids of these */
async function shop(): Promise<{ home: string; ids: string[] }> {
  const home = temporaryDirectory();
  const { card_number } = TEST_CARDS.approved;
  const card = { card_number, card_expiry: '05/2031', card_holder: 'Ada Byron', cvv: '123' };
  const lines = ['00777', 'WEB-2', 'WEB-3'].map((reference) =>
    JSON.stringify({ ...card, amount: 5000, currency: 'AUD', reference }),
  );
  writeFileSync(path.join(home, 'sales.jsonl'), lines.join('\n'));
  const sales = ['purchase', 'batch', 'sales.jsonl', '--concurrency', '1', '-o', 'id'];
  const { code, stdout, stderr } = await gwIn(home, ...sales);
  expect(code, stderr).toBe(0);
  return { home, ids: stdout.trim().split('\n') };
}

describe.each(WORKBOOKS)('%s', (_, save) => {
  test('saves a sheet of refunds, whose lines are those of the same sheet in CSV', async () => {
    const { home, ids } = await shop();
    const csv = path.join(home, 'refunds.csv');
    const amounts = ['18.00', '12.5', '0.30'];
    const rows = ids.map((id, n) => `${id},${amounts[n]},R-${n},"late, by a day"`);
    writeFileSync(csv, ['transaction_id,decimal_amount,reference,note', ...rows, ''].join('\n'));
    const sent = await gwIn(home, 'refund', 'batch', save(csv), '-o', 'jsonl');
    expect(sent.code, sent.stderr).toBe(0);
    expect(sent.stderr).toContain('30.80 AUD');
    const again = await gwIn(home, 'refund', 'batch', csv);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('3 done (earlier)');
    const refunds = await gwIn(home, 'refund', 'list', '--jq', '.[] | .note', '-o', 'json');
    expect(refunds.stdout.match(/late, by a day/g)).toHaveLength(3);
  });
});

test('a workbook that gw wrote is compared with the gateway, row by row', async () => {
  const { home } = await shop();
  const written = await gwIn(home, 'report', 'charges', '--xlsx', 'month.xlsx');
  expect(written.code, written.stderr).toBe(0);
  const compared = await gwIn(home, 'reconcile', 'month.xlsx');
  expect(compared.code, compared.stderr).toBe(0);
  expect(compared.stderr).toContain('3 match');
  expect(compared.stdout).toContain('00777');
});
