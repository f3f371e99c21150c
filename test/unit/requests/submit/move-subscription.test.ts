/** `gw subscription move`, where the gateway goes away between its two requests. */
import { expect, test } from 'vitest';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const SUBSCRIPTION = {
  id: 'S-1',
  reference: 'SUB-1',
  customer: 'C-1',
  plan: 'GOLD',
  frequency: 'Monthly',
  next_billing_date: '2026-02-15',
};

test('a move whose second request is not sent says that the subscription was stopped', async () => {
  const server = await hostileServer({
    onRequest(socket, { method, target }) {
      const response = target.includes('/plans/') ? { id: 'SILVER', amount: 1 } : SUBSCRIPTION;
      const isFound = !target.includes('SUB-1-SILVER');
      const body = { successful: isFound, response, errors: isFound ? [] : ['None'], test: true };
      socket.end(answer(isFound ? 200 : 404, JSON.stringify(body), { connection: 'close' }));
      if (method === 'PUT') void server.close();
    },
  });
  const { failure } = await runCommand(
    'fast path',
    ['subscription', 'move', 'SUB-1', '--plan', 'SILVER', '--no-input'],
    {
      env: {
        GW_USERNAME: 'shop',
        GW_API_TOKEN: 'secret-token',
        GW_BASE_URL: server.url.href,
        GW_ENVIRONMENT: 'sandbox',
      },
    },
  );
  expect(failure).toMatchObject({ code: 'not-reached', operation: 'subscription move' });
  expect(failure?.message).toMatch(/^SUB-1 was stopped, but the new one was not created\. /);
  expect(failure?.sent).toBeUndefined();
});
