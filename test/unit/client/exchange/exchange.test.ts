/** One request and what came of it, as those are told who watch. */
import { expect, test } from 'vitest';
import { exchange } from '../../../../src/client/exchange/exchange.ts';
import { wireRequest } from '../../../../src/client/exchange/wire-request.ts';
import { createSingleSender } from '../../../../src/client/senders/single.ts';
import { CALLS, ENVELOPE } from '../../../helpers/calls.ts';
import { standingClock } from '../../../helpers/client.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

test('the trace reports every attempt and its result', async () => {
  const server = await hostileServer({
    onRequest: (socket, _, index) =>
      socket.write(index === 0 ? answer(503) : answer(200, ENVELOPE)),
  });
  const told: string[] = [];
  const wire = {
    baseUrl: server.url,
    authorization: 'Basic c2hvcDp0b2tlbg==',
    userAgent: 'gw/1.2.3',
    sender: createSingleSender(),
    clock: standingClock(),
    random: () => 0,
    interrupted: new AbortController().signal,
    timeoutMs: undefined,
    scrub: (text: string) => text,
    trace: {
      request: (request: { method: string }, attempt: number) =>
        void told.push(`${request.method} ${attempt}`),
      reply: (reply: { status: number }) => void told.push(String(reply.status)),
      lost: (error: Error) => void told.push(error.message),
    },
  };
  const [operation, input] = CALLS.read;
  await exchange(wire, { operation, input }, wireRequest(wire, operation, input));
  expect(told).toEqual(['GET 0', '503', 'GET 1', '200']);
});
