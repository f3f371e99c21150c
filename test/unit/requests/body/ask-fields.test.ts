/** Questions for missing fields, and the message if nobody can be asked. */
import { describe, expect, test } from 'vitest';
import { runCommand, type TestHostOptions } from '../../../helpers/cli.ts';

const GATEWAY = {
  GW_USERNAME: 'shop',
  GW_API_TOKEN: 'secret-token',
  GW_BASE_URL: 'https://gateway.example',
  GW_ENVIRONMENT: 'sandbox',
};

/** @returns what was asked, and the body that would have been sent */
async function dryRun(command: string, options: TestHostOptions = {}) {
  const argv = [...command.split(' '), '--dry-run'];
  const result = await runCommand('fast path', argv, { env: GATEWAY, ...options });
  const shown = result.stdout === '' ? {} : (JSON.parse(result.stdout) as { body?: unknown });
  return { ...result, asked: result.host.asked, body: shown.body };
}

const CARD_QUESTIONS = [
  'Card:',
  'Card number (not shown):',
  'Name on the card:',
  'Expiry (MM/YY):',
  'CVV (not shown; empty when there is none):',
];
const NO_CARD = 'This looks like a card number. Type it only where gw asks for one';
const CURRENCY = 'Currency (like AUD; empty to type minor units):';
const AMOUNT = 'Amount in minor units (cents for AUD, whole yen for JPY):';
const REFERENCE = 'Reference (your own; empty for none):';
const CARD_ANSWERS = ['type a card', '5123 4567-8901 2346', 'Ada', '05/31', ''];
const masked = { card_number: '512345XXXXXX2346', card_holder: 'Ada', card_expiry: '05/2031' };

