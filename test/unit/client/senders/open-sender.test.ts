/** Which way requests travel. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSender, type SenderNeeds } from '../../../../src/client/connection/wire.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { ENVELOPE } from '../../../helpers/calls.ts';
import { standingClock } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { unlimited } from '../../../helpers/senders.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const clock = standingClock();
const open = (needs: Partial<SenderNeeds>) =>
  openSender({ embedded: undefined, clock, inFlight: 1, env: {}, ...needs });

const LIST = {
  method: 'GET',
  url: new URL('http://127.0.0.1:4010/v1.0/plans.json'),
  headers: { authorization: basicAuthorization('TEST', 'TEST') },
};

test('requests to the test gateway open no connection', async () => {
  const sender = await open({ embedded: path.join(temporaryDirectory(), 'emulator.db') });
  const { status, body } = await sender.send(LIST, unlimited());
  await sender.close();
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ successful: true, response: [] });
});

test('nothing is sent to the test gateway if the program is already interrupted', async () => {
  const sender = await open({ embedded: path.join(temporaryDirectory(), 'emulator.db') });
  await expect(
    sender.send(LIST, { ...unlimited(), interrupted: AbortSignal.abort() }),
  ).rejects.toMatchObject({ sent: false });
  await sender.close();
});

test('a damaged state of the test gateway is a usage error that names the file', async () => {
  const file = path.join(temporaryDirectory(), 'emulator.db');
  writeFileSync(file, 'no database at all, but long enough to be one'.repeat(100));
  const failure = await failureOf(() => open({ embedded: file }));
  expect(failure.kind).toBe('usage');
  expect(failure.message).toContain(file);
});

test.each([
  ['one at a time', 1, 'close'],
  ['several at a time', 2, 'keep-alive'],
])('%s, the gateway is told what becomes of the connection', async (_, inFlight, connection) => {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
  });
  const sender = await open({ inFlight });
  await sender.send({ ...LIST, url: server.url }, unlimited());
  await sender.close();
  expect(server.requests[0]?.headers.connection).toBe(connection);
});
