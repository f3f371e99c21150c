/**
 * A batch sends what was checked, and nothing else: files that change while the gateway holds one of
 * its lines. The gateway is of this process, so the change has happened before the line is answered.
 */
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entriesOf, gw, type Place, placeFor, resultsOf } from '../helpers/batch.ts';
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

/** The first four refunds, as they were when gw checked them. */
const CHECKED = new Map(['R-0', 'R-1', 'R-2', 'R-3'].map((reference) => [reference, 1]));

describe.each([
  ['sandbox', []],
  ['live', ['--confirm', 'environment']],
])('on a %s profile', (environment, confirmed) => {
  test.each(CHANGES)('a file that %s is sent with its checked lines', async (_, happens) => {
    place.env.GW_ENVIRONMENT = environment;
    gateway.options.isLive = environment === 'live';
    whileFirstIsHeld(happens);
    const args = ['refund', 'batch', file, '--concurrency', '1', ...LIMITS, ...confirmed];
    const ended = await gw(place, args);
    expect(ended.code, ended.stderr).toBe(0);
    expect(resultsOf(ended).map(({ outcome }) => outcome)).toEqual(Array(4).fill('done'));
    expect(gateway.refunds()).toEqual(CHECKED);
    const entries = await entriesOf(place);
    expect(entries.map(({ amount }) => amount)).toEqual(Array(4).fill(100));
  });
});

test('the next run sends the added rows, under its own limits', async () => {
  whileFirstIsHeld(() => appendFileSync(file, rows.slice(4).join('')));
  const args = ['refund', 'batch', file, '--concurrency', '1'];
  await gw(place, [...args, ...LIMITS]);
  gateway.options.onMoment = () => undefined;
  expect((await gw(place, [...args, ...LIMITS])).code).toBe(10);
  const again = await gw(place, args);
  expect(again.code, again.stderr).toBe(0);
  expect([...gateway.refunds().values()]).toEqual(Array(7).fill(1));
});

test.skipIf(!havePrograms('bash')).each([
  ['stdin', '"$0" "$1" refund batch - --concurrency 1 < "$2"'],
  ['/dev/stdin', '"$0" "$1" refund batch /dev/stdin --concurrency 1 < "$2"'],
  ['a pipe', 'cat "$2" | "$0" "$1" refund batch --concurrency 1'],
  ['a substitution', '"$0" "$1" refund batch <(cat "$2") --concurrency 1'],
])('rows that are added to a file after %s are not sent', async (_, command) => {
  whileFirstIsHeld(() => appendFileSync(file, rows.slice(4).join('')));
  const ended = await run('bash', ['-c', command, process.execPath, PROGRAM, file], {
    cwd: place.home,
    env: place.env,
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(gateway.refunds()).toEqual(CHECKED);
});

test.skipIf(!havePrograms('script'))(
  'a file that changes during the confirmation is sent as it was shown',
  async () => {
    const command = `'${process.execPath}' '${PROGRAM}' refund batch '${file}'`;
    gateway.options.isLive = true;
    const running = start('script', ['-qec', command, '/dev/null'], {
      cwd: place.home,
      env: { ...place.env, GW_ENVIRONMENT: 'live' },
    });
    await running.printed(/to confirm:/);
    appendFileSync(file, rows[4] ?? '');
    running.child.stdin?.write('environment\r');
    const ended = await running.ended;
    expect(ended.code, ended.stdout).toBe(0);
    expect(gateway.refunds()).toEqual(CHECKED);
  },
);
