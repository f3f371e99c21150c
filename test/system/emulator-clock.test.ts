/** `gw emulator advance`, `hooks` and `start`, as programs of their own. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { type Ended, type Running, run, start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const SEED = path.resolve('docs/three-months.json');

let home: string;
beforeEach(() => {
  home = temporaryDirectory();
});

const env = () => ({ PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local' });
const begin = (...args: string[]): Running =>
  start(process.execPath, [PROGRAM, ...args], { env: env(), input: '' });
const gw = (...args: string[]): Promise<Ended> =>
  run(process.execPath, [PROGRAM, ...args], { env: env() });

async function time(): Promise<string> {
  const { stdout } = await gw('emulator', 'status', '--fields', 'time');
  return stdout.trim();
}

async function openReceiver(answer: (n: number, response: ServerResponse) => void) {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers['x-gw-delivery']));
    request.resume().on('end', () => answer(ids.length, response));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ids };
}

test('an interrupt ends an advance after a whole day, and the next one continues', async () => {
  let interrupt = () => {};
  const { url, ids } = await openReceiver((n, response) => {
    // This one is not answered: the interrupt finds it in flight.
    if (n === 121) interrupt();
    else response.end();
  });
  await gw('emulator', 'reset', '--seed', SEED);
  await gw('emulator', 'hooks', 'add', url);
  const advance = begin('emulator', 'advance', '1m', '-o', 'jsonl');
  interrupt = () => advance.child.kill('SIGINT');
  const ended = await advance.ended;
  // It dies of the signal, which a shell shows as 130.
  expect(ended.signal).toBe('SIGINT');
  const days = ended.stdout.trimEnd().split('\n').length;
  expect(days).toBeGreaterThan(2);
  expect(days).toBeLessThan(12);
  expect(await time()).toMatch(/T00:00:00.000Z$/);

  const rest = await gw('emulator', 'advance', '--to', '2026-02-01', '-o', 'jsonl');
  expect(rest.code).toBe(0);
  expect(await time()).toBe('2026-02-01T00:00:00.000Z');
  const log = await gw('emulator', 'hooks', 'log', '--limit', '10000', '-o', 'jsonl');
  const deliveries = log.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(deliveries.every(({ state }) => state === 'delivered')).toBe(true);
  expect(new Set(ids).size).toBe(deliveries.length);
});

test('a server and an advance on the same file deliver everything once', async () => {
  const { url, ids } = await openReceiver((_, response) => response.end());
  await gw('emulator', 'reset', '--seed', SEED);
  await gw('emulator', 'hooks', 'add', url);
  const server = begin('emulator', 'start', '--port', '0');
  await server.printed(/http:\/\/127/);
  const advance = await gw('emulator', 'advance', '1m', '-o', 'jsonl');
  expect(advance.stdout.trimEnd().split('\n')).toHaveLength(31);
  server.child.kill('SIGTERM');
  await server.ended;
  const log = await gw('emulator', 'hooks', 'log', '--limit', '10000', '-o', 'jsonl');
  expect(ids.map(Number).sort((a, b) => a - b)).toEqual(
    log.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
      .reverse(),
  );
});

test('hooks are added, listed and removed', async () => {
  await gw('emulator', 'reset', '--seed', SEED);
  const added = await gw('emulator', 'hooks', 'add', 'http://127.0.0.1:9/', '--events', 'card:*');
  expect(added).toMatchObject({ code: 0, stdout: '1\n', stderr: '' });
  await gw('emulator', 'hooks', 'add', 'http://user:secret@127.0.0.1:9/', '--account', 'OTHER');
  const listed = await gw('emulator', 'hooks', 'list');
  expect(listed.stdout).toBe(
    '1\tTEST\tcard:*\thttp://127.0.0.1:9/\t0\t\n2\tOTHER\t*\thttp://***@127.0.0.1:9/\t0\t\n',
  );
  expect((await gw('emulator', 'hooks', 'list', '-o', 'id')).stdout).toBe('1\n2\n');
  expect((await gw('emulator', 'status', '--fields', 'hooks,queued_deliveries')).stdout).toBe(
    '2\t0\n',
  );
  expect(await gw('emulator', 'hooks', 'remove', '1')).toMatchObject({ code: 0, stdout: '' });
  expect(await gw('emulator', 'hooks', 'remove', '1')).toMatchObject({
    code: 4,
    stderr: 'Error: No hook has the id "1".\nRun `gw emulator hooks list` to see them.\n',
  });
  expect((await gw('emulator', 'hooks', 'list', '-o', 'id')).stdout).toBe('2\n');
});

test.each([
  [['advance'], 'Give either a duration or --to.'],
  [['advance', '1d', '--to', '2026-02-01'], 'Give either a duration or --to.'],
  [['advance', '5 days ago'], '"5 days ago" is not a duration.'],
  [['advance', '--to', '2025-12-31'], 'cannot go back to 2025-12-31T00:00:00.000Z.'],
  [['hooks', 'add', 'shop.example:80/'], 'begins with http:// or https://'],
  [['hooks', 'add', 'http://127.0.0.1/', '--events', 'charge'], 'No event matches "charge".'],
])('gw emulator with %j is refused', async (args, message) => {
  await gw('emulator', 'reset', '--seed', SEED);
  const ended = await gw('emulator', ...args);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(message);
});
