/**
 * Files that are corrected and run again: what is done is done, whatever became of the lines around
 * it. The gateway counts what it was asked for.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entriesOf, gw, type Place, placeFor, resultsOf, startGw } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { randomFrom } from '../helpers/random.ts';
import type { Ended } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const PAID = 10_000;
const TOO_MUCH = 99_999;

let gateway: FaultGateway;
let place: Place;
let file: string;
let ids: string[];

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
  file = path.join(place.home, 'refunds.csv');
  ids = await gateway.purchases(8, PAID);
});
afterEach(() => gateway.close());

/** A row: which purchase, how much, under which reference. */
type Row = readonly [purchase: number, amount: number, reference: string];

const csv = (rows: readonly Row[]) =>
  ['transaction_id,amount,reference', ...rows.map(([n, ...rest]) => [ids[n], ...rest].join())].join(
    '\n',
  );

/** Runs a batch of rows. Whatever it says, it does not suggest what leads to a second refund. */
async function run(rows: readonly Row[], ...flags: string[]): Promise<Ended> {
  writeFileSync(file, csv(rows));
  const ended = await gw(place, ['refund', 'batch', file, '--concurrency', '1', ...flags]);
  expect(ended.stdout + ended.stderr).not.toContain('allow-duplicate');
  return ended;
}

const outcomesOf = (ended: Ended) =>
  resultsOf(ended).map(({ outcome, earlier }) => (earlier ? `${outcome}, earlier` : outcome));

const A: Row = [0, 1_000, 'A'];
const B: Row = [1, 2_000, 'B'];
const C: Row = [2, TOO_MUCH, 'C'];
const D: Row = [3, TOO_MUCH, 'D'];

describe('two of four lines are done', () => {
  let first: Ended;
  beforeEach(async () => {
    first = await run([A, B, C, D]);
    expect(outcomesOf(first)).toEqual(['done', 'done', 'rejected', 'rejected']);
  });

  test.each<[string, readonly Row[], string[], number]>([
    [
      'an amount is corrected',
      [A, B, [2, 300, 'C'], D],
      ['done, earlier', 'done, earlier', 'done', 'rejected'],
      2,
    ],
    [
      'all that was wrong is corrected',
      [A, B, [2, 300, 'C'], [3, 400, 'D']],
      ['done, earlier', 'done, earlier', 'done', 'done'],
      2,
    ],
    [
      'a reference is corrected',
      [A, B, [2, 300, 'C2'], [3, 400, 'D2']],
      ['done, earlier', 'done, earlier', 'done', 'done'],
      2,
    ],
    ['what was wrong is removed', [A, B], ['done, earlier', 'done, earlier'], 0],
    ['what was done is removed', [[2, 300, 'C']], ['done'], 1],
    [
      'lines are sorted otherwise, and one is added',
      [[4, 500, 'E'], B, A],
      ['done', 'done, earlier', 'done, earlier'],
      1,
    ],
    [
      'a line that is done has another amount',
      [A, [1, 2_500, 'B'], [2, 300, 'C']],
      ['done, earlier', 'conflict, earlier', 'done'],
      1,
    ],
    [
      'a line that is done has another amount, and stands there as it was too',
      [A, B, [1, 2_500, 'B']],
      ['done, earlier', 'done, earlier', 'conflict, earlier'],
      0,
    ],
  ])('%s, and the file is sent again', async (_, rows, outcomes, sent) => {
    const before = gateway.requests();
    const again = await run(rows);
    expect(outcomesOf(again)).toEqual(outcomes);
    expect(again.code).toBe(outcomes.every((outcome) => outcome.startsWith('done')) ? 0 : 9);
    expect(gateway.requests() - before).toBe(sent);
    const records = new Set(resultsOf(first).map(({ record }) => record?.id));
    for (const { outcome, earlier, record } of resultsOf(again))
      if (outcome === 'done' && earlier) expect(records).toContain(record?.id);
  });

  test('a conflict names both amounts, the earlier entry and its record', async () => {
    const ended = await run([A, [1, 2_500, 'B']]);
    const [, conflict] = resultsOf(ended);
    const [, done] = resultsOf(first);
    expect(conflict).toMatchObject({
      outcome: 'conflict',
      entry: done?.entry,
      record: { id: done?.record?.id },
    });
    expect(conflict?.error?.message).toMatch(
      /^It asks for 25.00 \(account currency\), but a request for 20.00 \(account currency\) with the same reference, B, succeeded /,
    );
    expect(ended.stderr).toContain('1 in conflict');
  });

  test.each([
    ['in another form and from stdin', [] as string[]],
    ['under a name', ['--batch', 'march']],
  ])('the same lines %s count as done', async (_, flags) => {
    const lines = [A, B].map(([n, amount, reference]) =>
      JSON.stringify({ reference, amount, transaction_id: ids[n] }),
    );
    const ended = await gw(place, ['refund', 'batch', '-', ...flags], lines.join('\n'));
    expect(outcomesOf(ended)).toEqual(['done, earlier', 'done, earlier']);
    expect(ended.code).toBe(0);
  });

  test('a command that repeats one of them is refused', async () => {
    const create = (amount: string) =>
      gw(place, [
        ...['refund', 'create', '--transaction-id', ids[0] ?? '', '--reference', 'A'],
        ...['--amount', amount, '-o', 'id'],
      ]);
    expect((await create('1000')).code).toBe(10);
    expect((await create('999')).code).toBe(0);
  });
});

