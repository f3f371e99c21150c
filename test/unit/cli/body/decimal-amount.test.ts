/** Amounts: what is taken for one, and that none is ever guessed at. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalAmount, readDecimalAmount } from '../../../../src/cli/body/decimal-amount.ts';
import { parseInteger } from '../../../../src/cli/flags/parse-number.ts';
import { currencyExponent } from '../../../../src/contract/currency.ts';
import { MAX_AMOUNT } from '../../../../src/contract/money.ts';
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
