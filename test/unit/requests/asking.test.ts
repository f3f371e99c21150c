/** Nothing that was answered is lost: the command says it again, without secrets. */
import { expect, test } from 'vitest';
import { CTRL_C, runCommand } from '../../helpers/cli.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const SANDBOX = {
  GW_USERNAME: 'shop',
  GW_API_TOKEN: 'secret-token',
  // Nothing listens there.
  GW_BASE_URL: 'http://127.0.0.1:1',
  GW_ENVIRONMENT: 'sandbox',
};
const CARD = ['type a card', '5123456789012346', 'Ada', '05/31', '739'];

async function run(
  command: string,
  answers: readonly string[],
  env: Record<string, string> = SANDBOX,
) {
  const { stderr, failure } = await runCommand('fast path', command.split(' '), { env, answers });
  expect(stderr).not.toMatch(/5123456789|739|secret-token/);
  const [, said, line] = /^(The same.*|To go on.*):\n {2}(.*)$/m.exec(stderr) ?? [];
  return { code: failure?.code, said, command: line };
}

test('a command that was left at a question names the answers so far, and asks for the card again', async () => {
  expect(await run('purchase create', [...CARD, 'AUD', '25', CTRL_C])).toEqual({
    code: 'cancelled',
    said: 'To go on where you stopped',
    command: 'gw purchase create --currency AUD --amount 2500',
  });
});

test('a command that was left at its first question names nothing', async () => {
  expect(await run('purchase create', [CTRL_C])).toEqual({ code: 'cancelled' });
  expect(await run('plan create', [CTRL_C])).toEqual({ code: 'cancelled' });
});

test('a command that stopped at an answer which names no record does not repeat that answer', async () => {
  const env = { GW_PROFILE: 'local' };
  expect(await run('refund create', ['071-P-NOTHERE1'], env)).toEqual({ code: 'not-found' });
});

test.each([
  ['n', 'cancelled'],
  ['y', 'not-reached'],
])('a command that was answered to its end, and then %j, is named whole', async (sure, code) => {
  const command = 'plan create --description Weekly';
  expect(await run(command, ['Gold', 'GOLD', 'AUD', '25', sure])).toEqual({
    code,
    said: 'The same without questions',
    command:
      'gw plan create --description Weekly --name Gold --reference GOLD --currency AUD --amount 2500',
  });
});

test('a live command whose confirmation fails is named whole, and still asks for it', async () => {
  const env = { ...SANDBOX, GW_ENVIRONMENT: 'live' };
  const answers = [...CARD, 'AUD', '25', 'INV-1', 'no', 'no', 'no', 'no', 'no'];
  expect(await run('purchase create', answers, env)).toEqual({
    code: 'not-confirmed',
    said: 'The same without questions, with the card as JSON on stdin',
    command: 'gw purchase create --card-file - --currency AUD --amount 2500 --reference INV-1',
  });
});

const NUMBER = '--card-number 5123456789012346';
const OLD = `${NUMBER} --card-holder Ada --card-expiry 05/2031`;
const WITH = (what: string) => `The same without questions, with the ${what} as JSON on stdin`;
const STOPPED = 'To go on where you stopped';

test.each([
  ['a number', `purchase create ${OLD}`, ['739', 'AUD', '25', '', 'n'], WITH('card')],
  ['a number', `tokenize ${OLD}`, ['739', 'n'], WITH('card')],
  [
    'a CVV beside a token',
    'purchase create --card-token t --cvv 739',
    ['', '9', '', 'n'],
    WITH('CVV'),
  ],
  [
    'another CVV',
    'purchase create --test-card approved --cvv 739',
    ['', '9', '', 'n'],
    WITH('card'),
  ],
  [
    'a test card',
    'purchase create --test-card approved',
    ['', '9', '', 'n'],
    WITH('').slice(0, 26),
  ],
])('a command with %s is printed with all that it sends: gw %s', async (_, line, answers, said) => {
  const printed = await run(line, answers);
  expect(printed.said).toBe(said);
  expect(printed.command?.includes('--card-file -')).toBe(said.includes('stdin'));
  expect(printed.command?.includes('--test-card')).toBe(!said.includes('stdin'));
});

test.each([
  ['purchase create', `purchase create ${OLD}`, ['739', 'AUD', '25', CTRL_C]],
  ['purchase create', 'purchase create --card-token t --cvv 739', ['AUD', '25', CTRL_C]],
  ['purchase create', 'purchase create --test-card approved --cvv 739', ['AUD', '25', CTRL_C]],
  ['customer update', `customer update C-1 ${NUMBER} --city Perth`, ['05/31', CTRL_C]],
])('a %s that was left is not printed without its card: gw %s', async (_, line, answers) => {
  expect(await run(line, answers)).toEqual({ code: 'cancelled' });
});

test('a customer update that was left keeps the part that takes the new card', async () => {
  expect(await run('customer update C-1', ['city', 'Perth', 'new card', 'type', CTRL_C])).toEqual({
    code: 'cancelled',
    said: `${STOPPED}, with the card as JSON on stdin`,
    command: 'gw customer update C-1 --card-file - --city Perth',
  });
});

test('a customer update that was left after the expiry of the stored card changes that one', async () => {
  expect(await run('customer update C-1', ['expiry', '05/31', CTRL_C])).toEqual({
    code: 'cancelled',
    said: STOPPED,
    command: 'gw customer update C-1 --expiry-date 05/2031',
  });
});

test('whoever refunds a purchase again reads first what was refunded before', async () => {
  const home = temporaryDirectory();
  const env = { GW_PROFILE: 'local' };
  const type = async (...argv: string[]) =>
    runCommand('fast path', argv, { home, env, answers: [] });
  const money = ['--currency', 'AUD', '--reference', 'INV-1', '--test-card', 'approved'];
  const { stdout } = await type('purchase', 'create', '--amount', '1490', ...money);
  const [id = ''] = /071-P-\w{8}/.exec(stdout) ?? [];
  const refund = (reference: string) =>
    type('refund', 'create', id, '--amount', '300', '--reference', reference);
  expect((await refund('RET-1')).stderr).not.toContain('before');
  expect((await refund('RET-2')).stderr).toContain(
    `Refunded before from ${id}: 14.90 AUD paid, 3.00 AUD refunded, 11.90 AUD left.`,
  );
});
