/** Batches of the built program: what they print, what they send, how they end. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  entriesOf,
  gw,
  type Place,
  placeFor,
  resultsOf,
  startGw,
  writeRefunds,
} from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let gateway: FaultGateway;
let place: Place;

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
});
afterEach(() => gateway.close());

const outcomesOf = (run: { stdout: string }) => resultsOf(run).map(({ outcome }) => outcome);

async function refundFile(count: number): Promise<string> {
  return writeRefunds(place, await gateway.purchases(count, 1_000), count).file;
}

test('a batch prints one JSON line for each line in order, and a second run sends nothing', async () => {
  const file = await refundFile(40);
  const first = await gw(place, ['refund', 'batch', file]);
  expect(first.code, first.stderr).toBe(0);
  const results = resultsOf(first);
  expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 40 }, (_, n) => n + 2));
  expect(results[0]).toMatchObject({ outcome: 'done', record: { amount: -100, successful: true } });
  expect(first.stderr).toMatch(/^Refund batch, 40 lines: 40 done\. Total done: 40\.00 /);

  const again = await gw(place, ['refund', 'batch', file]);
  expect(again.code).toBe(0);
  expect(again.stderr).toMatch(/^Refund batch, 40 lines: 40 done \(earlier\)\. /);
  expect(resultsOf(again).map(({ record }) => record?.id)).toEqual(
    results.map(({ record }) => record?.id),
  );
  expect(gateway.requests()).toBe(40);
});

test('a batch recognises the same lines in another form and another file', async () => {
  const file = await refundFile(3);
  await gw(place, ['refund', 'batch', file, '--batch', 'march']);
  const json = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
    .map(([id, amount, reference]) =>
      JSON.stringify({ reference, amount: Number(amount), transaction_id: id }),
    );
  const more = [
    ...json,
    JSON.stringify({
      reference: 'new',
      amount: 5,
      transaction_id: json[0] && JSON.parse(json[0]).transaction_id,
    }),
  ];
  const named = await gw(place, ['refund', 'batch', '--batch', 'march'], more.join('\n'));
  expect(named.stderr).toContain('4 done (3 of them earlier)');
  // Another batch has not sent them, but the ledger knows the requests.
  const other = await gw(place, ['refund', 'batch', '-', '--batch', 'april'], json.join('\n'));
  expect(other.code).toBe(0);
  expect(outcomesOf(other)).toEqual(['done', 'done', 'done']);
  expect(gateway.requests()).toBe(4);
});

test('a batch with wrong lines sends nothing and names all of them', async () => {
  const input =
    'transaction_id,amount,reference\nP,0,a\nP,1,\n,1.50,\nP,1,d\nP,1,d\nP,1\nP,1000000000000000,e\n';
  const { code, stdout, stderr } = await gw(place, ['refund', 'batch', '-'], input);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.split('\n')).toEqual([
    'stdin:2: amount is not above 0',
    'stdin:3: reference is missing: --reference-prefix REFUND makes one for each line',
    'stdin:4: amount is "1.50", not a whole number of minor units; --map decimal_amount=amount reads the column as money',
    'stdin:4: transaction_id is missing',
    'stdin:4: reference is missing',
    'stdin:6: repeats line 5: remove it, give it a reference of its own, or send both with --allow-duplicate',
    'stdin:7: has 2 cells where the first row has 3',
    'stdin:8: amount is "1000000000000000", not a whole number up to 999999999999999',
    'Error: 8 problems were found in stdin.',
    'Nothing was sent. If the columns are meant so, run `gw refund batch - --map decimal_amount=amount` with the same input; otherwise correct the lines.',
    '',
  ]);
  expect(gateway.requests()).toBe(0);
});

test('an amount with too many decimals for its currency is named once', async () => {
  const input = 'card_token,decimal_amount,currency\nT,2.001,AUD\nT,5.00,XYZ\n';
  const { stderr } = await gw(place, ['purchase', 'batch', '-'], input);
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    'stdin:2: decimal_amount "2.001" is not an amount of AUD above zero (AUD has 2 decimals, so gw cannot send 2.001. It does not round)',
    'stdin:3: "XYZ" is not an ISO 4217 currency code',
    'Error: 2 problems were found in stdin.',
  ]);
});

test('a limit refuses the whole batch before anything is sent', async () => {
  const file = await refundFile(10);
  for (const limit of [
    ['--max-count', '9'],
    ['--max-total', '999'],
  ]) {
    const { code } = await gw(place, ['refund', 'batch', file, ...limit]);
    expect(code).toBe(10);
  }
  const live = { ...place, env: { ...place.env, GW_ENVIRONMENT: 'live' } };
  expect((await gw(live, ['refund', 'batch', file])).code).toBe(10);
  expect((await gw(place, ['refund', 'batch', file, '--dry-run'])).code).toBe(0);
  expect(gateway.requests()).toBe(0);
  gateway.options.isLive = true;
  expect((await gw(live, ['refund', 'batch', file, '--confirm', 'environment'])).code).toBe(0);
  expect(gateway.requests()).toBe(10);
});

test('only --retry-unknown sends unknown lines again', async () => {
  const file = await refundFile(5);
  gateway.options.perMille = { 'reset-before': 1_000 };
  const lost = await gw(place, ['refund', 'batch', file]);
  expect(lost.code).toBe(9);
  expect(outcomesOf(lost)).toEqual(Array(5).fill('unknown'));
  gateway.options.perMille = {};
  expect(outcomesOf(await gw(place, ['refund', 'batch', file]))).toEqual(Array(5).fill('unknown'));
  expect(gateway.requests()).toBe(5);
  const retried = await gw(place, ['refund', 'batch', file, '--retry-unknown']);
  expect(outcomesOf(retried)).toEqual(Array(5).fill('done'));
  expect(gateway.requests()).toBe(10);
});

test.each([
  [
    'another batch',
    9,
    (id = '', amount = '', reference = '') => {
      const file = path.join(place.home, 'other.csv');
      writeFileSync(file, `transaction_id,amount,reference\n${[id, amount, reference]}\n`);
      return ['refund', 'batch', file];
    },
  ],
  [
    'a command',
    8,
    (id = '', amount = '', reference = '') => [
      ...['refund', 'create', '--transaction-id', id, '--amount', amount, '--reference', reference],
    ],
  ],
])('--retry-unknown leaves what %s made unknown after the run began', async (_, code, args) => {
  const file = await refundFile(2);
  const [, , last = ''] = readFileSync(file, 'utf8').split('\n');
  let lost: Ended | undefined;
  gateway.options.onMoment = async (moment, count) => {
    if (moment !== 'arrived' || count !== 1) return;
    gateway.options.perMille = { 'reset-before': 1_000 };
    lost = await gw(place, args(...last.split(',')));
    gateway.options.perMille = {};
  };
  const retry = ['refund', 'batch', file, '--concurrency', '1', '--retry-unknown'];
  const run = await gw(place, retry);
  expect([lost?.code, run.code], run.stderr).toEqual([code, 9]);
  const message = expect.stringContaining('became unknown after this run began');
  expect(resultsOf(run)).toMatchObject([
    { outcome: 'done' },
    { outcome: 'unknown', earlier: true, error: { message } },
  ]);
  expect(gateway.requests()).toBe(2);
  // The next run knows it from its beginning.
  expect(outcomesOf(await gw(place, retry))).toEqual(['done', 'done']);
  expect(gateway.requests()).toBe(3);
});

test('an interrupted batch starts no more lines and finishes those in flight', async () => {
  const file = await refundFile(200);
  const running = startGw(place, ['refund', 'batch', file, '--concurrency', '4']);
  gateway.options.onMoment = (moment, count) => {
    if (moment === 'processed' && count === 4) running.child.kill('SIGINT');
  };
  const ended = await running.ended;
  expect(ended.code ?? ended.signal).toBe('SIGINT');
  const outcomes = outcomesOf(ended);
  expect(outcomes).toHaveLength(200);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(gateway.requests());
  expect(new Set(outcomes)).toEqual(new Set(['done', 'not-started']));
  expect(ended.stderr).toContain('not started; the others have an outcome.');
});

test('a second interrupt ends at once, and lines in flight are unknown', async () => {
  const file = await refundFile(20);
  gateway.options.perMille = { 'hang-after': 1_000 };
  const running = startGw(place, ['refund', 'batch', file, '--concurrency', '4']);
  gateway.options.onMoment = (moment, count) => {
    if (moment === 'processed' && count === 4) running.child.kill('SIGINT');
  };
  await running.printed(/Press Ctrl-C again to stop at once/);
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect(ended.code ?? ended.signal).toBe('SIGINT');
  const journal = await gw(place, ['journal', 'list', '--unresolved', '-o', 'jsonl']);
  const states = journal.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).state);
  expect(states).toEqual(Array(4).fill('unknown'));
});

test('the documented pipeline from look-ups to refunds works', async () => {
  const page = readFileSync('docs/batches.md', 'utf8');
  const line = page
    .split('\n')
    .find((text) => /gw purchase get .* --jq .*\| gw refund batch -/.test(text));
  expect(line, 'the page has the example').toBeDefined();
  const ids = await gateway.purchases(3, 1_000);
  writeFileSync(path.join(place.home, 'ids.txt'), `${ids.join('\n')}\n`);
  const bin = path.join(place.home, 'gw');
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`, { mode: 0o755 });
  const env = { ...place.env, PATH: `${place.home}:${place.env.PATH}` };
  const ended = await run('sh', ['-c', (line ?? '').replace(/^\s*\$\s*/, '')], {
    cwd: place.home,
    env,
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(outcomesOf(ended)).toEqual(['done', 'done', 'done']);
  expect([...gateway.refunds().keys()].sort()).toEqual(['R-P-0', 'R-P-1', 'R-P-2']);
});

