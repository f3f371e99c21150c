/** Exchanges that are ended from this side: by the time limit, or by the person at the keyboard. */
import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../../../src/failure-codes.ts';
import { ANSWERS, CALLS, type EffectName, ENVELOPE } from '../../../helpers/calls.ts';
import {
  createTestClient,
  standingClock,
  type TestClientOptions,
} from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { type OpenSender, SENDERS } from '../../../helpers/senders.ts';

const EFFECTS = ['read', 'write', 'money', 'destroy'] as const;

/** The failure of a request that was interrupted after it left. */
const AFTER_SENDING: Readonly<Record<EffectName, FailureKind>> = {
  read: 'interrupted',
  write: 'unknown',
  destroy: 'unknown',
  money: 'unknown',
};

describe.each(SENDERS)('over %s', (_, openSender) => {
  describe.each(EFFECTS)('a %s', (effect) => {
    test('that is interrupted before sending is not sent', async () => {
      const server = await hostileServer({});
      const interrupted = AbortSignal.abort();
      const { failure, states } = await fail(effect, openSender, {
        baseUrl: server.url,
        interrupted,
      });
      expect(failure).toMatchObject({ kind: 'interrupted', exitCode: 130 });
      expect(server.received).toBe('');
      expect(states).toEqual(effect === 'money' ? ['not-sent'] : []);
    });

    test('that is interrupted while it connects is never sent', async () => {
      // It waits for a TLS handshake; this server reads the greeting and says nothing.
      const controller = new AbortController();
      const server = await hostileServer({
        onConnection: (socket) => void socket.once('data', () => controller.abort()),
      });
      const { failure, losses, states } = await fail(effect, openSender, {
        baseUrl: new URL(`https://127.0.0.1:${server.port}`),
        interrupted: controller.signal,
      });
      expect(failure.kind).toBe('interrupted');
      expect(losses.map(({ sent }) => sent)).toEqual([false]);
      expect(states).toEqual(effect === 'money' ? ['not-sent'] : []);
    });

    test('that is interrupted while it waits for the answer is unknown, unless it is a read', async () => {
      const controller = new AbortController();
      const server = await hostileServer({ onRequest: () => controller.abort() });
      const { failure, losses, states } = await fail(effect, openSender, {
        baseUrl: server.url,
        interrupted: controller.signal,
      });
      expect(failure.kind).toBe(AFTER_SENDING[effect]);
      expect(failure.message).toContain('nterrupted');
      expect(losses.map(({ sent }) => sent)).toEqual([true]);
      expect(server.requests).toHaveLength(1);
      expect(states).toEqual(effect === 'money' ? ['unknown'] : []);
    });

    test('that is interrupted in the middle of the answer is unknown, unless it is a read', async () => {
      const controller = new AbortController();
      const server = await hostileServer({
        onRequest: (socket) =>
          socket.write(answer(200, ENVELOPE.slice(0, 9), { 'content-length': '99' }), () =>
            controller.abort(),
          ),
      });
      const { failure, states } = await fail(effect, openSender, {
        baseUrl: server.url,
        interrupted: controller.signal,
      });
      expect(failure.kind).toBe(AFTER_SENDING[effect]);
      expect(states).toEqual(effect === 'money' ? ['unknown'] : []);
    });

    test('takes a time limit with a fraction of a millisecond', async () => {
      const ok = answer(200, ANSWERS[effect]);
      const server = await hostileServer({ onRequest: (socket) => socket.write(ok) });
      const { client } = createTestClient({
        baseUrl: server.url,
        sender: await openSender(),
        timeoutMs: 1.001 * 1000 * 60,
      });
      await client.call(...CALLS[effect]);
      await client.close();
    });
  });

  test('a read that is interrupted during a pause is not sent again', async () => {
    const controller = new AbortController();
    const server = await hostileServer({ onRequest: (socket) => socket.write(answer(503)) });
    const { client } = createTestClient({
      baseUrl: server.url,
      sender: await openSender(),
      interrupted: controller.signal,
      clock: {
        ...standingClock(),
        async sleep(_, signal) {
          controller.abort();
          signal?.throwIfAborted();
        },
      },
    });
    const failure = await failureOf(() => client.call(...CALLS.read));
    await client.close();
    expect(failure).toMatchObject({ kind: 'interrupted', operation: 'purchase get' });
    expect(server.requests).toHaveLength(1);
  });
});

async function fail(
  effect: EffectName,
  openSender: OpenSender,
  options: Omit<TestClientOptions, 'sender'>,
) {
  const { client, losses, openLedger } = createTestClient({
    ...options,
    sender: await openSender(),
  });
  const failure = await failureOf(() => client.call(...CALLS[effect]));
  await client.close();
  const ledger = await openLedger();
  const entries = await ledger.list({ limit: 9 });
  await ledger.close();
  return { failure, losses, states: entries.map(({ state }) => state) };
}
