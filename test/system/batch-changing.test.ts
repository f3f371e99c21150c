/**
 * A batch sends what was checked, and nothing else: files that change while the gateway holds one of
 * its lines. The gateway is of this process, so the change has happened before the line is answered.
 */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gw, type Place, placeFor, resultsOf } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let gateway: FaultGateway;
let place: Place;
let file: string;
let rows: string[];

const HEADER = 'transaction_id,amount,reference\n';
const LIMITS = ['--max-count', '4', '--max-total', '400'];

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
  file = path.join(place.home, 'refunds.csv');
  const ids = await gateway.purchases(7, 900_000);
  rows = ids.map((id, n) => `${id},${n < 4 ? 100 : 900_000},R-${n}\n`);
  writeFileSync(file, HEADER + rows.slice(0, 4).join(''));
});
afterEach(() => gateway.close());

const changed = () => HEADER + rows[0] + rows[1]?.replace(',100,', ',900,') + rows[2] + rows[3];

const CHANGES: readonly [string, () => void][] = [
  ['grows', () => appendFileSync(file, rows.slice(4).join(''))],
  ['shrinks', () => truncateSync(file, HEADER.length + (rows[0]?.length ?? 0))],
  ['is emptied', () => truncateSync(file, 0)],
  ['is edited in place', () => writeFileSync(file, changed(), { flag: 'r+' })],
  [
    'is edited in place, and its times are set back',
    () => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, changed(), { flag: 'r+' });
      utimesSync(file, atime, mtime);
    },
  ],
  [
    'is replaced',
    () => {
      writeFileSync(`${file}.new`, changed());
      renameSync(`${file}.new`, file);
    },
  ],
  ['is removed', () => rmSync(file)],
];

/** Has something happen while the gateway holds the first line. */
function whileFirstIsHeld(happens: () => void): void {
  gateway.options.onMoment = (moment, count) => {
    if (moment === 'arrived' && count === 1) happens();
  };
}

describe.each([
  ['sandbox', []],
  ['live', ['--confirm', 'environment']],
])('on a %s profile', (environment, confirmed) => {
  test.each(CHANGES)('a file that %s adds nothing, and stops the batch', async (_, happens) => {
    place.env.GW_ENVIRONMENT = environment;
    gateway.options.isLive = environment === 'live';
    whileFirstIsHeld(happens);
    const args = ['refund', 'batch', file, '--concurrency', '1', ...LIMITS, ...confirmed];
    const ended = await gw(place, args);
    expect(ended.code, ended.stderr).toBe(9);
    expect(ended.stderr).toContain('the input has changed since it was checked');
    const outcomes = resultsOf(ended).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['done', 'not-started', 'not-started', 'not-started']);
    expect(gateway.refunds()).toEqual(new Map([['R-0', 1]]));
  });
});

test.each(CHANGES)('a file that %s when every line is in flight is told of', async (_, happens) => {
  gateway.options.onMoment = (moment, count) => {
    if (moment === 'arrived' && count === 4) happens();
  };
  const ended = await gw(place, ['refund', 'batch', file, '--concurrency', '4', ...LIMITS]);
  expect(ended.code, ended.stderr).toBe(9);
  expect(ended.stderr).toContain(
    'All lines are done, but the input has changed since it was checked.',
  );
  expect([...gateway.refunds().keys()].sort()).toEqual(['R-0', 'R-1', 'R-2', 'R-3']);
});

test('what was added is sent by the next run, under the limits of that one', async () => {
  whileFirstIsHeld(() => appendFileSync(file, rows.slice(4).join('')));
  const args = ['refund', 'batch', file, '--concurrency', '1'];
  await gw(place, [...args, ...LIMITS]);
  gateway.options.onMoment = () => undefined;
  expect((await gw(place, [...args, ...LIMITS])).code).toBe(10);
  const again = await gw(place, args);
  expect(again.code, again.stderr).toBe(0);
  expect([...gateway.refunds().values()]).toEqual(Array(7).fill(1));
});

test.each<[string, () => void]>([
  ['touched', () => utimesSync(file, new Date(0), new Date(0))],
  ['given another mode', () => chmodSync(file, 0o644)],
  ['saved again as it is', () => writeFileSync(file, readFileSync(file))],
  [
    'replaced by the same',
    () => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
])('a file that is %s is the same', async (_, happens) => {
  whileFirstIsHeld(happens);
  const ended = await gw(place, ['refund', 'batch', file, '--concurrency', '1']);
  expect(ended.code, ended.stderr).toBe(0);
});

test('a link that leads to another file meanwhile stops the batch', async () => {
  const link = path.join(place.home, 'link');
  symlinkSync(file, link);
  writeFileSync(`${file}.other`, changed());
  whileFirstIsHeld(() => {
    unlinkSync(link);
    symlinkSync(`${file}.other`, link);
  });
  const ended = await gw(place, ['refund', 'batch', link, '--concurrency', '1']);
  expect(ended.code, ended.stderr).toBe(9);
  expect(gateway.requests()).toBe(1);
});

test.skipIf(!havePrograms('bash')).each<[string, string, boolean]>([
  ['stdin', '"$0" "$1" refund batch - --concurrency 1 < "$2"', true],
  ['/dev/stdin', '"$0" "$1" refund batch /dev/stdin --concurrency 1 < "$2"', true],
  ['a pipe', 'cat "$2" | "$0" "$1" refund batch --concurrency 1', false],
  ['a substitution', '"$0" "$1" refund batch <(cat "$2") --concurrency 1', false],
])('rows that appear in a file behind %s are not sent', async (_, command, isNoticed) => {
  whileFirstIsHeld(() => appendFileSync(file, rows.slice(4).join('')));
  const ended = await run('bash', ['-c', command, process.execPath, PROGRAM, file], {
    cwd: place.home,
    env: place.env,
  });
  expect(ended.code, ended.stderr).toBe(isNoticed ? 9 : 0);
  expect(gateway.requests()).toBe(isNoticed ? 1 : 4);
});

test.skipIf(!havePrograms('script'))(
  'a file that changes while it is confirmed sends nothing',
  async () => {
    const command = `'${process.execPath}' '${PROGRAM}' refund batch '${file}'`;
    const running = start('script', ['-qec', command, '/dev/null'], {
      cwd: place.home,
      env: { ...place.env, GW_ENVIRONMENT: 'live' },
    });
    await running.printed(/to confirm:/);
    appendFileSync(file, rows[4] ?? '');
    running.child.stdin?.write('environment\r');
    const ended = await running.ended;
    expect(ended.stdout).toContain('The input has changed since it was checked.');
    expect(ended.code).toBe(2);
    expect(gateway.requests()).toBe(0);
  },
);
