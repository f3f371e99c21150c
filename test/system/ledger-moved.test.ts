/** The ledger's file is moved, replaced or linked while the built program uses it: nothing more is sent. */
import { cpSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entriesOf, gw, type Place, placeFor, resultsOf, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { chargeText, post, startListener } from '../helpers/listener.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let gateway: FaultGateway;
let place: Place;

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  place = placeFor(temporaryDirectory(), gateway.url);
});
afterEach(() => gateway.close());

const stateOf = (home: string) => path.join(home, '.local/state/gw');
const AT_ONCE = 4;

test.each<[what: string, move: (state: string) => void]>([
  ['moved', (state) => renameSync(state, `${state}.old`)],
  [
    'replaced by a copy',
    (state) => {
      cpSync(state, `${state}.new`, { recursive: true });
      renameSync(state, `${state}.old`);
      renameSync(`${state}.new`, state);
    },
  ],
])('a batch whose ledger is %s stops, and goes on when it is back', async (_, move) => {
  const { file } = writeRefunds(place, await gateway.purchases(30, 1_000), 60);
  const state = stateOf(place.home);
  gateway.options.onMoment = (moment, count) => {
    if (moment === 'arrived' && count === 20) move(state);
  };
  const args = ['refund', 'batch', file, '--concurrency', String(AT_ONCE)];
  const stopped = await gw(place, args);
  expect(stopped.code, stopped.stderr).toBe(10);
  expect(stopped.stderr).toMatch(/No more were started: .* was moved, deleted or replaced/);
  expect(stopped.stderr).toMatch(/Put back the file that was there, with its log/);
  expect(gateway.requests()).toBeLessThan(20 + AT_ONCE);
  // gw prints answers that it could not write to the ledger.
  const told = resultsOf(stopped).filter(({ outcome }) => outcome === 'done').length;
  expect(told).toBe([...gateway.refunds().values()].length);

  rmSync(state, { recursive: true, force: true });
  renameSync(`${state}.old`, state);
  const again = await gw(place, [...args, '--no-input']);
  expect([0, 9]).toContain(again.code);
  expect(Math.max(...gateway.refunds().values())).toBe(1);
  const states = new Set((await entriesOf(place)).map((entry) => entry.state));
  expect([...states].sort()).toEqual(['done', 'unknown']);
});

test('a batch whose last outcomes are not recorded says so and fails', async () => {
  const { file } = writeRefunds(place, await gateway.purchases(2, 1_000), 2);
  const state = stateOf(place.home);
  let arrived = 0;
  gateway.options.onMoment = (moment) => {
    if (moment === 'processed' && ++arrived === 2) renameSync(state, `${state}.old`);
  };
  const ended = await gw(place, ['refund', 'batch', file]);
  expect(ended.code, ended.stderr).toBe(10);
  expect(ended.stderr).toMatch(/All lines are done, but .* was moved, deleted or replaced/);
});

test('a request whose outcome is not recorded says so, and what to do', async () => {
  const [purchase = ''] = await gateway.purchases(1, 1_000);
  const state = stateOf(place.home);
  gateway.options.onMoment = (moment) => {
    if (moment === 'arrived') renameSync(state, `${state}.old`);
  };
  const args = ['--transaction-id', purchase, '--amount', '100', '--reference', 'R-1', '-o', 'id'];
  const ended = await gw(place, ['refund', 'create', ...args]);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/-R-/) });
  expect(ended.stderr).toMatch(/the journal does not have this answer\. .* Put back the file/);
});

test('a ledger with a second name accepts no money requests and no events', async () => {
  const [purchase = ''] = await gateway.purchases(1, 1_000);
  await gw(place, ['journal', 'list']);
  const second = temporaryDirectory();
  mkdirSync(stateOf(second), { recursive: true });
  linkSync(path.join(stateOf(place.home), 'ledger.db'), path.join(stateOf(second), 'ledger.db'));
  const refund = ['refund', 'create', '--transaction-id', purchase, '--amount', '100'];
  for (const home of [place.home, second]) {
    const at = { ...placeFor(home, gateway.url), home };
    for (const args of [
      [...refund, '--reference', 'R-1'],
      ['listen', '--port', '0'],
    ])
      expect(await gw(at, args)).toMatchObject({
        code: 10,
        stderr: expect.stringMatching(/has a second name[\s\S]* Remove the other name\./),
      });
  }
  expect(gateway.requests()).toBe(0);
});

test('a listener whose ledger is moved refuses deliveries until it is back, so that they are repeated', async () => {
  const home = temporaryDirectory();
  const listener = await startListener(home);
  const send = async (id: string) => (await post(listener.url, chargeText(id))).status;
  const state = stateOf(home);
  expect(await send('P-1')).toBe(200);
  renameSync(state, `${state}.old`);
  for (const id of ['P-2', 'P-3']) expect(await send(id)).toBe(503);
  expect(listener.output().match(/was moved, deleted or replaced/g)).toHaveLength(1);
  renameSync(`${state}.old`, state);
  expect(await send('P-2')).toBe(200);
  await listener.printed(/The ledger is working again; 2 deliveries were answered with 503\./);
});
