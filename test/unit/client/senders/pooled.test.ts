/** Connections that are used again, and those that the gateway has closed meanwhile. */
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createPooledSender } from '../../../../src/client/senders/pooled.ts';
import type { WireRequest } from '../../../../src/client/senders/sender.ts';
import { ENVELOPE } from '../../../helpers/calls.ts';
import { answer, type Behaviour, hostileServer } from '../../../helpers/hostile-server.ts';
import { unlimited } from '../../../helpers/senders.ts';

const look = (url: URL): WireRequest => ({ method: 'GET', url, headers: {} });

async function lookMany(behaviour: Behaviour, count: number, atOnce: number) {
  const server = await hostileServer(behaviour);
  const sender = await createPooledSender({ connections: 4, env: {} });
  const statuses: number[] = [];
  const next = async () => {
    while (statuses.length < count) {
      const { status } = await sender.send(look(server.url), unlimited());
      statuses.push(status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  await sender.close();
  return { statuses: new Set(statuses), connections: server.connections };
}

test('the pool opens as many connections as it may', async () => {
  const waiting: Socket[] = [];
  let most = 0;
  const behaviour: Behaviour = {
    onRequest(socket, _, index) {
      most = Math.max(most, waiting.push(socket));
      // The first ones are answered when all that can come at once have come.
      if (index >= 3) for (const each of waiting.splice(0)) each.write(answer(200, ENVELOPE));
    },
  };
  const { statuses, connections } = await lookMany(behaviour, 200, 20);
  expect([...statuses]).toEqual([200]);
  expect(connections).toBe(4);
  expect(most).toBe(4);
});

test('no request is lost if the gateway announces the end of a connection', async () => {
  const behaviour: Behaviour = {
    onRequest: (socket) => socket.end(answer(200, ENVELOPE, { connection: 'close' })),
  };
  const { statuses } = await lookMany(behaviour, 200, 8);
  expect([...statuses]).toEqual([200]);
});

test('no request is lost if the gateway closes connections silently', async () => {
  const behaviour: Behaviour = { onRequest: (socket) => socket.end(answer(200, ENVELOPE)) };
  const { statuses } = await lookMany(behaviour, 200, 8);
  expect([...statuses]).toEqual([200]);
});

test('an unrequested answer is not taken for the next one', async () => {
  const behaviour: Behaviour = {
    onRequest: (socket, _, index) =>
      socket.write(
        index === 0 ? answer(200, 'mine') + answer(200, 'planted') : answer(200, 'next'),
      ),
  };
  const server = await hostileServer(behaviour);
  const sender = await createPooledSender({ connections: 1, env: {} });
  expect((await sender.send(look(server.url), unlimited())).body).toBe('mine');
  const second = await sender.send(look(server.url), unlimited()).catch((error: Error) => error);
  expect(second).not.toMatchObject({ body: 'planted' });
  await sender.close();
});
