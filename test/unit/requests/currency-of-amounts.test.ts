/**
 * The currency of an amount is seen and never assumed: at every door of a profile in AUD on a machine that has seen
 * nothing, at a gateway whose account and purchases are in other currencies.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { runCommand } from '../../helpers/cli.ts';
import { answer, hostileServer } from '../../helpers/hostile-server.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

/** Currencies by the purchase's id; a purchase without one is answered without a currency. */
const PAID: Readonly<Record<string, string | undefined>> = {
  '071-P-YEN': 'JPY',
  '071-P-DINAR': 'KWD',
  '071-P-DOLLAR': 'USD',
  '071-P-AUD': 'AUD',
  '071-P-SILENT': undefined,
};

interface Setting {
  stdin?: string;
  maxAmount?: number;
  /** The currency of the account's plans. */
  account?: string;
  /** The currency in which the gateway does what it is asked for; by default the one that is right. */
  done?: string | null;
  answers?: string[];
  currency?: string | null;
}

/** Runs commands one after the other on one machine. @returns the last result, and what the gateway got */
async function gw(commands: readonly string[], setting: Setting = {}) {
  const { stdin = '', maxAmount, account, done, answers, currency = 'AUD' } = setting;
  let made = 0;
  const server = await hostileServer({
    onRequest(socket, { method, target, body }) {
      const reply = (status: number, response: object | null, errors: string[] = []) =>
        socket.write(
          answer(
            status,
            JSON.stringify({ successful: status < 400, response, errors, test: true }),
          ),
        );
      const id = /purchases\/(071-P-\w+)/.exec(target)?.[1];
      if (id && !(id in PAID)) return reply(404, null, ['Purchase not found']);
      if (id) return reply(200, { id, amount: 98_990, successful: true, currency: PAID[id] });
      if (method === 'GET')
        return reply(
          200,
          account ? ([{ id: '071-PL-1', amount: 1, currency: account }] as never) : [],
        );
      const asked = JSON.parse(body) as JsonObject;
      const own = target.includes('refunds') ? PAID[String(asked.transaction_id)] : asked.currency;
      const kind = target.includes('refunds') ? 'R' : target.includes('plans') ? 'PL' : 'P';
      const said = done === undefined ? { currency: own ?? account } : { currency: done };
      reply(kind === 'PL' ? 201 : 200, {
        ...asked,
        ...said,
        id: `071-${kind}-${++made}`,
        successful: true,
      });
    },
  });
  const host = { stdin, ...(answers && { answers }) };
  const env = { GW_PROFILE: 'shop', GW_USERNAME: 'ada', GW_API_TOKEN: 'secret-token' };
  const profile = { environment: 'sandbox' as const, baseUrl: server.url.href };
  const profiles = {
    shop: { ...profile, ...(currency && { currency }), ...(maxAmount && { maxAmount }) },
  };
  const home = temporaryDirectory();
  let result: Awaited<ReturnType<typeof runCommand>> | undefined;
  for (const command of commands)
    result = await runCommand('fast path', command.split(' '), { ...host, env, profiles, home });
  const { stdout = '', stderr = '', failure } = result ?? {};
  const sent = server.requests.filter(({ method }) => method !== 'GET');
  const lookUps = server.requests.filter(({ method }) => method === 'GET');
  const bodies = sent.map(({ body }) => JSON.parse(body) as JsonObject);
  return { stdout, stderr, failure, bodies, lookUps: lookUps.map(({ target }) => target) };
}

