/** Nobody waits for a gateway unawares. */
import { expect, test } from 'vitest';
import { createSingleSender } from '../../../src/client/senders/single.ts';
import { sayWaiting } from '../../../src/requests/say-waiting.ts';
import { CALLS } from '../../helpers/calls.ts';
import { Capture } from '../../helpers/capture.ts';
import { NOW, standingClock } from '../../helpers/client.ts';
import { testConnection } from '../../helpers/connection.ts';
import { answer, hostileServer } from '../../helpers/hostile-server.ts';

const SAID = 'The gateway is busy or cannot be reached. gw tries again in';

test('a wait is announced once for all look-ups, and the next wait is announced again', () => {
  let now = Date.parse(NOW);
  const said: string[] = [];
  const wait = sayWaiting({ now: () => new Date(now) }, (text) => said.push(text));
  for (const ms of [2_999, 20_000, 20_000, 22_000, 500]) wait(ms);
  now += 20_000;
  for (const ms of [20_000, 20_500]) wait(ms);
  expect(said).toEqual([
    `${SAID} 20 s, on 2026-03-10 at 09:30:20 UTC.\n`,
    `${SAID} 20 s, on 2026-03-10 at 09:30:40 UTC.\n`,
  ]);
});

test.each([
  ['20', `${SAID} 20 s, on 2026-03-10 at 09:30:20 UTC.\n`],
  ['0', ''],
  ['3600', ''],
])('a look-up that may come back in %s s announces its wait if it waits', async (value, said) => {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(429, '', { 'retry-after': value })),
  });
  const stderr = new Capture();
  const client = testConnection({
    host: { clock: standingClock(), stderr },
    profile: { baseUrl: server.url },
    options: { recordsMoney: true },
    parts: { openSender: async () => createSingleSender() },
  });
  await expect(client.call(...CALLS.read)).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(stderr.text).toBe(said);
  await client.close();
});
