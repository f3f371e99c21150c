/** What is printed of one request, and the exit code it ends with. */
import { expect, test } from 'vitest';
import { runCommand } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const PAY = 'purchase create --card-token tok --amount 2500';

async function gw(command: string, status: number, body: unknown, environment = 'sandbox') {
  const server = await hostileServer({
    onRequest: (socket) =>
      socket.write(answer(status, typeof body === 'string' ? body : JSON.stringify(body))),
  });
  return runCommand('fast path', command.split(' '), {
    env: {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: server.url.href,
      GW_ENVIRONMENT: environment,
    },
  });
}

const envelope = (response: unknown, rest: object = {}) => ({
  successful: true,
  response,
  errors: [],
  test: true,
  ...rest,
});

test('an approval is printed, and nothing is said', async () => {
  const { failure, stdout, stderr } = await gw(
    `${PAY} --json`,
    200,
    envelope({ id: 'x', successful: true }),
  );
  expect(failure).toBeUndefined();
  expect(JSON.parse(stdout)).toEqual({ id: 'x', successful: true });
  expect(stderr).toBe('');
});

test('a decline is printed, and is no success', async () => {
  const record = { id: null, successful: false, message: 'Insufficient Funds' };
  const { failure, stdout } = await gw(`${PAY} --json`, 200, envelope(record));
  expect(JSON.parse(stdout)).toEqual(record);
  expect(failure).toMatchObject({
    kind: 'declined',
    code: 'card-declined',
    exitCode: 5,
    message: 'The card was declined: Insufficient Funds.',
  });
});

test('a void is told as a void, and not as a card that was declined', async () => {
  const record = { id: 'x', successful: false, message: 'Voided' };
  const { failure } = await gw(`${PAY} --json`, 200, envelope(record));
  expect(failure).toMatchObject({ kind: 'declined', code: 'voided', exitCode: 5 });
  expect(failure?.message).toBe('The gateway voided this purchase.');
});

test.each([
  {},
  null,
  [],
  { id: 'x', message: 'Approved' },
  { successful: true, authorized: false },
])('an answer that does not say is unknown: %j', async (record) => {
  const { failure } = await gw(PAY, 200, envelope(record));
  expect(failure).toMatchObject({ kind: 'unknown', code: 'outcome-unknown', exitCode: 8 });
  expect(failure?.next).toContain(`gw journal resolve ${failure?.entry}`);
});

test('a refusal is not printed on stdout', async () => {
  const body = { successful: false, response: { id: null, amount: 2500 }, errors: ['Invalid'] };
  const { failure, stdout } = await gw(PAY, 400, body);
  expect(stdout).toBe('');
  expect(failure).toMatchObject({ kind: 'rejected', exitCode: 6, errors: ['Invalid'] });
});

test('--raw prints the answer as it came, refusals too', async () => {
  const text = '{ "successful" : false,\n  "errors": "No" }';
  const { failure, stdout } = await gw(`${PAY} --raw`, 400, text);
  expect(stdout).toBe(`${text}\n`);
  expect(failure?.exitCode).toBe(6);
});

test.each([
  ['sandbox', false, 'LIVE'],
  ['live', true, 'in TEST mode'],
])('a %s profile that is answered with test: %s is warned', async (environment, mode, word) => {
  const body = envelope({ id: 'x', successful: true }, { test: mode });
  const { stderr } = await gw(`${PAY} --confirm environment`, 200, body, environment);
  expect(stderr).toContain(`WARNING: the profile environment is ${environment}`);
  expect(stderr).toContain(word);
});

test.each([{}, { test: null }, { test: 'yes' }])(
  'a missing test is tolerated: %j',
  async (rest) => {
    const { test: _, ...body } = envelope({ id: 'x', successful: true });
    const { stderr } = await gw(PAY, 200, { ...body, ...rest });
    expect(stderr).toBe('');
  },
);

test('fields of another form are named', async () => {
  const { stderr } = await gw(PAY, 200, envelope({ id: 7, successful: true, amount: '2500' }));
  expect(stderr).toContain('id, amount in the answer to purchase create have an unusual form');
});