test('card details are refused on a live profile and never stored', async () => {
  const row =
    '{"card_number":"5123456789012346","card_holder":"Ann","card_expiry":"05/2031","cvv":"987","amount":500}';
  const live = { ...place, env: { ...place.env, GW_ENVIRONMENT: 'live' } };
  const refused = await gw(live, ['purchase', 'batch', '-', '--confirm', 'environment'], row);
  expect(refused.code).toBe(2);
  const { code, stdout } = await gw(place, ['purchase', 'batch'], row);
  expect(code).toBe(0);
  expect(stdout).not.toContain('5123456789012346');
  const [entry] = await entriesOf(place);
  expect(entry?.body).toEqual({
    card_number: '512345XXXXXX2346',
    card_holder: 'Ann',
    card_expiry: '05/2031',
    amount: 500,
  });
  const state = path.join(place.home, '.local/state/gw');
  for (const name of readdirSync(state)) {
    expect(statSync(path.join(state, name)).mode & 0o077).toBe(0);
    const content = readFileSync(path.join(state, name), 'latin1');
    expect(content).not.toContain('5123456789012346');
    expect(content).not.toContain('"cvv"');
  }
});

test('only --no-journal sends a request without recording it', async () => {
  const [id = ''] = await gateway.purchases(1, 1_000);
  const broken = {
    ...place,
    env: { ...place.env, XDG_STATE_HOME: path.join(place.home, 'ledger-is-a-file') },
  };
  writeFileSync(path.join(place.home, 'ledger-is-a-file'), '');
  const args = [
    'refund',
    'create',
    '--transaction-id',
    id,
    '--amount',
    '10',
    '--reference',
    'X',
    '-o',
    'id',
  ];
  const refused = await gw(broken, args);
  expect(refused.code, refused.stderr).toBe(10);
  expect(gateway.requests()).toBe(0);
  const sent = await gw(broken, [...args, '--no-journal']);
  expect(sent.code, sent.stderr).toBe(0);
  expect(sent.stderr).toContain('gw does not record this request (--no-journal)');
  expect(gateway.requests()).toBe(1);
});

test('an unknown purchase is looked up by its reference, and a refund cannot be', async () => {
  const [id = ''] = await gateway.purchases(1, 1_000);
  gateway.options.perMille = { 'reset-after': 1_000 };
  await gw(place, [
    'refund',
    'create',
    '--transaction-id',
    id,
    '--amount',
    '10',
    '--reference',
    'X',
  ]);
  gateway.options.perMille = {};
  const [entry] = await entriesOf(place);
  const asked = await gw(place, ['journal', 'resolve', entry?.id ?? '']);
  expect(asked.code).toBe(8);
  expect(asked.stderr).toContain('so it cannot ask');
  const said = await gw(place, [
    'journal',
    'resolve',
    entry?.id.slice(0, 8) ?? '',
    '--as',
    'done',
    '-o',
    'json',
  ]);
  expect(said.code, said.stderr).toBe(0);
  expect(JSON.parse(said.stdout)).toMatchObject({ state: 'done', resolution: 'the user said so' });
  expect((await gw(place, ['journal', 'resolve', entry?.id ?? '', '--as', 'not-done'])).code).toBe(
    2,
  );
});
