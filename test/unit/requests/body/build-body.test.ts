/** Bodies and cards from flags, files and stdin, and what is refused before anything is sent. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, type TestHostOptions } from '../../../helpers/cli.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const gatewayOf = (environment: string) => ({
  GW_USERNAME: 'shop',
  GW_API_TOKEN: 'secret-token',
  GW_BASE_URL: 'https://gateway.example',
  GW_ENVIRONMENT: environment,
});

const profileIn = (currency: string): TestHostOptions => ({
  profiles: { shop: { environment: 'sandbox', baseUrl: 'https://gateway.example', currency } },
  env: { GW_PROFILE: 'shop', GW_USERNAME: 'shop', GW_API_TOKEN: 'secret-token' },
});

async function dryRun(argv: readonly string[], options: TestHostOptions = {}) {
  const result = await runCommand('fast path', [...argv, '--dry-run'], {
    env: gatewayOf('sandbox'),
    ...options,
  });
  const shown = result.stdout === '' ? {} : (JSON.parse(result.stdout) as { body?: unknown });
  return { ...result, body: shown.body };
}

const words = (command: string) => command.split(' ');
const PAY = words('purchase create --amount 1');
const TOKEN = [...PAY, '--card-token', 'tok'];
const CARD = JSON.stringify({
  card_number: '5123456789012346',
  card_holder: 'Ada',
  card_expiry: '05/2031',
});

describe('a flag', () => {
  test('replaces the amount of a body by a decimal one in the currency of the body', async () => {
    const stdin = '{"card_token":"t","amount":5,"currency":"BHD"}';
    const argv = words('purchase create --input - --decimal-amount 2.5');
    expect((await dryRun(argv, { stdin })).body).toMatchObject({ amount: 2500, currency: 'BHD' });
  });
});

describe('a decimal beside the amount of a body', () => {
  const pay = words('purchase create --card-token t --input -');

  test.each([
    ['{"amount":2500,"decimal_amount":25.00}', 'AUD'],
    ['{"amount":2500,"decimalAmount":"25.00"}', 'AUD'],
    ['{"amount":2500,"decimal_amount":2.5,"currency":"BHD"}', 'BHD'],
    ['{"amount":2500,"decimal_amount":2500,"currency_code":"jpy"}', 'JPY'],
  ])('%s is sent with the currency in which it is read', async (stdin, currency) => {
    const result = await dryRun([...pay, '--currency', currency], { stdin });
    expect(result.body).toMatchObject({ amount: 2500, currency });
    const inProfile = await dryRun(pay, { stdin, ...profileIn(currency) });
    expect(inProfile.body).toMatchObject({ amount: 2500, currency });
  });

  test.each([
    ['{"amount":2500,"decimal_amount":25.00}', 'KWD'],
    ['{"amount":2500,"decimal_amount":25.00}', 'JPY'],
    ['{"amount":2500,"decimal-amount":2500}', 'AUD'],
    ['{"amount":2500,"DecimalAmount":"2500","currency":"AUD"}', 'AUD'],
    ['{"amount":25,"decimal_amount":25.00}', 'AUD'],
  ])('%s is refused in %s', async (stdin, currency) => {
    const { failure } = await dryRun([...pay, '--currency', currency], { stdin });
    expect(failure).toMatchObject({ exitCode: 2, code: 'body-invalid' });
    const { failure: inProfile } = await dryRun(pay, { stdin, ...profileIn(currency) });
    expect(inProfile).toMatchObject({ exitCode: 2, code: 'body-invalid' });
  });

  test('is refused while nobody says a currency', async () => {
    const stdin = '{"amount":2500,"decimal_amount":25.00}';
    const { failure } = await dryRun(pay, { stdin });
    expect(failure).toMatchObject({
      ...{ exitCode: 2, code: 'currency-missing', sent: false },
      message: 'decimal_amount is 25 and amount is 2500: gw needs to know the currency.',
    });
  });

  test('means nothing if it is null', async () => {
    const stdin = '{"amount":2500,"decimal_amount":null}';
    expect((await dryRun(pay, { stdin })).body).toMatchObject({ amount: 2500 });
  });
});

describe('a card', () => {
  test.each<[from: string, argv: string[], stdin: string]>([
    ['a file on stdin', [...PAY, '--card-file', '-'], CARD],
    ['the body', [...PAY, '--input', '-'], CARD],
    [
      'flags',
      [...PAY, ...words('--card-number 5123456789012346 --card-holder Ada --card-expiry 05/2031')],
      '',
    ],
  ])('a card is taken from %s, and shown masked', async (_, argv, stdin) => {
    const { body, stdout, stderr } = await dryRun(argv, { stdin });
    expect(body).toMatchObject({ card_number: '512345XXXXXX2346', card_holder: 'Ada' });
    expect(stdout + stderr).not.toContain('5123456789012346');
  });

  test.each(['05/2031', '05/31', '5/2031', '0531', '05 31'])(
    'people may type the expiry of a card as %s',
    async (typed) => {
      const card = ['--card-number', '5123456789012346', '--card-holder', 'Ada'];
      const { body } = await dryRun([...PAY, ...card, '--card-expiry', typed]);
      expect(body).toMatchObject({ card_expiry: '05/2031' });
    },
  );

  test('a card and a body cannot both be read from stdin', async () => {
    const argv = [...PAY, '--input', '-', '--card-file', '-'];
    const { failure } = await dryRun(argv, { stdin: CARD });
    expect(failure).toMatchObject({
      ...{ kind: 'usage', exitCode: 2 },
      message: '--input and --card-file cannot both read stdin.',
    });
  });

  test.each([
    ['2026-03-10T00:00:00Z', true],
    ['2026-03-31T23:59:59Z', true],
    ['2026-04-01T11:59:59Z', true],
    ['2026-04-01T12:00:00Z', false],
  ])('a card that expires in 03/2026 is accepted at %s: %s', async (now, isTaken) => {
    const stdin = CARD.replace('05/2031', '03/2026');
    const { failure } = await dryRun([...PAY, '--card-file', '-'], { stdin, now });
    // At noon in UTC the month is over in the last place on Earth.
    expect(failure === undefined).toBe(isTaken);
  });

  test.each([
    ['--card-number', '5123456789012346'],
    ['--cvv', '123'],
    ['--test-card', 'approved'],
  ])('a live profile does not accept a card from %s', async (flag, value) => {
    const { failure } = await dryRun([...TOKEN, flag, value], { env: gatewayOf('live') });
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
    expect(failure?.message).toContain('live profile');
  });
});

describe('a body in --input', () => {
  test.each<[what: string, text: string, message: RegExp]>([
    ['white space', ' \n\t', /is empty/],
    [
      'half of an object',
      '{"amount": 1,\n "ref',
      /a text does not end on its line at line 2, column 2/,
    ],
  ])(
    'a body in --input that is %s is refused, and the message names the place',
    async (_, stdin, message) => {
      const { failure } = await dryRun(words('purchase create --input -'), { stdin });
      expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
      expect(failure?.message).toMatch(message);
    },
  );

  test('a body in a file may have the forms that deployments forgive, and a typed currency may be in small letters', async () => {
    const stdin = '{"card_token":77,"amount":1,"cvv":123,"currency":"aud","customer_ip":""}';
    const { body } = await dryRun(words('purchase create --input -'), { stdin });
    expect(body).toEqual({ card_token: '77', amount: 1, cvv: '***', currency: 'AUD' });
    const card = { card_number: 5123456789012346, card_holder: 'A', card_expiry: '9/32', cvv: 123 };
    const file = path.join(temporaryDirectory(), 'card.json');
    writeFileSync(file, JSON.stringify(card));
    const paid = await dryRun(words(`purchase create --amount 1 --card-file ${file}`));
    expect(paid.body).toMatchObject({ card_number: '512345XXXXXX2346', card_expiry: '09/2032' });
    const typed = await dryRun(words('purchase create --card-token t --amount 1 --currency aud'));
    expect(typed.body).toMatchObject({ currency: 'AUD' });
    const none = await dryRun(words('purchase create --card-token t --amount 1 --currency AUS'));
    expect(none.failure?.message).toBe(
      '--currency "AUS" is not an ISO 4217 currency code such as AUD or USD.',
    );
  });
});
