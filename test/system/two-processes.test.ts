/** Two runs of the built program with one ledger: what one of them is sending is not the other's. */
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
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
import { recorded, sandboxPurchase } from '../helpers/recorded.ts';
import { type Ended, type Running, start } from '../helpers/run.ts';
import { havePrograms, mayUnshare } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const NAMESPACE = ['--pid', '--fork', '--mount-proc'];

let gateway: FaultGateway;
let place: Place;
let file: string;

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
  ({ file } = writeRefunds(place, await gateway.purchases(1, 1_000), 1));
});
afterEach(() => gateway.close());

/** Runs `begin` when the first refund has arrived, which is answered when what it returns is over. */
function whileTheFirstIsSent<Result>(begin: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    gateway.options.onMoment = (moment, count) =>
      moment === 'arrived' && count === 1 ? begin().then(resolve, reject) : undefined;
  });
}

const ELSEWHERE = {
  outcome: 'elsewhere',
  error: { message: expect.stringMatching(/^Another gw is sending it\. It started /) },
};
const WAITS = /Waiting for 1 line that another gw is sending/;

describe.each([
  ['a batch', []],
  ['a batch that sends again what is unknown', ['--retry-unknown']],
])('%s', (_, flags) => {
  const args = ['refund', 'batch'];

  test('waits for a line that another gw is sending, and does not send it', async () => {
    let second: Running | undefined;
    const waiting = whileTheFirstIsSent(async () => {
      second = startGw(place, [...args, file, ...flags]);
      await second.printed(WAITS);
    });
    const first = await gw(place, [...args, file]);
    expect(resultsOf(first)).toMatchObject([{ outcome: 'done' }]);
    await waiting;
    const waited = await second?.ended;
    expect(waited?.code, waited?.stderr).toBe(0);
    expect(waited && resultsOf(waited)).toMatchObject([{ outcome: 'done', earlier: true }]);
    expect(gateway.requests()).toBe(1);
  });

  test('that is interrupted leaves the line to the other gw, and says so', async () => {
    const second = whileTheFirstIsSent(() =>
      interrupted(startGw(place, [...args, file, ...flags])),
    );
    const first = await gw(place, [...args, file]);
    expect(resultsOf(first)).toMatchObject([{ outcome: 'done' }]);
    const left = await second;
    expect(left.signal, left.stderr).toBe('SIGINT');
    expect(resultsOf(left)).toMatchObject([ELSEWHERE]);
    expect(left.stderr).toMatch(/1 line was not sent by this run: run `gw refund batch .*` again/);
    expect(gateway.requests()).toBe(1);
  });
});

/** Ends a run that waits for another one, as Ctrl-C does. */
async function interrupted(run: Running): Promise<Ended> {
  await run.printed(WAITS);
  run.child.kill('SIGINT');
  return run.ended;
}

test.each([
  ['a refund', (rest: string[]) => ['refund', 'create', ...rest, '-o', 'json'], 10],
  ['a dry run', (rest: string[]) => ['refund', 'create', ...rest, '-o', 'json', '--dry-run'], 10],
])('%s of more than another gw leaves is refused while that one is sent', async (_, args, code) => {
  const [purchase = ''] = await gateway.purchases(1, 1_000);
  const refund = (amount: string, reference: string) => [
    ...['--transaction-id', purchase, '--amount', amount, '--reference', reference],
  ];
  await gw(place, ['purchase', 'get', purchase]);
  const second = whileTheFirstIsSent(() => gw(place, args(refund('400', 'B'))));
  const first = await gw(place, ['refund', 'create', ...refund('700', 'A')]);
  expect(first.code, first.stderr).toBe(0);
  const refused = await second;
  expect(refused.code, refused.stderr).toBe(code);
  expect(refused.stderr).toContain('refund-too-large');
  expect(gateway.requests()).toBe(1);
});

describe.skipIf(!havePrograms('unshare') || !mayUnshare(...NAMESPACE))(
  'a gw in a container with the same home',
  () => {
    const inContainer = (args: readonly string[]): Running =>
      start('unshare', [...NAMESPACE, process.execPath, PROGRAM, ...args], {
        ...{ cwd: place.home, env: place.env, input: '' },
      });
    const here = (args: readonly string[]) => startGw(place, args);

    test.each([
      ['the one in it', inContainer, here],
      ['the one outside', here, inContainer],
    ])('is not taken for ended while %s sends a batch', async (_, firstRun, secondRun) => {
      const args = ['refund', 'batch', file];
      let second: Running | undefined;
      const waiting = whileTheFirstIsSent(async () => {
        second = secondRun([...args, '--retry-unknown']);
        await second.printed(WAITS);
      });
      const first = await firstRun(args).ended;
      await waiting;
      const waited = await second?.ended;
      const ends = [first, waited].flatMap((end) => end ?? []);
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      expect(ends.map((end) => resultsOf(end)[0])).toMatchObject([
        { outcome: 'done' },
        { outcome: 'done', earlier: true },
      ]);
      expect(gateway.requests()).toBe(1);
    });

    test('is named to a person who resolves its request, and its late answer is reported', async () => {
      const refund = ['refund', 'batch', file];
      const resolved = whileTheFirstIsSent(async () => {
        const [entry] = await entriesOf(place);
        const resolve = ['journal', 'resolve', entry?.id ?? '', '--as', 'not-done'];
        const ends = [await gw(place, resolve), await gw(place, [...resolve, '--yes'])];
        return { ends, again: await gw(place, refund) };
      });
      const first = inContainer(refund);
      const { ends, again } = await resolved;
      const who = /gw cannot tell from here whether the gw that sent it still runs: process \d+ on/;
      expect(ends).toMatchObject([
        { code: 10, stderr: expect.stringMatching(who) },
        { code: 0, stderr: expect.stringMatching(who) },
      ]);
      expect(again.code).toBe(0);
      const late = await first.ended;
      expect(resultsOf(late)).toMatchObject([{ outcome: 'done' }]);
      expect(late.stderr).toMatch(
        /WARNING: the money has moved twice\. Request .* is done, although/,
      );
    });
  },
);

test('a request of a machine with a wrong clock can be resolved by a person who learns its name', async () => {
  const home = temporaryDirectory();
  const at = { ...placeFor(home, gateway.url), home };
  const ahead = { now: () => new Date(Date.now() + 400 * 24 * 60 * 60_000) };
  const ledger = await openSqliteLedger(path.join(home, '.local/state/gw/ledger.db'), ahead, {
    processes: { self: 'desk-9 boot 812 77 1', isGone: () => undefined },
    author: { operator: 'ada', machine: 'desk-9' },
  });
  const id = await recorded(ledger, sandboxPurchase('INV-1'));
  await ledger.close();
  const resolve = ['journal', 'resolve', id, '--as', 'not-done'];
  const refused = await gw(at, resolve);
  expect(refused.code).toBe(10);
  expect(refused.stderr).toMatch(
    /process 812 on desk-9, ada, since \d{4}-.* by its clock, which is ahead/,
  );
  expect(refused.stderr).toContain(`--as not-done --yes`);
  expect((await gw(at, ['journal', 'resolve', id])).code).toBe(10);
  expect((await gw(at, [...resolve, '--yes'])).code).toBe(0);
  expect(await entriesOf(at)).toMatchObject([
    { state: 'not-done', resolution: 'the user said so' },
  ]);
});
