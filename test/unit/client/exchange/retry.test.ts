/** When a read is tried again, how often, and after which pauses. */
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../../src/client/exchange/retry.ts';
import { createSingleSender } from '../../../../src/client/senders/single.ts';
import { CALLS, type EffectName, ENVELOPE } from '../../../helpers/calls.ts';
import { createTestClient, NOW } from '../../../helpers/client.ts';
import { answer, CLOSED_ADDRESS, hostileServer } from '../../../helpers/hostile-server.ts';

/** Calls a gateway that answers one after the other, then the last for ever. */
async function call(answers: readonly string[], effect: EffectName = 'read', random = 0) {
  const server = await hostileServer({
    onRequest: (socket, _, index) => socket.write(answers[index] ?? answers.at(-1)!),
  });
  const { client, clock } = createTestClient({
    baseUrl: server.url,
    sender: createSingleSender(),
    random: () => random,
  });
  const outcome = await client.call(...CALLS[effect]).then(
    () => 'done',
    (error: { kind: string }) => error.kind,
  );
  await client.close();
  return { outcome, pauses: clock.pauses, requests: server.requests.length };
}

const busy = (retryAfter?: string) =>
  answer(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
const inSeconds = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toUTCString();

test.each([502, 503, 504, 429])('a read answered with %i is tried four times', async (status) => {
  expect(await call([answer(status)])).toMatchObject({ requests: 4, pauses: [125, 250, 500] });
});

test('pauses double, and start at a random length', async () => {
  expect((await call([answer(502)], 'read', 1)).pauses).toEqual([250, 500, 1000]);
});

test('a read is not repeated after a success', async () => {
  const answers = [answer(503), answer(503), answer(200, ENVELOPE)];
  expect(await call(answers)).toEqual({ outcome: 'done', requests: 3, pauses: [125, 250] });
});

test.each(['write', 'money', 'destroy'] as const)('a %s is never tried again', async (effect) => {
  for (const status of [429, 502, 503, 504]) {
    expect(await call([answer(status)], effect)).toMatchObject({ requests: 1, pauses: [] });
  }
});

test('a read that cannot connect is tried four times', async () => {
  const { client, clock, losses } = createTestClient({
    baseUrl: CLOSED_ADDRESS,
    sender: createSingleSender(),
  });
  await expect(client.call(...CALLS.read)).rejects.toMatchObject({ kind: 'notReached' });
  expect(losses).toHaveLength(4);
  expect(clock.pauses).toEqual([125, 250, 500]);
});

describe('Retry-After', () => {
  test.each([
    ['in seconds', '2', [2000, 2000, 2000]],
    ['at once', '0', [0, 0, 0]],
    ['by a date', inSeconds(5), [5000, 5000, 5000]],
    ['by a date that has passed', inSeconds(-5), [0, 0, 0]],
    ['in the longest time that is waited', '30', [30_000, 30_000, 30_000]],
  ])('%s is followed', async (_, value, pauses) => {
    expect(await call([busy(value)])).toEqual({ outcome: 'rejected', requests: 4, pauses });
  });

  test.each(['31', '99999999999999999999', inSeconds(31)])(
    'beyond the longest wait (%s) ends the attempts',
    async (value) => {
      expect(await call([busy(value)])).toEqual({ outcome: 'rejected', requests: 1, pauses: [] });
    },
  );

  test.each(['', 'soon', '-5', '1.5', '1, 2', '2026-03-10', 'Infinity', '1e3'])(
    'that gw cannot read (%j) is replaced by the usual pause',
    async (value) => {
      expect((await call([busy(value)])).pauses).toEqual([125, 250, 500]);
    },
  );

  test('is undefined if there is no header', () => {
    expect(retryAfterMs(undefined, new Date(NOW))).toBeUndefined();
  });
});
