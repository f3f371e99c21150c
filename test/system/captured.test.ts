/**
 * What counts as paid is what was captured, on every screen and in every guard: a gateway that has a sale of 25.00 of
 * which 10.00 was captured, one that was only authorised, one that was voided, and one in a withdrawn currency.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const SALES: Readonly<Record<string, object>> = {
  '071-P-PART': { captured: true, captured_amount: 1000 },
  '071-P-HELD': { captured: false, captured_amount: 0 },
  '071-P-VOID': { captured: true, captured_amount: 0, message: 'Voided' },
  '071-P-KUNA': { captured: true, captured_amount: 2500, currency: 'HRK' },
};
const IDS = Object.keys(SALES);

function saleOf(id: string) {
  return {
    ...{ id, authorization: '553550', card_token: `tok${id}`, card_holder: 'Ada Byron' },
    ...{ card_number: `512345XXXXXX2346`, card_expiry: '05/2099', reference: `INV-${id}` },
    ...{ amount: 2500, decimal_amount: 25, currency: 'AUD', successful: true, message: 'Approved' },
    ...{ transaction_date: '2026-01-15T10:00:00Z', settlement_date: '2026-01-15', source: null },
    ...SALES[id],
  };
}

let server: Server;
let refunds: { transaction_id: string; amount: number }[];
let home: string;
let env: Record<string, string | undefined>;

beforeEach(async () => {
  refunds = [];
  server = createServer((request, response) => {
    const answer = (status: number, record: object | null) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const errors = record ? [] : ['Record not found'];
      response.end(JSON.stringify({ successful: record !== null, response: record, errors }));
    };
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const id = request.url?.split('/').at(-1) ?? '';
      if (request.method === 'GET')
        return answer(id in SALES ? 200 : 404, id in SALES ? saleOf(id) : null);
      const body = JSON.parse(text);
      refunds.push(body);
      answer(201, {
        ...{ id: `071-R-${refunds.length}`, amount: -body.amount, refunded: 'Approved' },
        ...{ message: 'Approved', successful: true, transaction_date: '2026-01-16T10:00:00Z' },
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  home = temporaryDirectory();
  const account = { GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_ENVIRONMENT: 'sandbox' };
  const place = { PATH: process.env.PATH, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8' };
  env = { ...place, ...account, GW_BASE_URL: `http://127.0.0.1:${port}` };
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const gw = (...args: string[]) =>
  run(process.execPath, [PROGRAM, ...args], { env, cwd: home, input: '' });
const rows = async (...args: string[]) =>
  (await gw(...args, '-o', 'csv')).stdout.trim().split('\n').slice(1);

describe('a purchase that was captured in part', () => {
  test('every screen and report shows and sums the captured part', async () => {
    const [looked] = (await gw('get', ...IDS)).stdout.split('\n');
    expect(looked).toContain('\tApproved\t10.00 AUD\t');
    expect((await gw('purchase', 'list')).stdout).toContain('071-P-PART\tApproved\t10.00 AUD');
    const found = await rows('find', 'Ada', '--fields', 'id,outcome,amount,currency');
    expect(found.toSorted()).toEqual([
      '071-P-HELD,authorised,2500,AUD',
      '071-P-KUNA,approved,2500,HRK',
      '071-P-PART,approved,1000,AUD',
      '071-P-VOID,voided,2500,AUD',
    ]);
    expect((await gw('history', '071-P-PART')).stderr).toContain('paid 10.00 AUD (1)');
    const sums = ['--fields', 'what,count,amount,currency'];
    const expected = [
      'purchases,1,1000,AUD',
      'net,,1000,AUD',
      'purchases,1,2500,HRK',
      'net,,2500,HRK',
    ];
    expect(await rows('report', 'month', '2026-01', ...sums)).toEqual(expected);
    expect(await rows('report', 'day', '2026-01-15', ...sums)).toEqual(expected);
    expect(await rows('report', 'week', '2026-01-15', ...sums)).toEqual(expected);
    const charges = ['--fields', 'id,amount,decimal_amount'];
    expect(await rows('report', 'charges', '2026-01', ...charges)).toEqual([
      '071-P-PART,1000,10.00',
      '071-P-KUNA,2500,25.00',
    ]);
    expect(await rows('report', 'customers', '2026-01', '--fields', 'paid,currency')).toEqual([
      '1000,AUD',
      '2500,HRK',
    ]);
    const { stdout } = await gw('receipt', '071-P-PART');
    expect(stdout).toContain('Amount     10.00 AUD');
    expect((await gw('receipt', '071-P-HELD')).stdout).toContain('Nothing was taken yet.');
    expect((await gw('receipt', '071-P-VOID')).stdout).not.toContain('Paid.');
  });

  test('no more than the captured part is refunded, by an amount, by --full, or in a batch', async () => {
    const refund = (id: string, ...args: string[]) => gw('refund', 'create', id, ...args);
    const tooMuch = await refund('071-P-PART', '--amount', '1001', '--reference', 'R-1');
    expect(tooMuch).toMatchObject({ code: 10 });
    expect(tooMuch.stderr).toContain('10.00 AUD paid');
    expect(await refund('071-P-PART', '--amount', '400', '--reference', 'R-2')).toMatchObject({
      code: 0,
    });
    const lines = 'transaction_id,amount,reference\n071-P-PART,601,B-1\n071-P-HELD,1,B-2\n';
    writeFileSync(path.join(home, 'refunds.csv'), lines);
    expect((await gw('get', '071-P-HELD', '071-P-VOID')).code).toBe(0);
    const dry = await gw('refund', 'batch', 'refunds.csv', '--dry-run');
    const batch = await gw('refund', 'batch', 'refunds.csv');
    for (const { stdout } of [dry, batch])
      expect(stdout.match(/"outcome":"refused"/g)).toHaveLength(2);
    const full = await refund('071-P-PART', '--full', '--reference', 'R-3');
    expect(full.stderr).toContain(
      'Left of 071-P-PART: 6.00 AUD (10.00 AUD paid, 4.00 AUD refunded)',
    );
    for (const id of ['071-P-HELD', '071-P-VOID'])
      expect(await refund(id, '--amount', '1', '--reference', 'R-4')).toMatchObject({ code: 10 });
    expect(refunds.map(({ amount }) => amount)).toEqual([400, 600]);
  });

  test('books match the captured part, and an authorisation is no money that they lack', async () => {
    const books = (text: string) => writeFileSync(path.join(home, 'books.csv'), text);
    expect((await gw('get', ...IDS)).code).toBe(0);
    books('id,decimal_amount,currency\n071-P-PART,10.00,AUD\n071-P-KUNA,25.00,HRK\n');
    const fields = ['--fields', 'id,outcome,amount'];
    expect(await rows('reconcile', 'books.csv', ...fields)).toEqual([
      '071-P-PART,matches,1000',
      '071-P-KUNA,matches,2500',
      '071-P-VOID,missing-in-file,2500',
    ]);
    books('id,amount\n071-P-PART,2500\n');
    const [line] = await rows('reconcile', 'books.csv', ...fields);
    expect(line).toBe('071-P-PART,differs,1000');
  });
});

test('a purchase in a withdrawn currency is refunded in a file with others', async () => {
  const lines =
    'transaction_id,decimal_amount,currency,reference\n071-P-KUNA,5.00,HRK,B-1\n071-P-PART,5.00,AUD,B-2\n';
  writeFileSync(path.join(home, 'refunds.csv'), lines);
  const { code, stderr } = await gw('refund', 'batch', 'refunds.csv');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Total done: 5.00 HRK and 5.00 AUD.'),
  });
  const one = ['--decimal-amount', '1.00', '--currency', 'HRK', '--reference', 'R-1'];
  expect(await gw('refund', 'create', '071-P-KUNA', ...one)).toMatchObject({ code: 0 });
  expect(refunds.map(({ amount }) => amount).toSorted()).toEqual([100, 500, 500]);
});

test('nobody is charged in a withdrawn currency, at any door', async () => {
  const said = (code: string, month: string, by: string) =>
    `is ${code}, which ISO 4217 withdrew in ${month}: ${by} replaced it`;
  const refused = async (why: string, ...args: string[]) => {
    const { code, stderr } = await gw(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(why) });
  };
  const lev = said('BGN', '2026-01', 'EUR');
  const card = ['--card-token', 'tok', '--reference', 'A'];
  await refused(lev, 'purchase', 'create', ...card, '--amount', '2500', '--currency', 'BGN');
  await refused(lev, 'purchase', 'create', ...card, '--decimal-amount', '25', '--currency', 'bgn');
  const guilder = said('ANG', '2025-03', 'XCG');
  for (const field of ['currency', 'currency_code', 'currencyCode']) {
    const body = { card_token: 'tok', reference: 'A', amount: 2500, [field]: 'ANG' };
    writeFileSync(path.join(home, 'body.json'), JSON.stringify(body));
    await refused(guilder, 'purchase', 'create', '--input', 'body.json');
  }
  writeFileSync(
    path.join(home, 'lines.csv'),
    'card_token,amount,reference,currency\ntok,2500,A,HRK\ntok,2500,B,EUR\n',
  );
  const kuna = said('HRK', '2023-01', 'EUR');
  const batch = await gw('purchase', 'batch', 'lines.csv', '--dry-run');
  expect(batch).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`lines.csv:2: currency ${kuna}`),
  });
  const plan = ['plan', 'create', '--name', 'P', '--reference', 'P', '--description', 'P'];
  await refused(lev, ...plan, '--decimal-amount', '25.00', '--currency', 'BGN');
  const set = [
    'profile',
    'set',
    'shop',
    '--environment',
    'sandbox',
    '--base-url',
    'http://127.0.0.1:9/',
  ];
  await refused(lev, ...set, '--currency', 'bgn');
  expect(await gw(...set, '--currency', 'EUR')).toMatchObject({ code: 0 });
  expect(refunds).toEqual([]);
});

test('a profile of last year in a withdrawn currency is read, and charges nobody until it has another', async () => {
  const folder = path.join(home, '.config', 'gw');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const shop = { environment: 'sandbox', baseUrl: env.GW_BASE_URL, currency: 'BGN' };
  const credentialCommand = `echo '{"username":"TEST","apiToken":"TEST"}'`;
  const profiles = { shop: { ...shop, credentialCommand } };
  writeFileSync(path.join(folder, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8', GW_PROFILE: 'shop' };
  expect((await gw('get', '071-P-KUNA')).stdout).toContain('25.00 HRK');
  const charge = ['purchase', 'create', '--card-token', 'tok', '--reference', 'A'];
  const { code, stderr } = await gw(...charge, '--decimal-amount', '25.00');
  expect(code).toBe(2);
  expect(stderr).toContain('The currency is BGN, which ISO 4217 withdrew in 2026-01');
  writeFileSync(path.join(home, 'lines.csv'), 'card_token,decimal_amount,reference\ntok,25.00,A\n');
  const batch = await gw('purchase', 'batch', 'lines.csv', '--dry-run');
  expect(batch.code).toBe(2);
  expect(batch.stderr).toContain('lines.csv:2: currency is BGN, which ISO 4217 withdrew');
  expect(await gw('profile', 'set', 'shop', '--merchant-name', 'Shop')).toMatchObject({ code: 0 });
  expect(await gw('profile', 'set', 'shop', '--currency', 'EUR')).toMatchObject({ code: 0 });
});