describe('a batch of refunds', () => {
  const THREE =
    'transaction_id,decimal_amount,reference\n071-P-YEN,25,R1\n071-P-DINAR,25.00,R2\n071-P-YEN,1,R3\n';

  test.each(['', ' --dry-run'])('asks once for the currency of each purchase:%s', async (flag) => {
    const { failure, lookUps, stderr } = await gw([`refund batch -${flag}`], { stdin: THREE });
    expect(failure).toBeUndefined();
    expect(lookUps.sort()).toEqual(['/v1.0/purchases/071-P-DINAR', '/v1.0/purchases/071-P-YEN']);
    expect(stderr).toContain('26 JPY and 25.000 KWD');
  });

  test('reads decimals in the currencies of the purchases', async () => {
    const { bodies } = await gw(['refund batch -'], { stdin: THREE });
    expect(bodies.map(({ amount }) => amount).sort()).toEqual([1, 25, 25_000].sort());
  });

  test('asks for nothing in minor units, and sums up in the currencies of the answers', async () => {
    const stdin = 'transaction_id,amount,reference\n071-P-YEN,25,R1\n071-P-DINAR,2500,R2\n';
    const { lookUps, stderr } = await gw(['refund batch -'], { stdin });
    expect(lookUps).toEqual([]);
    expect(stderr).toContain('Total done: 25 JPY and 2.500 KWD.');
  });

  test.each([
    ['071-P-DOLLAR,1.00,AUD,R1', 'currency is AUD, and purchase "071-P-DOLLAR" was paid in USD'],
    ['071-P-SILENT,1.00,,R1', 'decimal_amount needs to know the currency'],
    ['071-P-NOWHERE,1.00,,R1', 'decimal_amount needs to know the currency'],
    ['071-P-YEN,25.00,,R1', 'JPY has no decimals: write 25'],
  ])('refuses %s', async (line, problem) => {
    const stdin = `transaction_id,decimal_amount,currency,reference\n${line}\n`;
    const { failure, stderr, bodies } = await gw(['refund batch -'], { stdin });
    expect(failure?.exitCode).toBe(2);
    expect(stderr).toContain(problem);
    expect(bodies).toEqual([]);
  });

  test.each(['071-P-SILENT', '071-P-NOWHERE', '071-P-DOLLAR'])(
    'takes the currency of the line for %s, which the gateway does not contradict',
    async (purchase) => {
      const stdin = `transaction_id,decimal_amount,currency,reference\n${purchase},1.00,USD,R1\n`;
      const { failure, bodies } = await gw(['refund batch -'], { stdin });
      expect(failure).toBeUndefined();
      expect(bodies).toMatchObject([{ amount: 100 }]);
    },
  );

  test.each([
    ['071-P-YEN', 'JPY'],
    ['071-P-SILENT', 'an unknown currency'],
    ['071-P-NOWHERE', 'an unknown currency'],
  ])('is not compared with a limit in another currency: %s', async (purchase, said) => {
    const stdin = `transaction_id,amount,reference\n${purchase},5,R1\n`;
    const { stderr, bodies } = await gw(['refund batch -'], { stdin, maxAmount: 500 });
    expect(stderr).toContain(`gw cannot compare an amount in ${said} with the limit`);
    expect(bodies).toEqual([]);
  });

  test('is compared with a limit in the currency of its purchase', async () => {
    const stdin = 'transaction_id,amount,reference\n071-P-AUD,500,R1\n';
    expect((await gw(['refund batch -'], { stdin, maxAmount: 500 })).failure).toBeUndefined();
  });

  test('that was done is not looked up again', async () => {
    const { stderr, lookUps } = await gw(['refund batch -', 'refund batch -'], { stdin: THREE });
    expect(stderr).toContain('3 done (earlier). Total done: 26 JPY and 25.000 KWD.');
    expect(lookUps).toHaveLength(2);
  });

  test('is unknown if the answer is in another currency', async () => {
    const { failure, stdout } = await gw(['refund batch -'], { stdin: THREE, done: 'AUD' });
    expect(failure?.exitCode).toBe(9);
    expect(stdout).toContain('its currency is AUD, not JPY as requested');
    expect(stdout).not.toContain('"outcome":"done"');
  });
});

