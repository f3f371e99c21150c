/** Amounts: what is taken for one, and that none is ever guessed at. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInteger } from '../../../../src/cli/flags/parse-number.ts';
import { currencyExponent, currencyExponents } from '../../../../src/contract/currency.ts';
import { MAX_AMOUNT } from '../../../../src/contract/money.ts';
import { decimalAmount, readDecimalAmount } from '../../../../src/requests/body/decimal-amount.ts';
import { failureOf } from '../../../helpers/failure.ts';

const CURRENCIES = ['JPY', 'AUD', 'USD', 'BHD', 'CLF'];

describe('--amount', () => {
  test('--amount takes every whole number from 1 to the largest and keeps its value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: BigInt(MAX_AMOUNT) }), (amount) => {
        expect(BigInt(parseInteger('amount', String(amount)))).toBe(amount);
      }),
    );
    expect(parseInteger('amount', String(MAX_AMOUNT))).toBe(MAX_AMOUNT);
    expect(parseInteger('amount', '0012')).toBe(12);
  });

  test('--amount takes nothing above the largest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: BigInt(MAX_AMOUNT) + 1n }), async (amount) => {
        const failure = await failureOf(() => parseInteger('amount', String(amount)));
        expect(failure.exitCode).toBe(2);
      }),
    );
  });

  test('--amount takes only digits', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.integer({ max: 0 }).map(String),
      fc.constantFrom(
        '25.00',
        '1e3',
        '0x10',
        '1_000',
        '1,000',
        ' 1',
        '1 ',
        '+1',
        '１',
        '٣',
        '0',
        '',
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        fc.pre(!/^0*[1-9][0-9]*$/.test(value));
        expect((await failureOf(() => parseInteger('amount', value))).kind).toBe('usage');
      }),
      { numRuns: 1000 },
    );
  });
});

describe('--decimal-amount', () => {
  test('--decimal-amount has exactly the digits that were typed, with the decimals of the currency', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.bigInt({ min: 1n, max: BigInt(MAX_AMOUNT) }),
        fc.nat({ max: 4 }),
        (currency, minor, dropped) => {
          const exponent = currencyExponent(currency)!;
          const digits = String(minor).padStart(exponent + 1, '0');
          const whole = digits.slice(0, digits.length - exponent);
          // Zeros at the end may be left out.
          const fraction = digits
            .slice(digits.length - exponent)
            .replace(new RegExp(`0{0,${dropped}}$`), '');
          const text = fraction === '' ? whole : `${whole}.${fraction}`;
          expect(BigInt(readDecimalAmount(text, currency))).toBe(minor);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['1.2345', 'BHD'],
    ['0', 'AUD'],
    ['+25.00', 'AUD'],
    ['25.', 'AUD'],
    ['.5', 'AUD'],
    ['25,00', 'AUD'],
    ['', 'AUD'],
    [' 25.00', 'AUD'],
    ['Infinity', 'AUD'],
  ])('--decimal-amount %s is not an amount of %s', async (text, currency) => {
    const failure = await failureOf(() => readDecimalAmount(text, currency));
    expect(failure).toMatchObject({ kind: 'usage', exitCode: 2 });
    expect(failure.message).toContain(JSON.stringify(text));
  });

  test.each([
    ['25.00 AUD', 'AUD', 2500],
    ['AUD 25', 'AUD', 2500],
    ['aud25.5', 'AUD', 2550],
    ['25AUD', 'AUD', 2500],
    ['$25', 'AUD', 2500],
    ['$ 25.00', 'NZD', 2500],
    ['A$25', 'AUD', 2500],
    ['US$25', 'USD', 2500],
    ['€25', 'EUR', 2500],
    ['25 €', 'EUR', 2500],
    ['£0.99', 'GBP', 99],
    ['¥500', 'JPY', 500],
    ['500 JPY', 'JPY', 500],
    ['BHD 2.500', 'BHD', 2500],
  ])('--decimal-amount %j is an amount of %s', (text, currency, minor) => {
    expect(readDecimalAmount(text, currency)).toBe(minor);
  });

  test.each([
    ['25.00 USD', 'AUD', 'USD'],
    ['EUR 25', 'AUD', 'EUR'],
    ['$25', 'EUR', 'AUD, USD, NZD or CAD'],
    ['US$25', 'AUD', 'USD'],
    ['€25', 'AUD', 'EUR'],
    ['¥500', 'USD', 'JPY or CNY'],
  ])('--decimal-amount %j is refused where the currency is %s', async (text, currency, named) => {
    expect(await failureOf(() => readDecimalAmount(text, currency))).toMatchObject({
      code: 'currency-differs',
      exitCode: 2,
      message: `--decimal-amount ${JSON.stringify(text)} is in ${named}, and the currency is ${currency}.`,
    });
  });

  test.each([
    '-25 AUD',
    '(25 AUD)',
    '+$25',
    '25 AUD AUD',
    'AUD',
    '25 XYZ',
    '25 CR',
    'kr 25',
    '1,500 AUD',
  ])('--decimal-amount %j is not an amount of AUD', async (text) => {
    expect((await failureOf(() => readDecimalAmount(text, 'AUD'))).code).toBe('amount-invalid');
  });

  test.each([
    ['99999999999999999999', 'JPY', '999999999999999 JPY'],
    ['9'.repeat(400), 'BHD', '999999999999.999 BHD'],
  ])(
    '--decimal-amount %s of %s is too large, and the message names the largest',
    async (text, currency, largest) => {
      const failure = await failureOf(() => readDecimalAmount(text, currency));
      expect(failure.message).toContain(`is above ${largest}.`);
    },
  );

  test.each([undefined, 'aus', 'AUS', 'XXX', ''])(
    '--decimal-amount needs a currency, which %s is not',
    async (currency) => {
      expect((await failureOf(() => readDecimalAmount('25.00', currency))).kind).toBe('usage');
    },
  );
});

test.each([
  ['dollars', ' Did you mean AUD, USD, NZD or CAD?'],
  ['€', ' Did you mean EUR?'],
  ['Pounds', ' Did you mean GBP?'],
  ['yen', ' Did you mean JPY?'],
  ['QQQ', ''],
  ['', ''],
])('%j is not a currency, and gw suggests one instead of guessing', (currency, meant) => {
  expect(decimalAmount('25.00', currency, 'amount')).toMatchObject({
    next: `Use a code of three letters, such as AUD, USD or JPY.${meant}`,
  });
});

describe('a hint', () => {
  const without = [...currencyExponents()].filter(([, exponent]) => exponent === 0);
  const hint = (text: string, code: string) => {
    const fault = decimalAmount(text, code, 'amount');
    return typeof fault === 'number' ? fault : fault.next;
  };

  test.each(without)('names the amount that was typed in %s', (code) => {
    expect(hint('25.00', code)).toBe(`${code} has no decimals: write 25.`);
    expect(hint('1500,00', code)).toBe(`${code} has no decimals: write 1500.`);
    expect(hint('25.50', code)).toBe(
      `${code} has no decimals, so gw cannot send 25.50. It does not round.`,
    );
  });

  test.each([
    ['25.0000', 'BHD', 'BHD has 3 decimals: write 25.000.'],
    ['25.000', 'AUD', 'AUD has 2 decimals: write 25.00.'],
    ['25.0001', 'BHD', 'BHD has 3 decimals, so gw cannot send 25.0001. It does not round.'],
    ['1,500.00', 'JPY', 'JPY has no decimals: write 1500.'],
    ['1,500', 'JPY', 'Use a point before decimals and nothing else: write 1500.'],
    ['1,500', 'KWD', 'Use a point before decimals and nothing else: write 1500 or 1.500.'],
    ['1.500,00', 'EUR', 'Use a point before decimals and nothing else: write 1500.00.'],
    ['1 500,00', 'EUR', 'Use a point before decimals and nothing else: write 1500.00.'],
    ["1'500.00", 'CHF', 'Use a point before decimals and nothing else: write 1500.00.'],
    ['1,000,000', 'AUD', 'Use a point before decimals and nothing else: write 1000000.'],
    ['$25,00', 'AUD', 'Use a point before decimals and nothing else: write 25.00.'],
    ['25,00 EUR', 'EUR', 'Use a point before decimals and nothing else: write 25.00.'],
    ['0.00', 'AUD', 'Write an amount above zero, without a sign.'],
    ['-25.00', 'AUD', 'Write an amount above zero, without a sign.'],
    ['1e3', 'AUD', 'Write digits, and a point before decimals.'],
  ])('for %s in %s is %s', (text, code, said) => {
    expect(hint(text, code)).toBe(said);
  });

  test('names only texts that are taken, and whose digits were typed', () => {
    const digits = fc.stringMatching(/^[\d.,' ]{1,12}$/);
    fc.assert(
      fc.property(digits, fc.constantFrom(...CURRENCIES), (text, code) => {
        const said = hint(text, code);
        if (typeof said === 'number') return;
        for (const meant of /write ([\d. or]+)\.$/.exec(said)?.[1]?.split(' or ') ?? []) {
          expect(decimalAmount(meant, code, 'amount')).toBeTypeOf('number');
          const typed = text.replaceAll(/\D/g, '');
          expect(typed.startsWith(meant.replace('.', ''))).toBe(true);
          expect(Number(typed.slice(meant.replace('.', '').length))).toBe(0);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
