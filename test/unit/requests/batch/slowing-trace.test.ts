/** What a run says of the pauses that a gateway asks for, and when it ends instead. */
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../../src/client/exchange/retry.ts';
import { Pace } from '../../../../src/requests/batch/engine/pace.ts';
import { Stop } from '../../../../src/requests/batch/engine/stop.ts';
import { heed } from '../../../../src/requests/batch/slowing-trace.ts';
import { NOW } from '../../../helpers/client.ts';

/** @returns what is said of the answers with these headers, and why no more lines are started */
async function busy(...values: readonly string[]) {
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => signal?.addEventListener('abort', reject));
  const clock = { now: () => new Date(NOW), uptimeMs: () => 0, sleep };
  const stop = new Stop();
  const pace = new Pace({ clock, concurrency: 4, perSecond: undefined, stopped: stop.signal });
  const said: string[] = [];
  heed(pace, stop, { clock }, (text) => said.push(text));
  for (const value of values) {
    const reply = { status: 429, headers: { 'retry-after': value }, body: '' };
    pace.slowDown(retryAfterMs(reply, new Date(NOW)));
  }
  const waiting = Array.from({ length: 20 }, () => pace.enter());
  // The clock stands, so that they wait until they are let go.
  await new Promise(setImmediate);
  const { reason } = stop;
  stop.because({ why: 'the test is over' });
  expect(await Promise.all(waiting)).toEqual(Array(20).fill(false));
  return { said: [...new Set(said)], times: said.length, reason };
}

test.each([
  ['60', 'in 60 s, on 2026-03-10 at 09:31:00 UTC'],
  ['120', 'in 120 s, on 2026-03-10 at 09:32:00 UTC'],
  ['Tue, 10 Mar 2026 09:30:30 GMT', 'in 30 s, on 2026-03-10 at 09:30:30 UTC'],
])('a pause until %s is said once, with its end', async (value, end) => {
  expect(await busy(value, value)).toMatchObject({
    said: [`The gateway is busy or cannot be reached. gw tries again ${end}.\n`],
    times: 1,
    reason: undefined,
  });
});

test.each(['-5', '1e99', 'soon', '', '1', '2'])('a moment (%j) is not said', async (value) => {
  expect(await busy(value)).toMatchObject({ said: [], reason: undefined });
});

test.each([
  ['121', '2026-03-10 at 09:32:01 UTC'],
  ['3600', '2026-03-10 at 10:30:00 UTC'],
  ['Thu, 01 Jan 2099 00:00:00 GMT', '2099-01-01 at 00:00:00 UTC'],
])(
  'what asks for more than two minutes (%s) ends the run, and says until when',
  async (value, end) => {
    const { reason } = await busy(value);
    expect(reason?.why).toContain(`a pause until ${end}`);
    expect(reason?.next).toBe(`The gateway takes requests again on ${end}.`);
  },
);

test.each(['99999999999999999999', '9'.repeat(400)])(
  'what is no date any more ends it, too: %s',
  async (value) => {
    expect((await busy(value)).reason?.next).toContain('Ask whoever runs the gateway');
  },
);
