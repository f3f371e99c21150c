/**
 * The books of a merchant against a gateway that is asked too much now and then. Larger with
 * GW_RECONCILE_ROWS=10000.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../src/emulator/gateway.ts';
import { openState } from '../../src/emulator/state.ts';
import { basicAuthorization } from '../../src/host/http/basic-auth.ts';
import { gw, type Place, placeFor, startGw } from '../helpers/batch.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ROWS = Number(process.env.GW_RECONCILE_ROWS ?? 2_000);
const LIMIT_MS = 120_000 + ROWS * 50;
const AUTHORIZATION = basicAuthorization('TEST', 'TEST');
/** The most memory, for any number of rows. */
const MAX_MB = 220;

interface Shop {
  url: string;
  /** How often each path was asked for and answered. */
  asked: Map<string, number>;
  /** Answers 429. */
  refused: number;
  /** Ids of approved purchases of 1000 and the number of each. */
  ids: string[];
}

interface ShopOptions {
  purchases: number;
  /** Whether the gateway has had enough, asked before each answer. */
  isTooMuch?: (answered: number) => boolean;
  /** How many purchases are answered for; a look-up of the others never is. */
  answersFor?: number;
}

async function openShop({ purchases, isTooMuch, answersFor }: ShopOptions): Promise<Shop> {
  const store = openState({ path: ':memory:', clock: { now: () => new Date() } });
  const gateway = createGateway({ store });
  const shop: Shop = { url: '', asked: new Map(), refused: 0, ids: [] };
  const send = (method: string, target: string, body = '') =>
    gateway.answer({ method, target, authorization: AUTHORIZATION, body });
  for (let n = 0; n < purchases; n++) {
    const card = {
      card_number: '5123456789012346',
      card_holder: 'Ann',
      card_expiry: '05/2099',
      cvv: '739',
    };
    const body = JSON.stringify({
      ...card,
      amount: 1_000 + n,
      currency: 'AUD',
      reference: `P-${n}`,
    });
    shop.ids.push(JSON.parse((await send('POST', '/v1.0/purchases', body)).body).response.id);
  }
  // By what is asked for: requests that are under way at once come in any order.
  const unanswered = shop.ids.slice(answersFor ?? purchases);
  let answered = 0;
  const server = createServer(async (request, response) => {
    if (unanswered.some((id) => request.url?.includes(id))) return;
    if (isTooMuch?.(answered)) {
      shop.refused++;
      answered++;
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end('{"successful":false,"response":null,"errors":["Slow down"],"test":true}');
      return;
    }
    answered++;
    const target = request.url ?? '';
    const { status, headers, body } = await send(request.method ?? '', target);
    shop.asked.set(target, (shop.asked.get(target) ?? 0) + 1);
    response.writeHead(status, headers).end(body);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    store.close();
  });
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;
}

/** A CSV of all purchases; rows that are given by their place stand for those that are right. */
function writeBooks({ home }: Place, { ids }: Shop, wrong: Readonly<Record<number, string>> = {}) {
  const rows = ids.map((id, n) => wrong[n] ?? `${id},${1_000 + n},AUD,Approved`);
  const file = path.join(home, 'books.csv');
  writeFileSync(file, `id,amount,currency,state\n${rows.filter(Boolean).join('\n')}\n`);
  return file;
}

interface Result {
  line: number | null;
  outcome: string;
  id: string;
  differences: { field: string }[];
}

const resultsOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);

test(`${ROWS} rows are each looked up once, even with many 429 answers`, {
  timeout: LIMIT_MS,
}, async () => {
  const shop = await openShop({
    purchases: ROWS,
    // Three in a row, as often as in every two hundred requests.
    isTooMuch: (answered) => answered % 200 >= 197,
  });
  const place = placeFor(temporaryDirectory(), shop.url);
  const [lost, early] = [shop.ids[ROWS - 1] ?? '', shop.ids[7] ?? ''];
  // This machine has seen it, and the books have not.
  expect((await gw(place, ['purchase', 'get', lost])).code).toBe(0);
  const file = writeBooks(place, shop, {
    3: '071-P-NOTHERE0,500,AUD,Approved',
    10: `${shop.ids[10]},999,AUD,Approved`,
    20: `${shop.ids[20]},1020,USD,Approved`,
    30: `${shop.ids[30]},1030,AUD,Declined`,
    40: `${early},1007,AUD,Approved`,
    [ROWS - 1]: '',
  });
  const failed = path.join(place.home, 'failed.csv');
  const report = path.join(place.home, 'rss');
  const preload = path.join(place.home, 'preload.cjs');
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const env = { ...place.env, NODE_OPTIONS: `--require=${preload}` };
  const args = ['reconcile', file, '-o', 'jsonl', '--failed', failed];
  shop.asked.clear();
  const { code, stdout, stderr } = await gw({ ...place, env }, args);

  expect(code, stderr).toBe(9);
  const results = resultsOf(stdout);
  expect(results.slice(0, -4).map(({ line }) => line)).toEqual(
    Array.from({ length: ROWS - 4 }, (_, n) => n + 2),
  );
  const others = results.filter(({ outcome }) => outcome !== 'matches');
  const said = others.map(({ line, outcome, differences }) => [
    line,
    outcome,
    ...differences.map(({ field }) => field),
  ]);
  expect(said.slice(0, 6)).toEqual([
    [5, 'not-found'],
    [12, 'differs', 'amount'],
    [22, 'differs', 'currency'],
    [32, 'differs', 'state'],
    [42, 'repeats'],
    // The rows that others stand for, and the one that was left out; this machine knows one of them.
    [null, 'missing-in-file'],
  ]);
  expect(others.at(-1)?.id).toBe(lost);
  expect(stderr).toContain('1 not in the file');
  const rows = readFileSync(file, 'utf8').split('\n');
  expect(readFileSync(failed, 'utf8').trimEnd().split('\n')).toEqual(
    [0, 4, 11, 21, 31, 41].map((n) => rows[n]),
  );
  expect(shop.refused).toBeGreaterThan(10);
  const twice = [...shop.asked].filter(([target, times]) => times > 1 && !target.includes(early));
  expect(twice).toEqual([]);
  const mb = Math.round(Number(readFileSync(report, 'utf8')) / 1024);
  process.stdout.write(`${ROWS} rows, ${shop.refused} refused, ${mb} MB at the most\n`);
  expect(mb).toBeLessThan(MAX_MB);
});

test('an interrupt ends the run at once with a result for each row', {
  timeout: LIMIT_MS,
}, async () => {
  const shop = await openShop({ purchases: 60, answersFor: 30 });
  const place = placeFor(temporaryDirectory(), shop.url);
  const file = writeBooks(place, shop);
  const failed = path.join(place.home, 'failed.csv');
  const running = startGw(place, ['reconcile', file, '-o', 'jsonl', '--failed', failed]);
  await running.printed(/"line":31,/);
  running.child.kill('SIGINT');
  const { signal, stdout, stderr } = await running.ended;
  // By which a shell says 130.
  expect(signal, stderr).toBe('SIGINT');
  const outcomes = resultsOf(stdout).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array(30).fill('matches'), ...Array(30).fill('not-asked')]);
  expect(stderr).toContain('reconcile: 30 match, 30 not asked.');
  expect(readFileSync(failed, 'utf8').trimEnd().split('\n')).toHaveLength(31);
});