describe('a refund', () => {
  const REFUND = 'refund create 071-P-YEN --reference R1';

  test('with decimals is read in the currency of its purchase, in a dry run too', async () => {
    expect((await gw([`${REFUND} --decimal-amount 25`])).bodies).toMatchObject([{ amount: 25 }]);
    const dry = await gw([`${REFUND} --decimal-amount 25 --dry-run`]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ body: { amount: 25 } });
  });

  test.each(['--decimal-amount 25', '--amount 25', '--full'])(
    'with %s and another currency is refused',
    async (amount) => {
      const { failure, bodies } = await gw([`${REFUND} ${amount} --currency AUD`]);
      expect(failure).toMatchObject({ exitCode: 2, code: 'currency-differs' });
      expect(bodies).toEqual([]);
    },
  );

  test('with decimals of a purchase whose currency nobody says is refused, or read as it was said', async () => {
    const refund = 'refund create 071-P-SILENT --reference R1 --decimal-amount 1.00';
    expect((await gw([refund])).failure).toMatchObject({ exitCode: 2, code: 'currency-missing' });
    expect((await gw([`${refund} --currency USD`])).bodies).toMatchObject([{ amount: 100 }]);
    const minor = 'refund create 071-P-SILENT --reference R1 --amount 100';
    expect((await gw([minor])).failure).toBeUndefined();
  });

  test.each(['', ' --allow-over-refund', ' --dry-run'])(
    'is not compared with a limit in another currency%s',
    async (flag) => {
      const { failure, bodies } = await gw([`${REFUND} --amount 5${flag}`], { maxAmount: 500 });
      expect(failure).toMatchObject({ exitCode: 10, code: 'limit-in-other-currency' });
      expect(bodies).toEqual([]);
    },
  );

  test('is unknown if the answer is in another currency', async () => {
    const { failure } = await gw([`${REFUND} --decimal-amount 25`], { done: 'AUD' });
    expect(failure).toMatchObject({ exitCode: 8 });
    expect(failure?.message).toContain('its currency is AUD, not JPY as requested');
  });

  test.each([null, ''])('is done if the answer has the currency %j', async (done) => {
    expect((await gw([`${REFUND} --decimal-amount 25`], { done })).failure).toBeUndefined();
  });

  test('asks a person for the currency that the gateway does not say', async () => {
    const answers = ['', '1500', 'y'];
    const { bodies } = await gw(['refund create 071-P-SILENT --reference R1'], { answers });
    expect(bodies).toMatchObject([{ amount: 1500 }]);
    const said = ['kwd', '1.5', 'y'];
    const asked = await gw(['refund create 071-P-SILENT --reference R1'], { answers: said });
    expect(asked.bodies).toMatchObject([{ amount: 1500 }]);
  });
});

