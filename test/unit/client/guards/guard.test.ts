/** Confirmation of live profiles, and requests that the limits of a profile refuse unsent. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { runCommand, type TestHostOptions, type Way } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const PAY = 'purchase create --card-token tok --amount 2500 --currency AUD --reference INV-1';
const MONEY = [PAY, 'refund create --transaction-id 071-P-1 --amount 1 --reference r'];
const DESTROY = ['customer delete 071-C-1'];
const HARMLESS = [
  'purchase get 071-P-1',
  'tokenize --card-file -',
  'plan update 071-PL-1 --name Gold',
];
const CARD =
  '{"card_number":"5123456789012346","card_holder":"A","card_expiry":"05/2031","cvv":"123"}';

interface Options extends TestHostOptions {
  environment?: 'live' | 'sandbox';
  limits?: {
    readOnly?: boolean;
    maxAmount?: number;
    allowedCommands?: string[];
    currency?: string;
  };
  /** The gateway's answer. */
  response?: object;
  way?: Way;
}

/** Runs a command with the profile `shop`. */
async function gw(
  command: string,
  { environment = 'live', limits, way, response = { successful: true }, ...rest }: Options = {},
) {
  const server = await hostileServer({
    onRequest: (socket) =>
      socket.write(answer(200, JSON.stringify({ successful: true, response, errors: [] }))),
  });
  const result = await runCommand(way ?? 'fast path', command.split(' '), {
    stdin: CARD,
    ...rest,
    env: { GW_PROFILE: 'shop', GW_USERNAME: 'ada', GW_API_TOKEN: 'secret-token' },
    profiles: { shop: { environment, baseUrl: server.url.href, ...limits } },
  });
  const recorded = existsSync(ledgerPath(result.host.files));
  const changes = server.requests.filter(({ method }) => method !== 'GET').length;
  return { ...result, sent: server.requests.length, changes, recorded };
}