test('a batch does not repeat what a command did', async () => {
  const args = ['refund', 'create', '--transaction-id', ids[0] ?? '', '--reference', 'A'];
  expect((await gw(place, [...args, '--amount', '1000', '-o', 'id'])).code).toBe(0);
  const ended = await run([A, [0, 500, 'A']]);
  expect(outcomesOf(ended)).toEqual(['done, earlier', 'conflict, earlier']);
  expect(outcomesOf(await run([[0, 700, 'A']]))).toEqual(['conflict, earlier']);
  expect(gateway.requests()).toBe(1);
});

test('an unknown line is unknown in any file, and another amount waits until it is resolved', async () => {
  gateway.options.perMille = { 'reset-before': 1_000 };
  await run([A, B]);
  gateway.options.perMille = {};
  const corrected = await run([A, [1, 2_500, 'B'], [4, 500, 'E']]);
  expect(outcomesOf(corrected)).toEqual(['unknown, earlier', 'conflict, earlier', 'done']);
  const [unknown, conflict] = resultsOf(corrected);
  for (const result of [unknown, conflict])
    expect(result?.error?.next).toContain(`gw journal resolve ${result?.entry}`);
  for (const result of [unknown, conflict])
    await gw(place, ['journal', 'resolve', result?.entry ?? '', '--as', 'not-done']);
  const resolved = await run([A, [1, 2_500, 'B'], [4, 500, 'E']]);
  expect(outcomesOf(resolved)).toEqual(['done', 'done', 'done, earlier']);
  expect(gateway.refunds()).toEqual(new Map(['E', 'A', 'B'].map((reference) => [reference, 1])));
});

test('an unknown line is retried once in any file, on demand', async () => {
  gateway.options.perMille = { 'reset-before': 1_000 };
  await run([A, B]);
  gateway.options.perMille = {};
  const rows: Row[] = [A, B, [4, 500, 'E']];
  expect(outcomesOf(await run(rows, '--retry-unknown'))).toEqual(['done', 'done', 'done']);
  const again = await run(rows, '--retry-unknown');
  expect(outcomesOf(again)).toEqual(['done, earlier', 'done, earlier', 'done, earlier']);
  expect([...gateway.refunds().values()]).toEqual([1, 1, 1]);
});

describe('repeated lines', () => {
  test('are sent as often as they occur, over all runs', async () => {
    const again = '--allow-duplicate';
    expect(outcomesOf(await run([A, A], again))).toEqual(['done', 'done']);
    expect(outcomesOf(await run([A, A], again))).toEqual(['done, earlier', 'done, earlier']);
    expect(outcomesOf(await run([A, B, A, A], again))).toEqual([
      ...['done, earlier', 'done', 'done, earlier', 'done'],
    ]);
    expect(outcomesOf(await run([A]))).toEqual(['done, earlier']);
    expect(gateway.refunds()).toEqual(new Map(Object.entries({ A: 3, B: 1 })));
  });

  test('are sent again under another batch name, on demand', async () => {
    await run([A]);
    const meant = ['--allow-duplicate', '--batch', 'once more'];
    expect(outcomesOf(await run([A], ...meant))).toEqual(['done']);
    expect(outcomesOf(await run([A], ...meant))).toEqual(['done, earlier']);
    expect(outcomesOf(await run([A], '--batch', 'another'))).toEqual(['done, earlier']);
    expect(gateway.refunds()).toEqual(new Map([['A', 2]]));
  });
});

