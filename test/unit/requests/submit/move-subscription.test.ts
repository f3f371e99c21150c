/** `gw subscription move`, where the gateway goes away between its two requests, and of a stopped subscription. */
import { expect, test } from 'vitest';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, type HostileServer, hostileServer } from '../../../helpers/hostile-server.ts';

const SUBSCRIPTION = {
  id: 'S-1',
  reference: 'SUB-1',
  customer: 'C-1',
  plan: 'GOLD',
  frequency: 'Monthly',
  next_billing_date: '2026-02-15',
};

interface Setting {
  subscription?: object;
  /** How the second request ends. */
  second?: 'unsent' | 'rejected';
}

function gatewayWith({ subscription = SUBSCRIPTION, second }: Setting): Promise<HostileServer> {
  const server = hostileServer({
    async onRequest(socket, { method, target }) {
      const response = target.includes('/plans/') ? { id: 'SILVER', amount: 1 } : subscription;
      const isFound = !target.includes('SUB-1-SILVER');
      const isDone = isFound && !(second === 'rejected' && method === 'POST');
      const body = isDone
        ? { successful: true, response, errors: [], test: true }
        : { successful: false, response: {}, errors: ['Not possible'], test: true };
      const status = isFound ? 400 : 404;
      socket.end(answer(isDone ? 200 : status, JSON.stringify(body), { connection: 'close' }));
      if (second === 'unsent' && method === 'PUT') await (await server).close();
    },
  });
  return server;
}

async function move({ url }: HostileServer) {
  const argv = ['subscription', 'move', 'SUB-1', '--plan', 'SILVER', '--no-input'];
  const { failure } = await runCommand('fast path', argv, {
    env: {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: url.href,
      GW_ENVIRONMENT: 'sandbox',
    },
  });
  return failure;
}

test.each([
  ['unsent', { code: 'not-reached', kind: 'notReached' }],
  ['rejected', { code: 'rejected-by-gateway', kind: 'rejected' }],
] as const)(
  'a move whose second request is %s says that the subscription was stopped',
  async (second, failed) => {
    const failure = await move(await gatewayWith({ second }));
    expect(failure).toMatchObject({ ...failed, operation: 'subscription move' });
    expect(failure?.message).toMatch(/^SUB-1 was stopped, but the new one was not created\. /);
    expect(failure?.next).toBe(
      'To keep billing as before, run `gw subscription resume S-1`. To finish the move, run `gw subscription create` with a new reference.',
    );
    expect(failure?.sent).toBeUndefined();
  },
);

test.each([false, 'false', 0])('a subscription whose is_active is %j is not moved', async (no) => {
  const server = await gatewayWith({ subscription: { ...SUBSCRIPTION, is_active: no } });
  const failure = await move(server);
  expect(failure).toMatchObject({ kind: 'usage', code: 'subscription-stopped' });
  expect(failure?.next).toMatch(/`gw subscription create`.*`gw subscription resume S-1`/);
  expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
});
