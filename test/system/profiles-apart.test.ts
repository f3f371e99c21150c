/**
 * Three profiles that saw records of the same ids: two test gateways that listen, one of which stands
 * for a live one, and the one in the process. What is shown is of the profile that is in use, whichever
 * way it was chosen.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, start } from '../helpers/run.ts';
import { scanFolder } from '../helpers/scan.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;
const TIMEOUT_MS = 120_000;
const CREDENTIALS = `echo '{"username":"TEST","apiToken":"TEST"}'`;

const NAMES = ['shop', 'live', 'local'] as const;
type Name = (typeof NAMES)[number];

/** The amount of each profile, which no other has; a refund is a tenth of it. */
const UNITS: Readonly<Record<Name, string>> = { shop: '1', live: '2', local: '3' };
const amountOf = (name: Name) => Number(UNITS[name].repeat(4));

/** @returns the profiles of which something is in a text: of their money, or of their customers */
function profilesIn(text: string): Name[] {
  return NAMES.filter((name) => {
    const n = UNITS[name];
    return new RegExp(`\\b(?:${n}${n}\\.${n}${n}|${n}\\.${n}${n}) AUD|c${n}@example`).test(text);
  });
}

const home = mkdtempSync(path.join(tmpdir(), 'gw-apart-'));
const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC' };
const gateways: Running[] = [];

const gw = (args: readonly string[], more: Readonly<Record<string, string>> = {}, input = '') =>
  start(process.execPath, [PROGRAM, ...args], { env: { ...env, ...more }, input }).ended;

