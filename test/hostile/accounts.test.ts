/** One account under two names, and two accounts under one: what the journal takes for the same. */
import { expect, test } from 'vitest';
import { answer, type HostileServer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const PAID = 2500;
const PURCHASE = {
  id: '071-P-1',
  amount: PAID,
  reference: 'INV-1',
  currency: 'AUD',
  card_token: 'tok_1',
  successful: true,
  message: 'Approved',
};
const REFUND = { id: '071-R-1', amount: -400, successful: true, message: 'Approved' };

const successful = (response: object) =>
  answer(200, JSON.stringify({ successful: true, response, errors: [], test: true }));

/** Approves every purchase and every refund, and loses the answer to the first purchase where that is wanted. */
async function startGateway({ losesFirst = false } = {}): Promise<HostileServer> {
  return hostileServer({
    onRequest(socket, { method, target }, index) {
      if (losesFirst && index === 0) return void socket.destroy();
      const refund = method === 'POST' && target === '/v1.0/refunds';
      socket.write(successful(refund ? REFUND : PURCHASE));
    },
  });
}

const sentTo = ({ requests }: HostileServer) => requests.map(({ method }) => method);

/** Users of gw in one home, with the names of their gateway and account. */
function user({ port }: HostileServer) {
  const home = temporaryDirectory();
  return async (
    args: readonly string[],
    { at = `http://127.0.0.1:${port}`, env = {} }: { at?: string; env?: NodeJS.ProcessEnv } = {},
  ) => {
    const { code, stdout, stderr } = await gw(args[0] === 'profile' ? args : [...args, '--json'], {
      home,
      url: new URL(at),
      env,
    });
    return { code, stdout, error: code === 0 ? undefined : errorIn(stderr) };
  };
}

function errorIn(stderr: string) {
  const line = stderr.split('\n').find((text) => text.startsWith('{"error"'));
  return JSON.parse(line ?? '{}').error;
}

const buy = ['purchase', 'create', '--card-token', 'tok_1', '--reference', 'INV-1'].concat(
  '--amount',
  String(PAID),
  '--currency',
  'AUD',
);
const giveBack = (amount: number, reference: string) =>
  ['refund', 'create', '--transaction-id', '071-P-1', '--reference', reference].concat(
    '--amount',
    String(amount),
  );

test.each([
  ['localhost', (port: number) => `http://localhost:${port}`],
  ['another address of the machine', (port: number) => `http://127.0.0.2:${port}`],
  ['a path of the same host', (port: number) => `http://127.0.0.1:${port}/api`],
])('a request that is repeated at %s is refused', async (_, addressOf) => {
  const gateway = await startGateway();
  const run = user(gateway);
  expect(await run(buy)).toMatchObject({ code: 0 });
  const again = await run(buy, { at: addressOf(gateway.port) });
  expect(again).toMatchObject({ code: 10, error: { code: 'duplicate-request' } });
  expect(sentTo(gateway)).toEqual(['POST']);
});

test('another port of this machine is another gateway and gets the same request', async () => {
  const gateway = await startGateway();
  const other = await startGateway();
  const run = user(gateway);
  expect(await run(buy)).toMatchObject({ code: 0 });
  expect(await run(buy, { at: other.url.href })).toMatchObject({ code: 0 });
  expect(sentTo(other)).toEqual(['POST']);
});

test('a request that is repeated with another profile or token is refused', async () => {
  const gateway = await startGateway();
  const run = user(gateway);
  expect(await run(buy)).toMatchObject({ code: 0 });
  const { code } = await run(
    ['profile', 'set', 'shop', '--environment', 'sandbox'].concat('--base-url', gateway.url.href),
  );
  expect(code).toBe(0);
  const named = await run(buy, { env: { GW_PROFILE: 'shop' } });
  expect(named).toMatchObject({ code: 10, error: { code: 'duplicate-request' } });
  expect(named.error.message).toContain('with the profile environment');
  const rotated = await run(buy, { env: { GW_API_TOKEN: 'a-new-token' } });
  expect(rotated).toMatchObject({ code: 10, error: { code: 'duplicate-request' } });
  expect(sentTo(gateway)).toEqual(['POST']);
});

test('a refund of more than is left is refused under every name of the account', async () => {
  const gateway = await startGateway();
  const run = user(gateway);
  const at = `http://localhost:${gateway.port}`;
  await run(buy);
  expect(await run(giveBack(400, 'R-1'))).toMatchObject({ code: 0 });
  expect(await run(giveBack(PAID - 399, 'R-2'), { at })).toMatchObject({
    code: 10,
    error: { code: 'refund-too-large' },
  });
  // The purchase is known, so it is not asked for.
  expect(sentTo(gateway)).toEqual(['POST', 'POST']);
});

test('another username is another account with no known records', async () => {
  const gateway = await startGateway();
  const run = user(gateway);
  const theirs = { env: { GW_USERNAME: 'another-shop' } };
  await run(buy);
  await run(giveBack(400, 'R-1'));
  expect(await run(buy, theirs)).toMatchObject({ code: 0 });
  expect(await run(giveBack(400, 'R-1'), theirs)).toMatchObject({ code: 0 });
  const listed = JSON.parse((await run(['journal', 'list', '--all-profiles'])).stdout);
  const accounts = listed.map(({ account }: { account: string }) => account);
  expect(accounts).toEqual([accounts[0], accounts[0], accounts[3], accounts[3]]);
  expect(accounts[0]).not.toBe(accounts[3]);
  expect(accounts[0]).toMatch(/^sandbox\/another-shop:\d+$/);
  const who = JSON.parse((await run(['whoami'], theirs)).stdout);
  expect(who.account).toBe(accounts[0]);
});

test('a look-up of one account does not affect a refund of another', async () => {
  const gateway = await startGateway();
  const run = user(gateway);
  await run(['purchase', 'get', '071-P-1']);
  expect(await run(giveBack(400, 'R-1'), { at: `http://localhost:${gateway.port}` })).toMatchObject(
    {
      code: 0,
    },
  );
  expect(await run(giveBack(400, 'R-1'), { env: { GW_USERNAME: 'another-shop' } })).toMatchObject({
    code: 0,
  });
  expect(sentTo(gateway)).toEqual(['GET', 'POST', 'GET', 'POST']);
});

test('an unknown request is resolved only by its own account, under any name', async () => {
  const gateway = await startGateway({ losesFirst: true });
  const run = user(gateway);
  const lost = await run(buy);
  expect(lost).toMatchObject({ code: 8 });
  const [entry] = JSON.parse((await run(['journal', 'list', '--all-profiles'])).stdout);
  const resolve = ['journal', 'resolve', entry.id];
  const another = await run(resolve, { env: { GW_USERNAME: 'another-shop' } });
  expect(another).toMatchObject({ code: 2, error: { code: 'entry-of-another-account' } });
  expect(sentTo(gateway)).toEqual(['POST']);
  // It is asked; whether the answer is enough to go by is not what this is about.
  const own = await run(resolve, { at: `http://localhost:${gateway.port}` });
  expect(own.error?.code).not.toMatch(/^entry-of-another/);
  expect(sentTo(gateway)).toEqual(['POST', 'GET']);
});
