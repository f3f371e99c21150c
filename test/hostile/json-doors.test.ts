/** Values that JSON.parse would change silently are refused wherever a user gives JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

/** Gives a text to a door. */
type Door = (text: string) => Promise<Ended>;

const fileOf = (text: string) => {
  const file = path.join(temporaryDirectory(), 'given.json');
  writeFileSync(file, text);
  return file;
};
const BODY: readonly (readonly [string, Door])[] = [
  ['--input', (input) => gw(['purchase', 'create', '--input', '-'], { input })],
  [
    '--input of a dry run',
    (input) => gw(['purchase', 'create', '--dry-run', '--input', '-'], { input }),
  ],
  ['--input FILE', (text) => gw(['refund', 'create', '--input', fileOf(text)])],
  ['JSON lines', (input) => gw(['purchase', 'batch', '-'], { input })],
];
/** It sends what it is given, where that can be told. */
const RAW: readonly (readonly [string, Door])[] = [
  ['gw api', (input) => gw(['api', 'POST', '/v1.0/x', '--input', '-'], { input })],
];
const OTHERS: readonly (readonly [string, Door])[] = [
  ['--card-file', (text) => gw(['tokenize', '--card-file', fileOf(text)])],
  ['ids on stdin', (input) => gw(['purchase', 'get', '-'], { input })],
  ['a seed', (text) => gw(['emulator', 'reset', '--seed', fileOf(text)])],
  [
    'profiles.json',
    (text) => {
      const home = temporaryDirectory();
      const folder = path.join(home, '.config', 'gw');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'profiles.json'), text);
      return gw(['profile', 'list'], { home });
    },
  ],
];

/** @returns what is said of a text that nothing was done with */
async function refused(door: Door, text: string): Promise<string> {
  const { code, stdout, stderr } = await door(text);
  expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
  return stderr;
}

const textOf = (amount: string) =>
  `{"card_token":"t","transaction_id":"P","amount":${amount},"reference":"R"}`;

/** Each text at the first door, and one text at each of the others: what reads is the same behind them all. */
function atDoors<Text>(
  [first, ...others]: readonly (readonly [string, Door])[],
  texts: readonly Text[],
): (readonly [string, Door, Text])[] {
  return [
    ...texts.map((text) => [...(first as readonly [string, Door]), text] as const),
    ...others.map((other) => [...other, texts[0] as Text] as const),
  ];
}

test.each(
  atDoors([...BODY, ...RAW], [
    ['25.00', 'amounts are whole minor units'],
    ['1e2', 'amounts are whole minor units'],
    ['1.5', 'amounts are whole minor units'],
    ['12345678901234567890', 'amount, that cannot be sent exactly'],
  ] as const),
)('%s refuses an amount that would lose digits', async (_, door, [amount, reason]) => {
  expect(await refused(door, textOf(amount))).toContain(reason);
});

test.each(atDoors(BODY, ['"1.5"', '0', '-0', '-5', 'true', '[1]', '" 1"']))(
  '%s refuses an invalid amount',
  async (_, door, amount) => expect(await refused(door, textOf(amount))).toContain('amount'),
);

test.each(
  atDoors([...BODY, ...RAW, ...OTHERS], [
    ['{"card":{"a":1,"a":2}}', /the field a twice.* column 16/],
    ['{"amount":1,"amount":2}', /twice.* column 13/],
    ['{"amount":1,"\\u0061mount":1}', /the field amount twice.* column 13/],
  ] as const),
)('%s refuses a repeated field', async (_, door, [text, reason]) => {
  expect(await refused(door, text)).toMatch(reason);
});

test('the output of a credentialCommand with a repeated field is refused', async () => {
  const home = temporaryDirectory();
  const command = `echo '{"username":"a","username":"b","token":"secret-1"}'`;
  const set = ['profile', 'set', 'shop', '--environment', 'sandbox'];
  const address = ['--base-url', 'http://127.0.0.1:9', '--credential-command', command];
  expect((await gw([...set, ...address], { home })).code).toBe(0);
  const env = { GW_PROFILE: 'shop' };
  const { code, stderr } = await gw(['purchase', 'get', 'x', '--profile', 'shop'], { home, env });
  expect(code, stderr).toBe(3);
  expect(stderr).toContain('has the field username twice');
  expect(stderr).not.toContain('secret-1');
});
