/**
 * The power fails at the worst moment: everything that the built program had not synced by then is lost. What it had
 * promised is still there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entriesOf, gw, type Place, placeFor, resultsOf } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { charge, gw as gwOf, post, recordsOf } from '../helpers/listener.ts';
import {
  bytesOf,
  type Call,
  connectionOf,
  mayTrace,
  type Recording,
  recordCalls,
} from '../helpers/power-failure.ts';
import { PROGRAM } from '../helpers/program.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let gateway: FaultGateway;
let place: Place;
beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
});
afterEach(() => gateway.close());

const record = (args: readonly string[], onStart?: Parameters<typeof recordCalls>[3]) =>
  recordCalls(place.home, [process.execPath, PROGRAM, ...args], place.env, onStart);

const placeAt = (home = ''): Place => ({ home, env: { ...place.env, HOME: home } });

const isExit = ({ name }: Call) => name === 'exit_group';
const prints = (text: string) => (call: Call) =>
  call.name === 'write' && /^[12]</.test(call.args[0] ?? '') && bytesOf(call).includes(text);

/** @returns the references of the requests whose first byte leaves with each call */
function sentBy({ calls }: Recording): Map<Call, string> {
  const sent = new Map<Call, string>();
  /** The first call of the request that each connection carries. */
  const first = new Map<string, Call>();
  const isToGateway = (call: Call) => connectionOf(call)?.other === new URL(gateway.url).host;
  for (const call of calls.filter(isToGateway)) {
    const text = bytesOf(call).toString();
    const connection = connectionOf(call)?.own ?? '';
    if (text.startsWith('POST ')) first.set(connection, call);
    const [, reference] = /"reference":"([^"]+)"/.exec(text) ?? [];
    const begun = first.get(connection);
    if (reference !== undefined && begun) sent.set(begun, reference);
  }
  return sent;
}

/** @returns the entries that the journal has when the power fails as the first byte of each request leaves */
async function entriesWhenSent(recording: Recording) {
  const sent = sentBy(recording);
  const found = [];
  for (const { call, disk } of recording.disks((one) => sent.has(one))) {
    const home = disk.afterFailure();
    const entries = await entriesOf(placeAt(home));
    found.push({ home, reference: sent.get(call), entries });
  }
  return found;
}