describe('a live profile', () => {
  test.each([...MONEY, ...DESTROY])(
    'a live profile without a terminal or --confirm does not %s',
    async (command) => {
      const { failure, sent, recorded } = await gw(command);
      expect(failure).toMatchObject({ kind: 'guard', exitCode: 10, sent: false });
      expect(failure?.next).toBe('Add --confirm shop if you mean it.');
      expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
    },
  );

  test.each([...MONEY, ...DESTROY])(
    'a live profile that is confirmed with its name does %s',
    async (command) => {
      const { failure, changes } = await gw(`${command} --confirm shop`);
      expect(failure).toBeUndefined();
      expect(changes).toBe(1);
    },
  );

  test('a live profile that is confirmed with another name does nothing', async () => {
    const { failure, sent } = await gw(`${PAY} --confirm live`);
    expect(failure).toMatchObject({ kind: 'guard', code: 'other-profile-confirmed' });
    expect(sent).toBe(0);
  });

  test.each(HARMLESS)('a live profile asks for no confirmation of %s', async (command) => {
    const { failure, sent, host } = await gw(command, { answers: [] });
    expect(failure).toBeUndefined();
    expect(sent).toBe(1);
    expect(host.asked).toEqual([]);
  });

  test("a live profile shows the request and asks for the profile's name", async () => {
    const { failure, stderr, host, sent } = await gw(PAY, { answers: ['shop'] });
    expect(failure).toBeUndefined();
    expect(host.asked).toEqual(['Type the profile name (shop) to confirm:']);
    for (const document of ['shop (LIVE)', 'ada', 'tok', '25.00 AUD', 'INV-1', '127.0.0.1']) {
      expect(stderr).toContain(document);
    }
    expect(sent).toBe(1);
  });

  test.each(['', 'y', 'yes', 'SHOP', 'shop '])('%j does not confirm', async (typed) => {
    const { failure, sent, recorded } = await gw(PAY, { answers: [typed, typed, typed] });
    expect(failure).toMatchObject({ kind: 'guard', code: 'not-confirmed' });
    expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
  });

  test('a mistyped name is reported, and gw asks three times in all', async () => {
    const asked = [
      'Type the profile name (shop) to confirm:',
      'Not confirmed: this is not the profile name. 2 tries are left',
      'Not confirmed: this is not the profile name. 1 try is left',
    ];
    const third = await gw(PAY, { answers: ['shp', '', 'shop'] });
    expect(third.failure).toBeUndefined();
    expect({ asked: third.host.asked, sent: third.sent }).toEqual({ asked, sent: 1 });
    const never = await gw(PAY, { answers: ['shp', 'ship', 'shopp', 'shop'] });
    expect(never.failure).toMatchObject({ exitCode: 10, code: 'not-confirmed' });
    expect({ asked: never.host.asked, sent: never.sent }).toEqual({ asked, sent: 0 });
  });

  test('a live profile asks nothing with --no-input', async () => {
    const { failure, host } = await gw(`${PAY} --no-input`, { answers: ['shop'] });
    expect(failure?.kind).toBe('guard');
    expect(host.asked).toEqual([]);
  });

  test('a live profile shows the card masked and the control characters of a reference escaped', async () => {
    const { stderr } = await gw('customer delete \u001b[31m071-C-1', {
      answers: ['no', 'no', 'no'],
    });
    expect(stderr).not.toContain('\u001b[31m');
    const stdin = CARD;
    const paid = await gw('purchase create --card-file - --amount 1', {
      answers: ['no', 'no', 'no'],
      stdin,
    });
    expect(paid.stderr).toContain('512345XXXXXX2346');
    expect(paid.stderr).not.toContain('5123456789012346');
  });

  test('a live profile needs no confirmation for a dry run', async () => {
    const { failure, sent, recorded } = await gw(`${PAY} --dry-run`);
    expect(failure).toBeUndefined();
    expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
  });

  test.each(['note=x', 'amount=1 --field reference=r', 'lines.amount=7'])(
    'a live profile that is confirmed sends gw api with %s',
    async (field) => {
      const { failure, changes } = await gw(
        `api POST /v1.0/refunds/071-R-1/void --confirm shop --field ${field}`,
      );
      expect(failure).toBeUndefined();
      expect(changes).toBe(1);
    },
  );

  test('a live profile shows the whole request of gw api, with the card masked', async () => {
    const { stderr, sent } = await gw(
      'api POST /v1.0/payouts?to=ada&cvv=737 --field amount=2500 --field card.card_number=5123456789012346',
      { answers: ['no', 'no', 'no'] },
    );
    expect(stderr).toContain('LIVE: this may move real money.');
    expect(stderr).toMatch(/Command +api POST \/v1\.0\/payouts\n/);
    expect(stderr).toMatch(/Query +to=ada&cvv=\*\*\*\n/);
    expect(stderr).toContain('{"amount":2500,"card":{"card_number":"512345XXXXXX2346"}}');
    expect(sent).toBe(0);
  });

  test.each(['POST /v1.0/unheard-of', 'DELETE /v1.0/purchases/1', 'PUT /v1.0/refunds/071-R-1'])(
    'a live profile without a terminal or --confirm does not send gw api %s',
    async (request) => {
      const { failure, sent, recorded } = await gw(`api ${request} --field amount=1`, {
        way: 'oclif',
      });
      expect(failure).toMatchObject({ kind: 'guard', code: 'nobody-to-confirm' });
      expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
    },
  );

  test.each([
    'POST /v1.0/purchases?amount=1 --field amount=2',
    'DELETE /v1.0/customers/1 --field a=b',
    'POST /v1.0/x?_method=delete',
    'GET /v1.0/purchases/071-P-1?_method=POST',
    'GET /v1.0/plans --query X-HTTP-Method-Override=POST',
    'PUT /v1.0/x --field _method=POST',
    'GET /v1.0/plans --field a=b',
  ])('a live profile never sends gw api %s, even if it is confirmed', async (request) => {
    const { failure, sent, recorded } = await gw(`api ${request} --confirm shop`);
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
    expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
  });
});

