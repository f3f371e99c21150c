/** What a live profile asks for, and what the limits of a profile refuse; nothing is sent then. */
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
/** To whatever was asked. */
const ANSWER = '{"successful":true,"response":{"successful":true},"errors":[]}';
const CARD = '{"card_number":"5123456789012346","card_holder":"A","card_expiry":"05/2031"}';

interface Options extends TestHostOptions {
  environment?: 'live' | 'sandbox';
  limits?: { readOnly?: boolean; maxAmount?: number; allowedCommands?: string[] };
  way?: Way;
}

/** Runs a command with the profile `shop`. */
async function gw(command: string, { environment = 'live', limits, way, ...rest }: Options = {}) {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(200, ANSWER)),
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
    'a live profile without anybody to confirm does not %s',
    async (command) => {
      const { failure, sent, recorded } = await gw(command);
      expect(failure).toMatchObject({ kind: 'guard', exitCode: 10, sent: false });
      expect(failure?.next).toBe('Add --confirm shop if you mean it.');
      expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
    },
  );

  test.each([...MONEY, ...DESTROY])(
    'a live profile that is confirmed by name does %s',
    async (command) => {
      const { failure, changes } = await gw(`${command} --confirm shop`);
      expect(failure).toBeUndefined();
      expect(changes).toBe(1);
    },
  );

  test('a live profile that is confirmed by another name does nothing', async () => {
    const { failure, sent } = await gw(`${PAY} --confirm live`);
    expect(failure).toMatchObject({ kind: 'guard', code: 'other-profile-confirmed' });
    expect(sent).toBe(0);
  });

  test.each(HARMLESS)('a live profile is not asked about %s', async (command) => {
    const { failure, sent, host } = await gw(command, { answers: [] });
    expect(failure).toBeUndefined();
    expect(sent).toBe(1);
    expect(host.asked).toEqual([]);
  });

  test('a live profile shows what is about to happen, and is asked for its name', async () => {
    const { failure, stderr, host, sent } = await gw(PAY, { answers: ['shop'] });
    expect(failure).toBeUndefined();
    expect(host.asked).toEqual(['Type the profile name (shop) to confirm:']);
    for (const document of ['shop (LIVE)', 'ada', 'tok', '25.00 AUD', 'INV-1', '127.0.0.1']) {
      expect(stderr).toContain(document);
    }
    expect(sent).toBe(1);
  });

  test.each(['', 'y', 'yes', 'SHOP', 'shop '])('takes %j for a no', async (typed) => {
    const { failure, sent, recorded } = await gw(PAY, { answers: [typed, typed, typed] });
    expect(failure).toMatchObject({ kind: 'guard', code: 'not-confirmed' });
    expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
  });

  test('whoever mistypes the name is told so, and asked three times in all', async () => {
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

  test('a live profile is not asked with --no-input', async () => {
    const { failure, host } = await gw(`${PAY} --no-input`, { answers: ['shop'] });
    expect(failure?.kind).toBe('guard');
    expect(host.asked).toEqual([]);
  });

  test('a live profile shows the card masked, and controls in a reference neutralised', async () => {
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

  test.each([
    ['reference=["a"]', 'reference'],
    ['reference=true', 'reference'],
    ['amount=0.5', 'amount'],
    ['amount=true', 'amount'],
    ['Amount=2', 'amount'],
    ['Reference=b --field reference=a', 'reference'],
    ['transactionId=071-P-2', 'transactionId'],
    ['currency.code=AUD', 'currency'],
  ])(
    'a live profile refuses gw api with %s, which can be read in several ways',
    async (field, name) => {
      const body = '--field transaction_id=071-P-1 --field amount=1';
      const given = field.startsWith('amount') ? '' : ` ${body}`;
      const json = field === 'reference=["a"]' ? ' --input -' : ` --field ${field}`;
      const { failure, sent, recorded } = await gw(
        `api POST /v1.0/refunds --confirm shop${given}${json}`,
        { stdin: '{"reference":["a"]}' },
      );
      expect(failure).toMatchObject({ code: 'request-unreadable', exitCode: 10 });
      expect(failure?.message).toContain(name);
      expect({ sent, recorded }).toEqual({ sent: 0, recorded: false });
    },
  );

  test.each([
    'reference=1001 --field transaction_id=071-P-1 --field amount=1',
    'purchase.reference=a --field purchase.amount=1',
    'reference=a --field customer.reference=b --field amount=1 --field lines.amount=7',
    'note=x',
  ])('a live profile that is confirmed sends gw api with %s', async (field) => {
    const { failure, changes } = await gw(
      `api POST /v1.0/refunds/071-R-1/void --confirm shop --field ${field}`,
    );
    expect(failure).toBeUndefined();
    expect(changes).toBe(1);
  });

  test('a live profile shows what gw api is about to move, however it says it', async () => {
    const { stderr } = await gw(
      'api POST /v1.0/refunds?Amount=2500&reference=7 --field transactionId=071-P-1',
      { answers: ['no', 'no', 'no'] },
    );
    expect(stderr).toMatch(/Record +071-P-1\n.*Amount +25\.00.*\n.*Reference +7\n/);
  });

  test.each(['POST /v1.0/purchases', 'POST /v1.0/unheard-of', 'DELETE /v1.0/customers/1'])(
    'a live profile is guarded against gw api %s, too',
    async (request) => {
      const { failure, sent } = await gw(`api ${request} --field amount=1`, { way: 'oclif' });
      expect(failure?.kind).toBe('guard');
      expect(sent).toBe(0);
    },
  );
});

describe('a limit of the profile', () => {
  const sandbox = { environment: 'sandbox' } as const;

  test.each([...MONEY, ...DESTROY, 'tokenize --card-file -'])(
    'that only permits reading refuses %s',
    async (command) => {
      const { failure, sent } = await gw(command, { ...sandbox, limits: { readOnly: true } });
      expect(failure).toMatchObject({ kind: 'guard', code: 'profile-read-only' });
      expect(sent).toBe(0);
    },
  );

  test('that only permits reading permits reading', async () => {
    const { failure } = await gw('purchase get x', { ...sandbox, limits: { readOnly: true } });
    expect(failure).toBeUndefined();
  });

  test.each([
    [2499, true],
    [2500, false],
    [2501, false],
  ])('a maxAmount of %i for one request is kept', async (maxAmount, isRefused) => {
    const { failure, sent } = await gw(PAY, { ...sandbox, limits: { maxAmount } });
    expect(failure?.kind).toBe(isRefused ? 'guard' : undefined);
    expect(sent).toBe(isRefused ? 0 : 1);
  });

  test.each([
    'plan create --name n --reference r --description d --amount 2500',
    'plan update 071-PL-1 --amount 2500',
  ])('a maxAmount is kept for what each billing of a plan charges: %s', async (command) => {
    const { failure, sent } = await gw(command, { ...sandbox, limits: { maxAmount: 2499 } });
    expect(failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(sent).toBe(0);
  });

  test.each(['"99999"', '-99999', '0.5', '1e9', '[1]', 'true'])(
    'a maxAmount is kept when gw api sends the amount %s',
    async (amount) => {
      const { sent, failure } = await gw(`api POST /v1.0/purchases --field amount=${amount}`, {
        ...sandbox,
        way: 'oclif',
        limits: { maxAmount: 1 },
      });
      expect(failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
      expect(sent).toBe(0);
    },
  );

  test.each([
    ['POST /v1.0/purchases?amount=2500', 'amount=1'],
    ['POST /v1.0/purchases', 'Amount=2500'],
    ['POST /v1.0/purchases', 'decimal_amount=25.00'],
    ['POST /v1.0/purchases', 'decimalAmount=25'],
    ['POST /v1.0/purchases', 'purchase.amount=2500'],
    ['POST /v1.0/purchases?purchase[amount]=2500', 'amount=1'],
    ['POST /v1.0/purchases/071-P-1/capture', 'amount=2500'],
    ['POST /v1.0/purchases/071-P-1/capture', 'amount_cents=2500'],
    ['POST /v1.0/refunds', 'AMOUNT="2500"'],
    // Of what says none, nobody knows how much it is.
    ['POST /v1.0/purchases/071-P-1/capture', 'note=all'],
    ['POST /v1.0/refunds', 'transaction_id=071-P-1'],
    ['GET /v1.0/purchases?_method=post&amount=2500', undefined],
  ])('a maxAmount is kept when gw api sends %s with %s', async (request, field) => {
    const given = field === undefined ? '' : ` --field ${field}`;
    const { sent, failure } = await gw(`api ${request}${given}`, {
      ...sandbox,
      limits: { maxAmount: 2499 },
    });
    expect(failure).toMatchObject({ kind: 'guard', code: 'amount-above-limit' });
    expect(sent).toBe(0);
  });

  test.each([
    ['POST /v1.0/purchases', 'amount=2499'],
    ['POST /v1.0/purchases', 'amount="2499"'],
    ['POST /v1.0/purchases', 'decimal_amount=24.99'],
    ['POST /v1.0/purchases?amount=2499', 'card_token=tok'],
    ['POST /v1.0/purchases/071-P-1/capture', 'amount=2499'],
    ['PUT /v1.0/customers/071-C-1.json', 'first_name=Ada'],
    ['GET /v1.0/purchases?amount=99999', undefined],
  ])('a maxAmount lets gw api send %s with %s', async (request, field) => {
    const given = field === undefined ? '' : ` --field ${field}`;
    const { sent } = await gw(`api ${request}${given}`, {
      ...sandbox,
      limits: { maxAmount: 2499 },
    });
    expect(sent).toBe(1);
  });

  test('that permits some commands refuses the others', async () => {
    const limits = { allowedCommands: ['purchase get'] };
    expect((await gw('purchase get x', { ...sandbox, limits })).failure).toBeUndefined();
    const { failure, sent } = await gw('refund get x', { ...sandbox, limits });
    expect(failure?.code).toBe('command-not-allowed');
    expect(sent).toBe(0);
  });

  test('a limit of the profile comes before any question', async () => {
    const { host } = await gw(PAY, { answers: ['shop'], limits: { readOnly: true } });
    expect(host.asked).toEqual([]);
  });
});