describe.skipIf(!mayTrace())('when the power fails', () => {
  test('what a program had not synced is lost, and nothing else', async () => {
    const text = `
      const { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } = require('node:fs');
      const sync = (name) => { const file = openSync(name, 'r'); fsyncSync(file); closeSync(file); };
      const file = openSync('kept', 'w');
      writeSync(file, 'one '); writeSync(file, 'two '); fsyncSync(file); writeSync(file, 'three');
      writeSync(openSync('old', 'r+'), 'NEW', 2);
      mkdirSync('folder'); sync('.');
      writeSync(openSync('folder/no-name', 'w'), 'x'); sync('folder/no-name');
      writeSync(openSync('late', 'w'), 'x'); renameSync('old', 'renamed');
      process.exit();`;
    writeFileSync(path.join(place.home, 'old'), 'as it was');
    const { disks } = await recordCalls(place.home, [process.execPath, '-e', text], place.env);
    const [moment] = disks(isExit);
    const read = (folder: string | undefined, ...names: string[]) =>
      names.map((name) => {
        const file = path.join(String(folder), name);
        return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
      });
    const names = ['kept', 'old', 'renamed', 'late', 'folder/no-name'];
    expect(read(moment?.disk.afterFailure(), ...names)).toEqual([
      ...['one two ', 'as it was', undefined, undefined, undefined],
    ]);
    expect(read(moment?.disk.afterFailure('all'), ...names)).toEqual([
      ...['one two ', undefined, 'as it was', '', 'x'],
    ]);
  });

  test('as the first byte of a refund leaves, its intent is on disk, and it is not sent again', async () => {
    const [purchase = ''] = await gateway.purchases(1, 1_000);
    const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '100'];
    const args = [...refund, '--reference', 'R-1', '-o', 'json'];
    const recording = await record(args);
    expect(recording.ended.code, recording.ended.stderr).toBe(0);
    const found = await entriesWhenSent(recording);
    expect(found).toMatchObject([
      { reference: 'R-1', entries: [{ reference: 'R-1', state: 'unknown', amount: 100 }] },
    ]);
    const again = await gw(placeAt(found[0]?.home), args);
    expect(again.code, again.stderr).toBe(10);
    expect(again.stderr).toContain('duplicate-request');
    expect(gateway.requests()).toBe(1);
  });

  test('as the first byte of each line of a batch leaves, its intent is on disk', async () => {
    const references = Array.from({ length: 12 }, (_, n) => `R-${n}`);
    const [purchase] = await gateway.purchases(1, 10_000);
    const rows = references.map((reference) => `${purchase},100,${reference}`);
    const file = path.join(place.home, 'refunds.csv');
    writeFileSync(file, `transaction_id,amount,reference\n${rows.join('\n')}\n`);
    const recording = await record(['refund', 'batch', file, '--concurrency', '4']);
    expect(recording.ended.code, recording.ended.stderr).toBe(0);
    const found = await entriesWhenSent(recording);
    expect(found.map(({ reference }) => reference).sort()).toEqual([...references].sort());
    const missing = found.filter(
      ({ reference, entries }) => !entries.some((entry) => entry.reference === reference),
    );
    expect(missing.map(({ reference }) => reference)).toEqual([]);

    // After a failure, the next run sends only lines that the disk does not have.
    const [first] = found;
    const has = new Set(first?.entries.map(({ reference }) => reference));
    const before = gateway.requests();
    const again = await gw(placeAt(first?.home), ['refund', 'batch', file]);
    expect(resultsOf(again)).toHaveLength(12);
    expect(gateway.requests() - before).toBe(12 - has.size);
  });

  test('as a webhook is answered, its event is on disk', async () => {
    const bodies = ['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((id) => JSON.stringify(charge(id)));
    const { disks, ended } = await record(
      ['listen', '--port', '0', '--count', '5', '-o', 'jsonl'],
      async (running) => {
        const pattern = /Give the gateway this address: (http\S+)\n/;
        await running.printed(pattern);
        const url = new URL(pattern.exec(running.output())?.[1] ?? '');
        const [first = '', ...others] = bodies;
        expect((await post(url, first)).status).toBe(200);
        await Promise.all(others.map((body) => post(url, body)));
      },
    );
    expect(ended.code, ended.stderr).toBe(0);
    const isAnswer = (call: Call) =>
      connectionOf(call) !== undefined && bytesOf(call).toString().startsWith('HTTP/1.1 200');
    let answered = 0;
    for (const { disk } of disks(isAnswer)) {
      const { stdout } = await gwOf(disk.afterFailure(), ['events', 'list', '-o', 'jsonl']);
      expect(recordsOf(stdout).length).toBeGreaterThanOrEqual(++answered);
    }
    expect(answered).toBe(5);
  });

  test('after a person resolved a request, it stays resolved', async () => {
    const [purchase = ''] = await gateway.purchases(1, 1_000);
    gateway.options.perMille = { 'reset-before': 1_000 };
    const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '100'];
    expect((await gw(place, [...refund, '--reference', 'R-1'])).code).toBe(8);
    const [entry] = await entriesOf(place);
    const resolve = ['journal', 'resolve', entry?.id ?? '', '--as', 'not-done'];
    const { disks, ended } = await record(resolve);
    expect(ended.code, ended.stderr).toBe(0);
    const [said] = disks(prints('not-done'));
    const left = placeAt(said?.disk.afterFailure());
    expect(await entriesOf(left)).toMatchObject([{ state: 'not-done' }]);
  });

  test('a file of profiles is the old one or the new one, and afterwards the new one', async () => {
    const set = (amount: string) => [
      ...['profile', 'set', 'shop', '--environment', 'sandbox', '--max-amount', amount],
      ...['--base-url', 'https://gateway.example'],
    ];
    const first = await record(set('1'));
    const second = await record(set('2'));
    const amountIn = (home: string) => {
      const text = readFileSync(path.join(home, '.config/gw/profiles.json'), 'utf8');
      return JSON.parse(text).profiles.shop.maxAmount;
    };
    for (const { disk } of second.disks(() => true))
      for (const names of ['synced', 'all'] as const)
        expect([1, 2]).toContain(amountIn(disk.afterFailure(names)));
    const afterwards = [first, second].map(({ disks }) => {
      const [exit] = disks(isExit);
      return amountIn(exit?.disk.afterFailure() ?? '');
    });
    expect(afterwards).toEqual([1, 2]);
  });

  test('nothing of a person who was forgotten comes back', async () => {
    const name = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--email', 'ada@love.example'];
    const card = ['--reference', 'CUST-1', '--test-card', 'approved'];
    const created = await gw(place, ['customer', 'create', ...name, ...card]);
    expect(created.code, created.stderr).toBe(0);
    const { disks, ended } = await record(['forget', 'ada@love.example', '--yes']);
    expect(ended.code, ended.stderr).toBe(0);
    const [exit] = disks(isExit);
    const home = exit?.disk.afterFailure() ?? '';
    const found = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes('ada@love.example'));
    expect(found.map((file) => path.relative(home, file))).toEqual([]);
  });

  test('a backup is there once it is announced', async () => {
    const [purchase = ''] = await gateway.purchases(1, 1_000);
    const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '100'];
    expect((await gw(place, [...refund, '--reference', 'R-1'])).code).toBe(0);
    const file = path.join(place.home, 'backup.db');
    const { disks, ended } = await record(['ledger', 'backup', file]);
    expect(ended.code, ended.stderr).toBe(0);
    const [said] = disks(prints('Copied'));
    const saved = path.join(said?.disk.afterFailure() ?? '', 'backup.db');
    expect(readFileSync(saved)).toEqual(readFileSync(file));
  });

  test('a receipt is there once it is announced', async () => {
    const [purchase = ''] = await gateway.purchases(1, 1_000);
    const file = path.join(place.home, 'receipt.html');
    const { disks, ended } = await record(['receipt', purchase, '--html', file]);
    expect(ended.code, ended.stderr).toBe(0);
    const [said] = disks(prints('Wrote the receipt'));
    const saved = path.join(said?.disk.afterFailure() ?? '', 'receipt.html');
    expect(readFileSync(saved)).toEqual(readFileSync(file));
  });
});