describe('a person at a terminal', () => {
  test.each([
    ['jpy', '25', 25],
    ['bhd', '2.5', 2500],
    [' usd', '2.50', 250],
  ])(
    'the currency %j is read in any letters, and the amount is asked for in that currency',
    async (typed, answer, amount) => {
      const code = typed.trim().toUpperCase();
      const argv = ['purchase', 'create', '--reference', 'INV-1', '--dry-run', '--currency', typed];
      const options = { env: GATEWAY, answers: [...CARD_ANSWERS, answer] };
      const { stdout, host } = await runCommand('fast path', argv, options);
      expect(host.asked.at(-1)).toContain(
        `Amount in ${code} (${code === 'JPY' ? 'without decimals' : 'like 25.'}`,
      );
      expect(JSON.parse(stdout)).toMatchObject({ body: { amount, currency: code } });
    },
  );

  test.each([
    ['25 AUD', 'the question'],
    ['AUD 25', 'the question'],
    ['$25', 'the question'],
    ['25 AUD', 'a flag'],
    ['$25.00', 'a flag'],
  ])('%s is an amount of AUD for %s', async (typed, door) => {
    const argv = ['purchase', 'create', '--reference', 'INV-1', '--dry-run', '--currency', 'AUD'];
    const given = door === 'a flag' ? ['--decimal-amount', typed] : [];
    const answers = door === 'a flag' ? CARD_ANSWERS : [...CARD_ANSWERS, '25 USD', typed];
    const { stdout } = await runCommand('fast path', [...argv, ...given], {
      env: GATEWAY,
      answers,
    });
    expect(JSON.parse(stdout)).toMatchObject({ body: { amount: 2500, currency: 'AUD' } });
  });

  test('the currency beside an amount counts where no other is known', async () => {
    const argv = ['purchase', 'create', '--card-token', 'ada', '--decimal-amount', 'AUD 25'];
    const { stdout } = await runCommand('fast path', [...argv, '--dry-run'], { env: GATEWAY });
    const { body } = JSON.parse(stdout) as { body: unknown };
    expect(JSON.stringify(body)).toBe('{"card_token":"ada","amount":2500,"currency":"AUD"}');
  });

  test('a person at a terminal learns what is wrong with an answer and is asked again', async () => {
    const answers = [
      ...['type', '4111', '5123456789012345', 'x', '5123456789012346'],
      ...['  ', '5123 4567 8901 2346', 'Ada'],
      ...['31', '13/2031', '05/20', '0531'],
      ...['12', '123'],
      ...['dollars', 'bgn', 'AUD', '25,00', '25.001', '0', '-1', '1e3', '99999999999999999', '25'],
      ...['5123456789012346', 'INV-1'],
    ];
    const { asked, body } = await dryRun('purchase create', { answers });
    expect(asked.filter((text) => !text.endsWith(':'))).toEqual([
      'Not a card number: 4 digits, and one has 12 to 19. Type it again',
      'Not a card number: a digit is wrong or in the wrong place. Type it again',
      'A card number has digits only; spaces and dashes may stand between',
      "The name can't be blank",
      NO_CARD,
      ...Array(2).fill('Write the month and the year, like 05/31 or 05/2031'),
      'This card expired in 05/2020: use another one',
      'A CVV has three or four digits',
      'Type a code of three letters, like AUD',
      'This is BGN, which ISO 4217 withdrew in 2026-01: EUR replaced it',
      'Use a point before decimals and nothing else: write 25.00',
      'AUD has 2 decimals, so gw cannot send 25.001. It does not round',
      'The amount must be above zero',
      'Write an amount above zero, without a sign',
      'Write digits, and a point before decimals',
      'At most 9999999999999.99 AUD',
      NO_CARD,
    ]);
    expect(body).toEqual({
      ...masked,
      amount: 2500,
      currency: 'AUD',
      reference: 'INV-1',
      cvv: '***',
    });
  });

  test.each([
    ['25', 'AUD', 2500],
    ['25.5', 'AUD', 2550],
    ['2500', 'JPY', 2500],
    ['2.500', 'KWD', 2500],
    ['2500', '', 2500],
    ['25.00', ' aud ', 2500],
  ])(
    'a person at a terminal who types the amount %s in %s means %i minor units',
    async (typed, currency, amount) => {
      const { body } = await dryRun('purchase create --card-token tok', {
        answers: [currency, typed, ''],
      });
      expect(body).toMatchObject({ amount });
    },
  );

  test('a person at a terminal picks a test card by its name, or types a token', async () => {
    const answers = ['declined', '', '2500', ''];
    const { asked, body } = await dryRun('purchase create', { answers });
    expect(asked).toEqual(['Card:', CURRENCY, AMOUNT, REFERENCE]);
    expect(body).toMatchObject({ card_number: '531358XXXXXX3430', amount: 2500 });
    const token = await dryRun('purchase create', {
      answers: ['type a token', ' ', '4111 1111 1111 1111', 'w7fav6rlj8z0', '', '2500', ''],
    });
    expect(token.asked.slice(1, 4)).toEqual(['Token:', "The token can't be blank", NO_CARD]);
    expect(token.body).toEqual({ card_token: 'w7fav6rlj8z0', amount: 2500 });
  });

  test('a person at a terminal with a live profile types the card', async () => {
    const env = { ...GATEWAY, GW_ENVIRONMENT: 'live' };
    const [, ...answers] = CARD_ANSWERS;
    const { asked } = await dryRun('tokenize', { answers, env });
    expect(asked).toEqual(CARD_QUESTIONS.slice(1));
  });

  test('a person at a terminal is asked for no card when there is a token', async () => {
    const { asked } = await dryRun('purchase create --card-token tok', { answers: ['', '1', ''] });
    expect(asked).toEqual([CURRENCY, AMOUNT, REFERENCE]);
  });

  test('a person at a terminal is asked for the missing fields of a card', async () => {
    const command = 'tokenize --card-holder Ada --card-expiry 05/2031';
    const { asked, body } = await dryRun(command, { answers: ['5123456789012346', ''] });
    expect(asked).toEqual([CARD_QUESTIONS[1], CARD_QUESTIONS[4]]);
    expect(body).toEqual(masked);
  });

  test.each([
    ['purchase create --currency XXZ', 'body-invalid', '--currency "XXZ" is'],
    [
      'purchase create --card-expiry 99/99 --amount 1',
      'body-invalid',
      '--card-expiry "99/99" must',
    ],
    ['purchase create --card-expiry 05/2020', 'card-expired', '05/2020'],
    ['purchase create --card-token 4111111111111111', 'card-number-as-token', 'card token'],
    ['customer create --expiry-date 13/2031', 'body-invalid', '--expiry-date "13/2031" must'],
    ['subscription create --start-date 2031-02-30', 'body-invalid', '--start-date "2031-02-30" is'],
  ])(
    'a person at a terminal learns of a wrong flag before any question: gw %s',
    async (command, code, named) => {
      const { asked, failure } = await dryRun(command, { answers: [] });
      expect(asked).toEqual([]);
      expect(failure).toMatchObject({ kind: 'usage', code });
      expect(failure?.message).toContain(named);
    },
  );

  test("a person at a terminal must give the CVV of a new customer's card", async () => {
    const command = 'customer create --first-name A --last-name B --reference C --email e';
    const answers = ['type', '5123456789012346', 'Ada', '05/2031', '', '123'];
    const { asked, body } = await dryRun(command, { answers });
    expect(asked.slice(-2)).toEqual(['CVV (not shown):', 'A CVV has three or four digits']);
    expect(body).toMatchObject({ card: { expiry_date: '05/2031', cvv: '***' } });
  });

  test('a person at a terminal who gives the number of a new card is asked for its expiry and CVV', async () => {
    const command = 'customer update 071-C-1 --card-number 5123456789012346';
    const { asked, body } = await dryRun(command, { answers: ['05/2031', '', '123'] });
    expect(asked).toEqual([
      'Expiry (MM/YY):',
      'CVV (not shown):',
      'A CVV has three or four digits',
    ]);
    expect(body).toEqual({
      card: { card_number: '512345XXXXXX2346', expiry_date: '05/2031', cvv: '***' },
    });
  });

  const [, , NAME, EXPIRY, CVV] = CARD_QUESTIONS;
  const PAID = '--amount 1 --currency AUD --reference R';
  const NEW = 'customer create --first-name A --last-name B --reference C --email e';
  test.each([
    [`purchase create ${PAID}`, [NAME, EXPIRY, CVV], ['Ada', '05/31', '739']],
    [`purchase create ${PAID} --card-holder Ada --card-expiry 05/31`, [CVV], ['739']],
    ['tokenize --card-holder Ada --card-expiry 05/31', [CVV], ['']],
    ['tokenize --card-holder Ada --card-expiry 05/31 --cvv 739', [], []],
    [NEW, [EXPIRY, 'CVV (not shown):'], ['05/31', '739']],
    ['customer update 071-C-1 --expiry-date 05/31', ['CVV (not shown):'], ['739']],
  ])(
    'a person at a terminal is asked for what a number lacks: gw %s',
    async (command, questions, answers) => {
      const { asked } = await dryRun(`${command} --card-number 5123456789012346`, { answers });
      expect(asked).toEqual(questions);
    },
  );

  test.each([
    ['--card-token tok', {}],
    ['--test-card approved', {}],
    ['--card-number 5123456789012346 --card-holder A --card-expiry 05/31 --no-input', {}],
    ['--card-number 5123456789012346 --card-holder A --card-expiry 05/31', { stdin: '' }],
  ])('nobody is asked for the CVV of %s %j', async (flags, options) => {
    const { asked } = await dryRun(`purchase create ${PAID} ${flags}`, options);
    expect(asked).toEqual([]);
  });

  test('a person at a terminal gives a customer a new card', async () => {
    const answers = ['new card', 'type', '5123456789012346', 'Ada', '05/31', '', '739', ''];
    const { asked, body } = await dryRun('customer update 071-C-1', { answers });
    expect(asked).toEqual([
      ...['Change what?', 'Card:', ...CARD_QUESTIONS.slice(1, 4), 'CVV (not shown):'],
      ...['A CVV has three or four digits', 'Change what else?'],
    ]);
    expect(body).toEqual({
      card: {
        card_number: '512345XXXXXX2346',
        card_holder: 'Ada',
        expiry_date: '05/2031',
        cvv: '***',
      },
    });
  });

  test.each(['--expiry-date 09/2035', '--card-holder Ada', '--city Perth'])(
    'a person at a terminal, on a live profile too, is asked for no card beside %s',
    async (flags) => {
      const env = { ...GATEWAY, GW_ENVIRONMENT: 'live' };
      const { asked } = await dryRun(`customer update 071-C-1 ${flags}`, { answers: [], env });
      expect(asked).toEqual([]);
    },
  );

  test('a person at a terminal is asked for the start date only if a required field is missing too', async () => {
    const command = 'subscription create --customer C --plan P --frequency Daily';
    const { asked, body } = await dryRun(command, { answers: ['R', '2099-02-29', ' 2099-03-01 '] });
    expect(asked).toEqual([
      'Reference:',
      'Start date (YYYY-MM-DD):',
      'The start date is not a date that exists (YYYY-MM-DD)',
    ]);
    expect(body).toMatchObject({ reference: 'R', start_date: '2099-03-01' });
    const all = await dryRun(`${command} --reference R`, { answers: [] });
    expect(all.asked).toEqual([]);
    expect(all.body).not.toHaveProperty('start_date');
    const said = await dryRun(`${command} --start-date 2099-01-01`, { answers: ['R'] });
    expect(said.asked).toEqual(['Reference:']);
  });

  test('a person at a terminal is not asked about the fields that an update leaves out', async () => {
    const { asked } = await dryRun('customer update 071-C-1 --city Perth', { answers: [] });
    expect(asked).toEqual([]);
  });
});

describe('a script', () => {
  test('--no-input asks no question, even at a terminal', async () => {
    const { failure, asked } = await dryRun('plan create --no-input', { answers: [] });
    expect(failure?.message).toContain('Missing: --name');
    expect(asked).toEqual([]);
  });
});