describe('lines without a reference', () => {
  let token: string;
  let charges: number;
  const charge = async (amounts: readonly number[], ...flags: string[]) => {
    const rows = amounts.map((amount) => `${token},${amount}`);
    const input = ['card_token,amount', ...rows].join('\n');
    const ended = await gw(
      place,
      ['purchase', 'batch', '-', '--concurrency', '1', ...flags],
      input,
    );
    charges += resultsOf(ended).filter(
      ({ outcome, earlier }) => outcome === 'done' && !earlier,
    ).length;
    return ended;
  };

  beforeEach(async () => {
    charges = 0;
    const create = ['purchase', 'create', '--test-card', 'approved', '--amount', '1'];
    const { stdout, stderr } = await gw(place, [...create, '--reference', 'first', '-o', 'json']);
    token = String(JSON.parse(stdout || '{}').card_token ?? stderr);
  });

  test('count as done in a corrected file, and changed ones are sent', async () => {
    await charge([100, 200]);
    const corrected = await charge([100, 250]);
    expect(outcomesOf(corrected)).toEqual(['done, earlier', 'done']);
    expect(corrected.stderr).toContain('1 line without a reference was done by another batch');
    expect(charges).toBe(3);
  });

  test('are sent again by a batch with another name, once', async () => {
    await charge([100, 200], '--batch', 'march');
    expect(outcomesOf(await charge([100, 250], '--batch', 'march'))).toEqual([
      ...['done, earlier', 'done'],
    ]);
    expect(outcomesOf(await charge([100, 250], '--batch', 'april'))).toEqual(['done', 'done']);
    // Without a name nothing says that it is another month.
    expect(outcomesOf(await charge([100, 250]))).toEqual(['done, earlier', 'done, earlier']);
    expect(charges).toBe(5);
  });
});

test('a file and its correction send each line once if they run together', async () => {
  const rows = Array.from({ length: 60 }, (_, n): Row => [n % 8, 10, `R-${n}`]);
  const corrected = rows.map((row, n): Row => (n % 10 === 9 ? [row[0], 11, `N-${n}`] : row));
  const other = path.join(place.home, 'corrected.csv');
  writeFileSync(file, csv(rows));
  writeFileSync(other, csv(corrected));
  const both = await Promise.all(
    [file, other].map((name) => gw(place, ['refund', 'batch', name, '--concurrency', '4'])),
  );
  for (const { stderr } of both) expect(stderr).not.toContain('allow-duplicate');
  const counts = gateway.refunds();
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  expect(counts.size).toBe(66);
  for (const name of [file, other])
    expect((await gw(place, ['refund', 'batch', name])).code).toBe(0);
  expect(gateway.requests()).toBe(66);
});

/** The full size is GW_CORRECTIONS=100. */
const CORRECTIONS = Number(process.env.GW_CORRECTIONS ?? 6);

test(`no refund is sent twice over ${CORRECTIONS} corrections, with kills and lost answers`, {
  timeout: 30_000 + CORRECTIONS * 10_000,
}, async () => {
  const random = randomFrom(20_261_122);
  const rows = Array.from({ length: 80 }, (_, n): Row => [n % 8, 10, `R-${n}`]);
  gateway.options.perMille = { 'reset-before': 20, 'reset-after': 20, 'html-500': 20 };
  for (let turn = 0; turn < CORRECTIONS; turn++) {
    // Some lines get another reference or amount, one goes, one comes, and two change places.
    for (let changes = 0; changes < 5; changes++) {
      const at = Math.floor(random() * rows.length);
      const [purchase, amount, reference] = rows[at] ?? A;
      rows[at] =
        random() < 0.5 ? [purchase, amount + 1, reference] : [purchase, amount, `${reference}x`];
    }
    rows.splice(Math.floor(random() * rows.length), 1, [turn % 8, 10, `T-${turn}`]);
    const [last] = rows.splice(rows.length - 1, 1);
    rows.unshift(last ?? A);
    writeFileSync(file, csv(rows));
    const killAt = gateway.requests() + 1 + Math.floor(random() * 40);
    const running = [0, 1].map(() =>
      startGw(place, ['refund', 'batch', file, '--concurrency', '4']),
    );
    gateway.options.onMoment = (_, count) => {
      if (count === killAt) running[turn % 2]?.child.kill('SIGKILL');
    };
    for (const { ended } of running) expect((await ended).stderr).not.toContain('allow-duplicate');
    gateway.options.onMoment = () => undefined;
  }
  expect([...gateway.refunds()].filter(([, count]) => count > 1)).toEqual([]);
  const entries = await entriesOf(place);
  const done = entries.filter(({ state }) => state === 'done').map(({ reference }) => reference);
  expect(new Set(done).size).toBe(done.length);
  for (const reference of done) expect(gateway.refunds().get(String(reference))).toBe(1);
});
