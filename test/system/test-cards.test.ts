/** `gw emulator cards`, the one command that shows card numbers whole. */
import { expect, test } from 'vitest';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const NUMBERS = Object.values(TEST_CARDS).map((card) => card.card_number);
const NAMES = Object.keys(TEST_CARDS);

const gw = (args: readonly string[], env: Record<string, string> = {}) =>
  run(process.execPath, [PROGRAM, 'emulator', 'cards', ...args], {
    env: { PATH: process.env.PATH, HOME: temporaryDirectory(), ...env },
  });

test.each([
  [[]],
  [['-o', 'table']],
  [['-o', 'json']],
  [['-o', 'jsonl']],
  [['-o', 'csv']],
  [['--fields', 'card_number,name']],
  [['-o', 'csv', '--fields', 'card_number', '--no-formulas']],
])('gw emulator cards %j shows every number whole, on stdout alone', async (args) => {
  const { code, stdout } = await gw(args);
  expect(code).toBe(0);
  expect(stdout.match(/\d{15,16}/g)).toEqual(NUMBERS);
});

test('gw emulator cards -o id prints the names, which --test-card takes', async () => {
  const { stdout } = await gw(['-o', 'id']);
  expect(stdout).toBe(`${NAMES.join('\n')}\n`);
});

test('gw emulator cards -o table explains what the amount decides', async () => {
  const { stderr } = await gw(['-o', 'table']);
  expect(stderr).toMatch(
    /^By the amount: if it ends in 00, 08, .*51 Insufficient Funds; .*anything else Declined\.\n$/,
  );
});

test('debug output of Node has no card number', async () => {
  const { stdout, stderr } = await gw(['-o', 'json'], { NODE_DEBUG: 'stream,fs,module' });
  expect(JSON.parse(stdout)).toHaveLength(NUMBERS.length);
  expect(stderr).not.toBe('');
  expect(NUMBERS.filter((number) => stderr.includes(number))).toEqual([]);
});

test('gw emulator cards does not repeat a number of its arguments', async () => {
  const { code, stderr } = await gw([NUMBERS[0] ?? '']);
  expect(code).toBe(2);
  expect(stderr).toContain('Unexpected argument.');
  expect(stderr).not.toContain(NUMBERS[0]);
});