describe('a limit of the profile', () => {
  const sandbox = { environment: 'sandbox' } as const;

  test.each([...MONEY, ...DESTROY, 'tokenize --card-file -'])(
    'read-only refuses %s',
    async (command) => {
      const { failure, sent } = await gw(command, { ...sandbox, limits: { readOnly: true } });
      expect(failure).toMatchObject({ kind: 'guard', code: 'profile-read-only' });
      expect(sent).toBe(0);
    },
  );

  test('read-only allows look-ups', async () => {
    const { failure } = await gw('purchase get x', { ...sandbox, limits: { readOnly: true } });
    expect(failure).toBeUndefined();
  });

  test.each([
    [2499, true],
    [2500, false],
    [2501, false],
  ])('maxAmount %i limits one request', async (maxAmount, isRefused) => {
    const { failure, sent } = await gw(PAY, { ...sandbox, limits: { maxAmount } });
    expect(failure?.kind).toBe(isRefused ? 'guard' : undefined);
    expect(sent).toBe(isRefused ? 0 : 1);
  });

  test.each([
    'plan create --name n --reference r --description d --amount 2500',
    'plan update 071-PL-1 --amount 2500',
  ])('maxAmount limits what each billing of a plan charges: %s', async (command) => {
    const { failure, sent } = await gw(command, { ...sandbox, limits: { maxAmount: 2499 } });
    expect(failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(sent).toBe(0);
  });

  test.each([
    ['JPY', '--currency AUD', 'limit-in-other-currency'],
    ['AUD', '--currency AUD', undefined],
    ['AUD', '--currency aud', undefined],
    ['JPY', '', undefined],
  ])('maxAmount in %s compares an amount with %s', async (currency, flag, code) => {
    const { failure, sent } = await gw(
      `purchase create --card-token tok --amount 1 ${flag}`.trim(),
      {
        ...{ ...sandbox, limits: { maxAmount: 2499, currency } },
      },
    );
    expect(failure?.code).toBe(code);
    expect(failure?.message).toBe(
      code && 'gw cannot compare an amount in AUD with the limit of the profile shop, 2499 JPY.',
    );
    expect(sent).toBe(code ? 0 : 1);
  });

  test.each([
    ['JPY', true],
    ['AUD', false],
    [undefined, false],
  ])('maxAmount in %s limits a refund of a purchase in AUD: %s', async (currency, isRefused) => {
    const paid = { id: '071-P-1', amount: 5000, currency: 'AUD', successful: true };
    const { failure, changes } = await gw(
      'refund create --transaction-id 071-P-1 --amount 1 --reference r',
      {
        ...{ ...sandbox, response: paid },
        limits: { maxAmount: 2499, ...(currency && { currency }) },
      },
    );
    expect(failure?.code === 'limit-in-other-currency').toBe(isRefused);
    expect(changes).toBe(isRefused ? 0 : 1);
  });

  const input = (body: object) => ({
    ...{ ...sandbox, limits: { maxAmount: 2499 } },
    stdin: JSON.stringify({ card_token: 'tok', reference: 'INV-1', ...body }),
  });

  test.each([
    { amount: 2500 },
    { amount: 1, total: 2500 },
    { amount: 1, purchase: { amount: 2500 } },
    { amount: 1, purchase: { amount: { value: 1 } } },
    { amount: 1, lines: [{ price: '1' }, { price: '25.00' }] },
    { amount: 1, fee_cents: 'many 9' },
  ])('maxAmount limits every amount in %j', async (body) => {
    const { sent, failure } = await gw('purchase create --input -', input(body));
    expect(failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(sent).toBe(0);
  });

  test.each([
    { amount: 2499 },
    { amount: 2499, decimal_amount: 24.99, currency: 'AUD', total_items: 3 },
  ])('maxAmount allows %j', async (body) => {
    const { sent } = await gw('purchase create --input -', input(body));
    expect(sent).toBe(1);
  });

  test.each(['amount=1', 'note=all'])(
    'maxAmount refuses gw api with %s, because its amount is unknown',
    async (field) => {
      const { sent, failure } = await gw(
        `api POST /v1.0/purchases/071-P-1/capture --field ${field}`,
        {
          ...sandbox,
          limits: { maxAmount: 2499 },
        },
      );
      expect(failure).toMatchObject({ kind: 'guard', code: 'amount-not-known' });
      expect(sent).toBe(0);
    },
  );

  test('maxAmount does not limit look-ups', async () => {
    const { sent } = await gw('api GET /v1.0/purchases?amount=99999', {
      ...sandbox,
      limits: { maxAmount: 1 },
    });
    expect(sent).toBe(1);
  });

  test('allowedCommands refuses all other commands', async () => {
    const limits = { allowedCommands: ['purchase get'] };
    expect((await gw('purchase get x', { ...sandbox, limits })).failure).toBeUndefined();
    const { failure, sent } = await gw('refund get x', { ...sandbox, limits });
    expect(failure?.code).toBe('command-not-allowed');
    expect(sent).toBe(0);
  });

  test('a limit refuses before any question', async () => {
    const { host } = await gw(PAY, { answers: ['shop'], limits: { readOnly: true } });
    expect(host.asked).toEqual([]);
  });
});