describe('a purchase', () => {
  const PAY = 'purchase create --card-token tok --reference P1';

  test.each([
    [`${PAY} --decimal-amount 25.00`, '', { amount: 2500, currency: 'AUD' }],
    [`${PAY} --decimal-amount 25 --currency JPY`, '', { amount: 25, currency: 'JPY' }],
    [
      'purchase create --input - --decimal-amount 25',
      '{"card_token":"t","currency_code":"JPY"}',
      { amount: 25, currency: 'JPY' },
    ],
    ['purchase batch -', 'card_token,decimal_amount\nt,25.00\n', { amount: 2500, currency: 'AUD' }],
    [
      'purchase batch -',
      '{"card_token":"t","decimal_amount":"25","currency":"JPY"}\n',
      { amount: 25, currency: 'JPY' },
    ],
  ])(
    'never leaves with decimals and without their currency: %s %s',
    async (command, stdin, body) => {
      const { bodies, failure } = await gw([command], { stdin, account: 'JPY' });
      expect(failure).toBeUndefined();
      expect(bodies).toMatchObject([body]);
    },
  );

  test.each([
    [`${PAY} --amount 400`, ''],
    ['purchase batch -', 'card_token,amount\nt,400\n'],
    ['purchase create --input -', '{"card_token":"t","amount":400}'],
  ])('names the currency of the limit that it was compared with: %s', async (command, stdin) => {
    const limited = await gw([command], { stdin, maxAmount: 500 });
    expect(limited.bodies).toMatchObject([{ amount: 400, currency: 'AUD' }]);
    const free = await gw([command], { stdin });
    expect(free.bodies[0]).not.toHaveProperty('currency');
  });

  test.each([
    '{"currency_code":"JPY"}',
    '{"currencyCode":"JPY"}',
    '{"money":{"currency":"JPY"}}',
    '{"lines":[{"ccy":"jpy"}]}',
    '{"currency":"JPY"}',
  ])('with %s is not compared with a limit in AUD', async (said) => {
    const stdin = JSON.stringify({ card_token: 't', amount: 400, ...JSON.parse(said) });
    const { failure, bodies } = await gw(['purchase create --input -'], { stdin, maxAmount: 500 });
    expect(failure).toMatchObject({ exitCode: 10, code: 'limit-in-other-currency' });
    expect(bodies).toEqual([]);
    const same = stdin.replace(/jpy/i, 'aud');
    const within = await gw(['purchase create --input -'], { stdin: same, maxAmount: 500 });
    expect(within.failure?.code).not.toBe('limit-in-other-currency');
  });

  test.each([
    [`${PAY} --decimal-amount 25.00`, '', 8],
    ['purchase batch -', 'card_token,decimal_amount\nt,25.00\n', 9],
  ])('is unknown if the answer is in another currency: %s', async (command, stdin, code) => {
    const { failure, stdout } = await gw([command], { stdin, done: 'JPY' });
    expect(failure?.exitCode).toBe(code);
    expect(`${failure?.message}${stdout}`).toContain('its currency is JPY, not AUD as requested');
  });

  test('in minor units is summed up in the currency of the answer, also when it was done earlier', async () => {
    const stdin = 'card_token,amount,reference\nt,2500,P1\n';
    const done = { stdin, done: 'JPY' };
    expect((await gw(['purchase batch -'], done)).stderr).toContain('Total done: 2500 JPY.');
    const again = await gw(['purchase batch -', 'purchase batch -'], done);
    expect(again.stderr).toContain('1 done (earlier). Total done: 2500 JPY.');
  });

  test('that a person types is sent with the currency of the question', async () => {
    const answers = ['25', 'y'];
    const { bodies, stderr } = await gw([PAY], { answers });
    expect(bodies).toMatchObject([{ amount: 2500, currency: 'AUD' }]);
    expect(stderr).toContain('--currency AUD --amount 2500');
  });
});

describe('a plan', () => {
  const PLAN = 'plan create --name G --reference G --description d --decimal-amount';

  test('is read in the currency of the account, which its list of plans shows', async () => {
    const { bodies } = await gw([`${PLAN} 15`], { account: 'JPY' });
    expect(bodies).toMatchObject([{ amount: 15 }]);
    expect(bodies[0]).not.toHaveProperty('currency');
    const update = await gw(['plan update 071-PL-1 --decimal-amount 15'], {
      account: 'JPY',
      done: null,
    });
    expect(update.bodies).toMatchObject([{ amount: 15 }]);
  });

  test('in a currency that the account does not have is refused', async () => {
    const { failure, bodies } = await gw([`${PLAN} 15.00 --currency AUD`], { account: 'JPY' });
    expect(failure).toMatchObject({ exitCode: 2, code: 'currency-differs' });
    expect(bodies).toEqual([]);
  });

  test('is not read in the currency of the profile, but in the one that is given', async () => {
    expect((await gw([`${PLAN} 15.00`])).failure).toMatchObject({ code: 'currency-missing' });
    expect((await gw([`${PLAN} 15.00 --currency AUD`])).bodies).toMatchObject([{ amount: 1500 }]);
  });
});