async function done(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function serve(name: string): Promise<string> {
  const db = path.join(home, `${name}.db`);
  const gateway = start(
    process.execPath,
    [PROGRAM, 'emulator', 'start', '--port', '0', '--db', db],
    {
      env,
    },
  );
  gateways.push(gateway);
  await gateway.printed(ADDRESS);
  return ADDRESS.exec(gateway.output())?.[0] ?? '';
}

async function fill(name: Name): Promise<string> {
  const card = { card_number: '5123456789012346', card_expiry: '05/2099', cvv: '100' };
  const purchase = { ...card, card_holder: 'Ada', currency: 'AUD', reference: 'INV-1' };
  const ask = ['--profile', name, '--input', '-', '-o', 'id', '--no-input'];
  const confirm = name === 'live' ? ['--confirm', 'live'] : [];
  const body = JSON.stringify({ ...purchase, amount: amountOf(name) });
  const id = await done(gw(['purchase', 'create', ...ask, ...confirm], {}, body));
  const cardFile = path.join(home, 'card.json');
  writeFileSync(cardFile, JSON.stringify({ ...card, card_holder: 'Ada Byron' }));
  const person = ['--first-name', 'Ada', '--last-name', 'Byron', '--reference', 'C-1'];
  const email = `c${UNITS[name]}@example.com`;
  const whole = [...person, '--email', email, '--card-file', cardFile];
  await done(gw(['customer', 'create', '--profile', name, '--no-input', ...whole]));
  rmSync(cardFile);
  const file = path.join(home, `${name}.csv`);
  const amount = UNITS[name].repeat(3);
  writeFileSync(file, `transaction_id,amount,reference\n${id.trim()},${amount},RET-1\n`);
  const batch = ['refund', 'batch', file, '--batch', 'march', '--profile', name, ...confirm];
  // A test gateway never answers as a live one would, which a batch does not pass over.
  const code = name === 'live' ? 9 : 0;
  expect(await gw([...batch, '--no-input'])).toMatchObject({ code });
  return id.trim();
}

let id = '';
beforeAll(async () => {
  const [shop, live] = await Promise.all([serve('shop'), serve('live')]);
  const profile = ['--credential-command', CREDENTIALS];
  const set = ['profile', 'set'];
  await done(gw([...set, 'shop', '--environment', 'sandbox', '--base-url', shop, ...profile]));
  await done(gw([...set, 'live', '--base-url', live, ...profile]));
  await done(gw(['profile', 'use', 'shop']));
  const ids: string[] = [];
  for (const name of NAMES) ids.push(await fill(name));
  // The whole test rests on it.
  expect(new Set(ids).size).toBe(1);
  [id = ''] = ids;
}, TIMEOUT_MS);

afterAll(async () => {
  for (const { child } of gateways) child.kill();
  await Promise.all(gateways.map(({ ended }) => ended));
  scanFolder(home);
  rmSync(home, { recursive: true });
});

/** Each way to choose, over the ones that it goes before. */
const WAYS: readonly { by: string; profile: Name; flags: string[]; env: Record<string, string> }[] =
  [
    { by: 'the default profile', profile: 'shop', flags: [], env: {} },
    { by: 'GW_PROFILE', profile: 'live', flags: [], env: { GW_PROFILE: 'live' } },
    { by: '--profile', profile: 'local', flags: ['-p', 'local'], env: { GW_PROFILE: 'live' } },
  ];

const COMMANDS = [
  'purchase list',
  'purchase list ada -o json --fields amount,currency',
  'purchase list --reference INV-1',
  'refund list --limit 5',
  'customer list ada',
  'find ada',
  'find --reference INV-1',
  'history INV-1',
  'journal list',
  'journal list --reference INV-1',
  'journal list ret-1 --outcome done',
  'journal batches',
  'journal batches march',
  'report day',
  'report week -o json',
  'report month',
  'get INV-1 -o tsv',
];

/** With amounts of JSON in the form that people read. */
const spoken = (text: string) =>
  text.replace(/"amount": "?-?(\d+)(\d\d)"?/g, (_, whole, part) => `${whole}.${part} AUD`);

describe.each(COMMANDS)('gw %s', (command) => {
  const argv = command.split(' ');

  test('shows only the rows of the profile in use', { timeout: TIMEOUT_MS }, async () => {
    const shown = await Promise.all(
      WAYS.map(async ({ by, flags, env: more }) => {
        const text = await done(gw([...argv, ...flags], more));
        return [by, profilesIn(spoken(text))];
      }),
    );
    expect(shown).toEqual(WAYS.map(({ by, profile }) => [by, [profile]]));
  });
});

test.each(COMMANDS.filter((command) => !/^get|^journal batches march| -o /.test(command)))(
  'gw %s --all-profiles shows the rows of all profiles, and marks the live one',
  { timeout: TIMEOUT_MS },
  async (command) => {
    const text = await done(gw([...command.split(' '), '--all-profiles']));
    expect(profilesIn(text)).toEqual([...NAMES]);
    expect(text).toMatch(/\tlive \(LIVE\)/);
  },
);

test('a look-up finds each id that a list prints', { timeout: TIMEOUT_MS }, async () => {
  for (const { profile, flags, env: more } of WAYS) {
    const ids = await done(gw(['purchase', 'list', '-o', 'id', ...flags], more));
    expect(ids).toBe(`${id}\n`);
    const get = ['purchase', 'get', '-', '-o', 'jsonl', '--fields', 'amount', ...flags];
    expect(await done(gw(get, more, ids))).toBe(`{"amount":${amountOf(profile)}}\n`);
  }
});

test('each row of --all-profiles names its profile and environment', {
  timeout: TIMEOUT_MS,
}, async () => {
  const fields = ['--fields', 'amount,profile,environment'];
  const csv = await done(gw(['purchase', 'list', '--all-profiles', '-o', 'csv', ...fields]));
  expect(csv.split('\n').slice(1, -1).toSorted()).toEqual([
    '1111,shop,sandbox',
    '2222,live,live',
    '3333,local,local',
  ]);
});

test('the four GW_ variables show the rows of their account', { timeout: TIMEOUT_MS }, async () => {
  const shop = JSON.parse(await done(gw(['whoami', '-p', 'shop', '-o', 'json'])));
  const four = { GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_ENVIRONMENT: 'sandbox' };
  const text = await done(gw(['purchase', 'list'], { ...four, GW_BASE_URL: shop.base_url }));
  expect(profilesIn(text)).toEqual(['shop']);
  // Another port is another gateway, and nothing of it was seen.
  const other = await gw(['purchase', 'list'], { ...four, GW_BASE_URL: 'http://127.0.0.1:1' });
  expect(other).toMatchObject({ code: 0, stdout: '' });
  expect(other.stderr).toContain('Other profiles have matches. Add --all-profiles to see them.');
});

test.each([
  ['purchase list --outcome declined', ''],
  ['purchase list --amount 22.22', 'Other profiles have matches.'],
  ['find 22.22', 'Other profiles have matches.'],
  ['journal list --amount 22.22', 'Other profiles have matches.'],
  ['purchase list --reference inv-1', ''],
])('gw %s finds nothing, and says %j', { timeout: TIMEOUT_MS }, async (command, said) => {
  const { code, stdout, stderr } = await gw(command.split(' '));
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  if (said === '') expect(stderr).not.toContain('Other profiles');
  else expect(stderr).toContain(said);
});

test('without a chosen profile, a list shows the rows of all profiles', {
  timeout: TIMEOUT_MS,
}, async () => {
  const elsewhere = { XDG_CONFIG_HOME: temporaryDirectory() };
  const text = await done(gw(['purchase', 'list'], elsewhere));
  expect(profilesIn(text)).toEqual([...NAMES]);
  expect(text).toContain('\tlive (LIVE)\n');
  // One thing is asked for, and nothing says whose.
  const history = await gw(['history', 'INV-1'], elsewhere);
  expect(history).toMatchObject({ code: 2, stdout: '' });
  expect(history.stderr).toContain('--all-profiles');
});

test('the same purchase at two gateways of this machine is not refused as a duplicate', async () => {
  const { base_url } = JSON.parse(await done(gw(['whoami', '-p', 'live', '-o', 'json'])));
  const till = ['profile', 'set', 'till', '--environment', 'sandbox', '--base-url', base_url];
  await done(gw([...till, '--credential-command', CREDENTIALS]));
  const card = { card_number: '5123456789012346', card_holder: 'Ada', card_expiry: '05/2099' };
  const body = { ...card, cvv: '100', amount: 400, currency: 'AUD', reference: 'INV-2' };
  const buy = (profile: string) =>
    gw(['purchase', 'create', '--input', '-', '-p', profile], {}, JSON.stringify(body));
  await done(buy('shop'));
  await done(buy('till'));
  for (const profile of ['shop', 'till'])
    expect(await buy(profile)).toMatchObject({ code: 10, stdout: '' });
});
