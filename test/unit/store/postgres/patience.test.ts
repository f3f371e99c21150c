import { expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import type { FailureCode } from '../../../../src/failure-codes.ts';
import { Patience } from '../../../../src/store/postgres/patience.ts';
import { standingClock } from '../../../helpers/client.ts';

const failed = (code: FailureCode) => new Failure(code, 'It is away.', 'Wait.');
const AWAY = failed('ledger-unreachable');

function patient(maxMs: number, interrupted?: AbortSignal) {
  const said: string[] = [];
  const clock = standingClock();
  const patience = new Patience({
    clock,
    maxMs,
    ...(interrupted && { interrupted }),
    onAway: ({ code }) => said.push(code),
    onBack: () => said.push('back'),
  });
  return { patience, said, clock };
}

test('gw does not wait for a server that was never reached', async () => {
  const { patience, said } = patient(60_000);
  expect(await patience.waits(AWAY)).toBe(false);
  expect(said).toEqual([]);
});

test('gw waits for a server that was reached, with growing pauses', async () => {
  const { patience, said, clock } = patient(60_000);
  patience.met();
  for (let times = 0; times < 7; times++) expect(await patience.waits(AWAY)).toBe(true);
  expect(clock.pauses).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  patience.met();
  expect(await patience.waits(failed('ledger-busy'))).toBe(true);
  expect(clock.pauses.at(-1)).toBe(100);
  expect(said).toEqual(['ledger-unreachable', 'back', 'ledger-busy']);
});

test('gw gives up after too long', async () => {
  const { patience, clock } = patient(1_000);
  patience.met();
  let times = 0;
  while (await patience.waits(AWAY)) times++;
  expect(times).toBe(4);
  expect(clock.pauses.reduce((sum, ms) => sum + ms)).toBe(1_500);
  expect(await patience.waits(AWAY)).toBe(false);
});

test('gw does not wait after an interruption or for a lasting failure', async () => {
  const user = new AbortController();
  const { patience } = patient(60_000, user.signal);
  patience.met();
  expect(await patience.waits(failed('ledger-refused'))).toBe(false);
  expect(await patience.waits(AWAY)).toBe(true);
  user.abort();
  expect(await patience.waits(AWAY)).toBe(false);
});
