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

const KINDS = { R: 'refunds', PL: 'plans', S: 'subscriptions' };

interface Setting {
  stdin?: string;
  maxAmount?: number;
  /** The currency of the account's plans, which only their list shows; without one, there are none. */
  account?: string;
  /** The status of a look-up of the list of plans. */
  listing?: number;
  environment?: 'live' | 'sandbox';
  /** The currency in which the gateway does what it is asked for; by default the one that is right. */
  done?: string | null;
  answers?: string[];
  currency?: string | null;
}

/** Runs commands one after the other on one machine. @returns the last result, and what the gateway got */
async function gw(commands: readonly string[], setting: Setting = {}) {
  const { stdin = '', maxAmount, account, done, answers, currency = 'AUD' } = setting;
  const { environment = 'sandbox', listing = 200 } = setting;
  let made = 0;
  const server = await hostileServer({
    onRequest(socket, { method, target, body }) {
      const reply = (status: number, response: object | null, errors: string[] = []) =>
        socket.write(
          answer(
            status,
            JSON.stringify({
              successful: status < 400,
              response,
              errors,
              test: environment !== 'live',
            }),
          ),
        );
      const id = /purchases\/(071-P-\w+)/.exec(target)?.[1];
      if (id && !(id in PAID)) return reply(404, null, ['Purchase not found']);
      if (id) return reply(200, { id, amount: 98_990, successful: true, currency: PAID[id] });
      if (/plans\/(071-PL-1|gold)/.test(target) && method === 'GET')
        return reply(200, { id: '071-PL-1', reference: 'gold', name: 'Gold', amount: 2500 });
      if (/subscriptions\/071-S-1/.test(target) && method === 'GET')
        return reply(200, { id: '071-S-1', reference: '071-S-1', plan: 'gold' });
      if (/customers/.test(target)) return reply(404, null, ['Customer not found']);
      if (listing !== 200 && method === 'GET') return reply(listing, null, ['No permission']);
      if (method === 'GET')
        return reply(
          200,
          account ? ([{ id: '071-PL-1', amount: 1, currency: account }] as never) : [],
        );
      const asked = JSON.parse(body) as JsonObject;
      const own = target.includes('refunds') ? PAID[String(asked.transaction_id)] : asked.currency;
      const [kind = 'P'] = Object.entries(KINDS).find(([, path]) => target.includes(path)) ?? [];
      const said = done === undefined ? { currency: own ?? account } : { currency: done };
      reply(kind === 'PL' || kind === 'S' ? 201 : 200, {
        ...asked,
        ...said,
        id: `071-${kind}-${++made}`,
        successful: true,
      });
    },
  });
  const host = { stdin, ...(answers && { answers }) };
  const env = { GW_PROFILE: 'shop', GW_USERNAME: 'ada', GW_API_TOKEN: 'secret-token' };
  const profile = { environment, baseUrl: server.url.href };
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
    ['071-P-NOWHERE,1.00,,R1', 'The gateway has no purchase 071-P-NOWHERE: Purchase not found.'],
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
    expect(stderr).toContain(
      '3 done (earlier). Total done: 26 JPY and 25.000 KWD. This run sent none of it.',
    );
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

  test.each([
    ['refund create 071-P-YEN --amount 25 --reference R --currency AUD', ''],
    ['refund create --input -', '{"transaction_id":"071-P-YEN","amount":25,"currency":"AUD"}'],
    ['refund create --input -', '{"transaction_id":"071-P-YEN","amount":25,"currencyCode":"AUD"}'],
  ])('names no flag that nobody typed: %s %s', async (command, stdin) => {
    const { failure } = await gw([command], { stdin });
    expect(failure?.message).toBe('071-P-YEN was paid in JPY, and you gave AUD.');
    expect(failure?.next).toContain('Leave the currency out');
  });

  test('in a dry run that asked the gateway does not say that gw does not know the purchase', async () => {
    const { stderr } = await gw([`${REFUND} --decimal-amount 25 --dry-run`]);
    expect(stderr).not.toContain('does not know');
  });

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

describe('a withdrawn currency', () => {
  const ROW = '{"card_token":"t","reference":"P1",';

  test.each([
    ['purchase create --card-token t --amount 100 --currency BGN', ''],
    ['purchase create --input -', '{"card_token":"t","amount":100,"currency":"HRK"}'],
    ['purchase create --input -', '{"card_token":"t","amount":100,"currency_code":"HRK"}'],
    ['plan create --name G --reference G --description d --decimal-amount 1.00 --currency ANG', ''],
  ])('that was given is no default of the profile: %s %s', async (command, stdin) => {
    const { failure, bodies } = await gw([command], { stdin });
    expect(failure?.message).toContain('which ISO 4217 withdrew in');
    expect(failure?.next).not.toContain('profile');
    expect(bodies).toEqual([]);
  });

  test('of the profile is changed there', async () => {
    const pay = 'purchase create --card-token t --amount 100';
    expect((await gw([pay], { currency: 'BGN' })).failure?.next).toContain('gw profile set');
  });

  test.each([
    `${ROW}"amount":100,"currency_code":"ANG"}`,
    `${ROW}"amount":100,"currency":"ANG"}`,
    `${ROW}"decimal_amount":"1.00","currency_code":"ANG"}`,
    `${ROW}"amount":100,"currency":"ANG","currency_code":"ang"}`,
  ])('is one problem of a line: %s', async (stdin) => {
    const { stderr, failure } = await gw(['purchase batch -'], { stdin: `${stdin}\n` });
    expect(failure?.message).toBe('1 problem was found in stdin.');
    expect(stderr).toContain('is ANG, which ISO 4217 withdrew in 2025-03: XCG replaced it');
  });

  test('is that of an old purchase, also for a person', async () => {
    const answers = ['hrk', '25.00', 'y'];
    const { bodies } = await gw(['refund create 071-P-SILENT --reference R1'], { answers });
    expect(bodies).toMatchObject([{ amount: 2500 }]);
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
    expect(again.stderr).toContain(
      '1 done (earlier). Total done: 2500 JPY. This run sent none of it.',
    );
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

  test('is read in the currency of an earlier answer, if the list does not say', async () => {
    const minor = `${PLAN.replace('--decimal-amount', '--amount')} 2500`;
    const { bodies } = await gw([minor, `${PLAN} 25`], { done: 'JPY' });
    expect(bodies).toMatchObject([{ amount: 2500 }, { amount: 25 }]);
  });

  test('is not read in the currency of the profile, but in the one that is given', async () => {
    expect((await gw([`${PLAN} 15.00`])).failure).toMatchObject({ code: 'currency-missing' });
    expect((await gw([`${PLAN} 15.00 --currency AUD`])).bodies).toMatchObject([{ amount: 1500 }]);
  });
});

describe('the price of a plan', () => {
  const LISTED = /v1.0\/plans\.json/;
  const START =
    'subscription create --customer 071-C-1 --plan gold --frequency Daily --reference S1';
  const ROWS = 'customer,plan,frequency,reference\n071-C-1,gold,Daily,S1\n071-C-2,gold,Daily,S2\n';

  test.each([
    [START, ''],
    ['subscription batch -', ROWS],
    ['subscription resume 071-S-1', ''],
    ['plan create --name G --reference G --description d --amount 2500', ''],
    ['plan update 071-PL-1 --amount 2500', ''],
    ['plan update 071-PL-1 --amount 2500 --dry-run', ''],
  ])('is compared with a limit in its own currency only: %s', async (command, stdin) => {
    const limited = { stdin, maxAmount: 3000 };
    const other = await gw([command], { ...limited, account: 'JPY' });
    expect(other.failure?.code ?? other.stderr).toContain('limit-in-other-currency');
    expect(other.failure?.message).toContain('an amount in JPY');
    expect(other.bodies).toEqual([]);
    expect(other.lookUps.filter((target) => LISTED.test(target))).toHaveLength(1);
    const own = await gw([command], { ...limited, account: 'AUD' });
    expect(own.failure?.message).toBeUndefined();
    const unsaid = await gw([command], limited);
    expect(unsaid.failure?.message).toContain('an amount in an unknown currency');
    const unlisted = await gw([command], { ...limited, listing: 403, account: 'AUD' });
    expect(unlisted.failure?.message).toMatch(/an unknown currency|No permission/);
    expect([...unsaid.bodies, ...unlisted.bodies]).toEqual([]);
  });

  test.each(['plan update 071-PL-1 --name H', 'customer update 071-C-1 --email a@example.com'])(
    'is asked for by nothing that has no amount: %s',
    async (command) => {
      const { lookUps } = await gw([command], { maxAmount: 3000, account: 'JPY' });
      expect(lookUps.filter((target) => LISTED.test(target))).toEqual([]);
    },
  );

  test.each([
    ['JPY', '2500 JPY each time'],
    ['AUD', '25.00 AUD each time'],
    [undefined, '25.00 (account currency) each time'],
  ])('is shown in the currency of the account, %s', async (account, shown) => {
    const { stderr, failure } = await gw([START], {
      ...(account && { account }),
      ...{ answers: ['shop'], environment: 'live' },
    });
    expect(failure).toBeUndefined();
    expect(stderr).toContain(`gold, Gold: ${shown}`);
  });

  test('that is asked for is not shown in the currency of the profile', async () => {
    const plan = 'plan create --name G --reference G --description d --amount 2500 --no-input';
    const asked = plan.replace(' --name G', '').replace(' --no-input', '');
    const { stderr } = await gw([asked], { answers: ['G', 'y'], account: 'JPY' });
    expect(stderr).not.toContain('AUD');
  });
});

describe('the screen', () => {
  test.each([
    ['plan create --name G --reference G --description d --decimal-amount 25', 'KWD', '25.000 KWD'],
    ['plan create --name G --reference G --description d --decimal-amount 25', 'JPY', '25 JPY'],
    ['plan update 071-PL-1 --decimal-amount 25', 'KWD', '25.000 KWD'],
    ['refund create 071-P-SILENT --decimal-amount 25 --currency JPY --reference R', '', '25 JPY'],
    ['refund create 071-P-YEN --decimal-amount 25 --reference R', '', '25 JPY'],
    ['purchase create --card-token t --decimal-amount 25 --currency JPY', '', '25 JPY'],
  ])(
    'shows the currency that was read, if the answer has none: %s',
    async (command, account, shown) => {
      const setting = { ...(account && { account }), done: null };
      const { stdout, failure } = await gw([`${command} --output table`], setting);
      expect(failure).toBeUndefined();
      expect(stdout).toContain(shown);
      const program = await gw([`${command} --output json`], setting);
      expect(JSON.parse(program.stdout)).toMatchObject({ currency: null });
    },
  );

  test.each([
    ['', { answers: ['shop'] }],
    [' --dry-run', {}],
  ])('that confirms a batch of refunds shows their currencies%s', async (flag, setting) => {
    const stdin = 'transaction_id,amount,reference\n071-P-YEN,2500,R1\n071-P-DINAR,2500,R2\n';
    const { stderr, lookUps } = await gw([`refund batch -${flag}`], {
      ...{ ...setting, stdin, environment: 'live' },
    });
    expect(stderr).toMatch(/Total +2500 JPY and 2\.500 KWD\n/);
    expect(lookUps).toHaveLength(2);
    const confirmed = await gw(['refund batch - --confirm shop'], { stdin, environment: 'live' });
    expect(confirmed.failure).toBeUndefined();
    expect(confirmed.lookUps).toEqual([]);
  });
});
