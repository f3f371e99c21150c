/** Batches of cards and customers: nothing of a card is kept, and nobody is created twice. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gw, type Place, resultsOf } from '../helpers/batch.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const NUMBERS = ['5123456789012346', '4005550000000001', '5313581000123430'];
const CVV = '73914';
const CARDS = [
  'Card Number;Card Holder;Card Expiry;CVV',
  `5123 4567 8901 2346;Ada Byron;05/99;${CVV.slice(0, 3)}`,
  '4005550000000001;Bo Chan;12/2099;914',
  '5313581000123430;Cy Dent;1/2099;914',
  '',
].join('\n');
const CUSTOMERS = [
  'first_name,last_name,reference,email,card_number,expiry_date,cvv,city',
  ...NUMBERS.map((number, n) => `Ada,Byron,C-${n},ada@example.com,${number},05/2099,739,London`),
  '',
].join('\n');

function local(): Place {
  const home = temporaryDirectory();
  return { home, env: { PATH: process.env.PATH ?? '', HOME: home, GW_PROFILE: 'local' } };
}

/** The content of all files below a directory, without the test gateway's state. */
function textIn(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(directory, name))
    .filter((file) => statSync(file).isFile() && !/emulator|\.csv$/.test(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

function write({ home }: Place, name: string, text: string): string {
  const file = path.join(home, name);
  writeFileSync(file, text);
  return file;
}

test('cards become tokens, the same file gives the same tokens, and no card is stored', async () => {
  const place = local();
  const file = write(place, 'cards.csv', CARDS);
  const first = await gw(place, ['tokenize', 'batch', file]);
  expect(first.code, first.stderr).toBe(0);
  const tokens = resultsOf(first).map(({ record }) => record?.token);
  expect(new Set(tokens).size).toBe(3);
  const again = await gw(place, ['tokenize', 'batch', file]);
  expect(resultsOf(again).map(({ record }) => record?.token)).toEqual(tokens);
  expect(resultsOf(again).every(({ earlier }) => earlier)).toBe(true);
  const shown = first.stdout + first.stderr + again.stdout + again.stderr;
  for (const text of [shown, textIn(path.join(place.home, '.local'))]) {
    for (const number of NUMBERS) expect(text).not.toContain(number);
    expect(text).not.toMatch(/"cvv"/);
  }
});

test('two cards that gw cannot distinguish are refused', async () => {
  const place = local();
  // The same issuer and last four digits.
  const rows = [
    'card_number,card_holder,card_expiry',
    '5123456789012346,Shop,05/2099',
    '5123450001062346,Shop,05/2099',
  ];
  const ended = await gw(place, ['tokenize', 'batch'], rows.join('\n'));
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('stdin:3: has the same holder, expiry');
});

test('cards that share ten digits are each stored and stay distinct', async () => {
  const place = local();
  const rows = [
    'card_number,card_holder,card_expiry,cvv',
    '5123456789012346,Ada Byron,05/2099,914',
    '5123450001062346,Bo Chan,07/2099,914',
    '5123450001062346,Ada Byron,07/2099,914',
  ].join('\n');
  const first = resultsOf(await gw(place, ['tokenize', 'batch', '--concurrency', '1'], rows));
  expect(first.map(({ earlier }) => earlier ?? false)).toEqual([false, false, false]);
  expect(first.map(({ record }) => record?.card_holder)).toEqual([
    'Ada Byron',
    'Bo Chan',
    'Ada Byron',
  ]);
  expect(new Set(first.map(({ record }) => record?.token)).size).toBe(3);
  const again = resultsOf(await gw(place, ['tokenize', 'batch'], rows));
  expect(again.map(({ earlier }) => earlier)).toEqual([true, true, true]);
  expect(again.map(({ entry }) => entry)).toEqual(first.map(({ entry }) => entry));
});

test('customers are created once, and their subscriptions with the printed ids', async () => {
  const place = local();
  const file = write(place, 'customers.csv', CUSTOMERS);
  const first = await gw(place, ['customer', 'batch', file]);
  expect(first.code, first.stderr).toBe(0);
  const corrected = write(
    place,
    'more.csv',
    `${CUSTOMERS.replace('London', 'Paris')}Al,Tur,C-9,a@example.com,4111111111111111,05/2099,739,\n`,
  );
  const again = resultsOf(await gw(place, ['customer', 'batch', corrected]));
  expect(again.map(({ earlier }) => earlier ?? false)).toEqual([true, true, true, false]);
  expect(again.map(({ record }) => record?.reference)).toEqual(['C-0', 'C-1', 'C-2', 'C-9']);

  await gw(
    place,
    'plan create --name Gold --reference GOLD --description Gold --amount 900'.split(' '),
  );
  const rows = again.map(({ record }, n) => ({
    ...{ customer: record?.id, plan: 'GOLD', frequency: 'Monthly', reference: `S-${n}` },
  }));
  const made = await gw(
    place,
    ['subscription', 'batch', '-', '-o', 'csv', '--fields', 'outcome,reference'],
    rows.map((row) => JSON.stringify(row)).join('\n'),
  );
  expect(made.stdout).toBe('outcome,reference\ndone,S-0\ndone,S-1\ndone,S-2\ndone,S-3\n');
  const text = first.stdout + first.stderr + textIn(path.join(place.home, '.local'));
  for (const number of NUMBERS) expect(text).not.toContain(number);

  for (const name of ['C-0', 'S-0']) {
    const history = await gw(place, [
      'history',
      name,
      '-o',
      'jsonl',
      '--jq',
      '[.what, .reference]',
    ]);
    expect(history.stdout).toContain(
      name === 'C-0' ? '["customer","C-0"]' : '["subscription","S-0"]',
    );
    expect(history.stdout).not.toContain('"request"');
  }

  const day = await gw(place, ['report', 'day', '-o', 'json']);
  expect(day.stdout).not.toContain('"purchases"');
  const list = await gw(place, [
    'journal',
    'batches',
    '-o',
    'csv',
    '--fields',
    'operation,lines,done,totals',
  ]);
  expect(list.stdout.split('\n').sort()).toEqual([
    '',
    'customer create,1,1,[]',
    'customer create,3,3,[]',
    'operation,lines,done,totals',
    'subscription create,4,4,[]',
  ]);
});
