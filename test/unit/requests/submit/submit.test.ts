/** The output and exit code of one request. */
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

test('an approval is printed without a message', async () => {
  const { failure, stdout, stderr } = await gw(
    `${PAY} --json`,
    200,
    envelope({ id: 'x', successful: true }),
  );
  expect(failure).toBeUndefined();
  expect(JSON.parse(stdout)).toEqual({ id: 'x', successful: true });
  expect(stderr).toBe('');
});

test('a decline is printed and fails', async () => {
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

test('a void is reported as a void, not as a decline', async () => {
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
])('an answer without an outcome is unknown: %j', async (record) => {
  const { failure } = await gw(PAY, 200, envelope(record));
  expect(failure).toMatchObject({ kind: 'unknown', code: 'outcome-unknown', exitCode: 8 });
  expect(failure?.next).toContain(`gw journal resolve ${failure?.entry}`);
});

test('a rejection is not printed on stdout', async () => {
  const body = { successful: false, response: { id: null, amount: 2500 }, errors: ['Invalid'] };
  const { failure, stdout } = await gw(PAY, 400, body);
  expect(stdout).toBe('');
  expect(failure).toMatchObject({ kind: 'rejected', exitCode: 6, errors: ['Invalid'] });
});

test('--raw prints any answer unchanged', async () => {
  const text = '{ "successful" : false,\n  "errors": "No" }';
  const { failure, stdout } = await gw(`${PAY} --raw`, 400, text);
  expect(stdout).toBe(`${text}\n`);
  expect(failure?.exitCode).toBe(6);
});

test.each([
  ['sandbox', false, 'LIVE'],
  ['live', true, 'in TEST mode'],
])('a %s profile warns about an answer with test: %s', async (environment, mode, word) => {
  const body = envelope({ id: 'x', successful: true }, { test: mode });
  const { stderr } = await gw(`${PAY} --confirm environment`, 200, body, environment);
  expect(stderr).toContain(`WARNING: the profile environment is ${environment}`);
  expect(stderr).toContain(word);
});

test.each([{}, { test: null }, { test: 'yes' }])(
  'an answer without test gets no warning: %j',
  async (rest) => {
    const { test: _, ...body } = envelope({ id: 'x', successful: true });
    const { stderr } = await gw(PAY, 200, { ...body, ...rest });
    expect(stderr).toBe('');
  },
);

test('a warning names the fields of the wrong type', async () => {
  const { stderr } = await gw(PAY, 200, envelope({ id: 7, successful: true, amount: '2500' }));
  expect(stderr).toContain('id, amount in the answer to purchase create have an unusual form');
});
