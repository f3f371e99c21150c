import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currency, fieldSchema } from '../../../src/contract/field-schemas.ts';
import {
  formatDecimal,
  MAX_AMOUNT,
  minorUnits,
  moneyText,
  parseDecimal,
} from '../../../src/contract/money.ts';
import { purchaseCreate } from '../../../src/contract/resources/purchase.ts';

const { amount } = purchaseCreate.body.fields;

const exponents = fc.integer({ min: 0, max: 4 });
const amounts = fc.oneof(
  fc.integer({ min: 0, max: MAX_AMOUNT }),
  fc.constantFrom(0, 1, 9, 10, 99, 100, 999_999, MAX_AMOUNT - 1, MAX_AMOUNT),
);

/** The decimal by long division, which no float is part of. */
function decimalOf(minor: bigint, exponent: number): string {
  const unit = 10n ** BigInt(exponent);
  const whole = minor / unit;
  return exponent === 0 ? `${whole}` : `${whole}.${String(minor % unit).padStart(exponent, '0')}`;
}

describe('formatDecimal', () => {
  test('formatDecimal writes the exact decimal of any amount in any currency', () => {
    fc.assert(
      fc.property(amounts, exponents, (minor, exponent) => {
        expect(formatDecimal(minor, exponent)).toBe(decimalOf(BigInt(minor), exponent));
      }),
    );
  });

  test('formatDecimal puts the sign of a refund in front', () => {
    fc.assert(
      fc.property(amounts, exponents, (minor, exponent) => {
        fc.pre(minor > 0);
        expect(formatDecimal(-minor, exponent)).toBe(`-${formatDecimal(minor, exponent)}`);
      }),
    );
  });

  test.each([
    [2500, 2, '25.00'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [2500, 0, '2500'],
    [2500, 3, '2.500'],
    [-1, 3, '-0.001'],
    [MAX_AMOUNT, 2, '9999999999999.99'],
    [-123_456_789_012_345_678_901n, 2, '-1234567890123456789.01'],
  ])('formatDecimal writes %i with %i decimals as %s', (minor, exponent, text) => {
    expect(formatDecimal(minor, exponent)).toBe(text);
  });
});

describe('parseDecimal', () => {
  test('parseDecimal reads back what formatDecimal writes', () => {
    fc.assert(
      fc.property(amounts, exponents, (minor, exponent) => {
        expect(parseDecimal(formatDecimal(minor, exponent), exponent)).toBe(minor);
      }),
    );
  });

  test('parseDecimal agrees with whole numbers about any digits, and refuses inexact numbers as too large', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 16n - 1n }),
        fc.stringMatching(/^\d{0,5}$/),
        exponents,
        (whole, fraction, exponent) => {
          const read = parseDecimal(
            fraction === '' ? `${whole}` : `${whole}.${fraction}`,
            exponent,
          );
          const minor =
            whole * 10n ** BigInt(exponent) +
            BigInt(fraction.padEnd(exponent, '0').slice(0, exponent) || 0);
          if (fraction.length > exponent) expect(read).toBeUndefined();
          else if (minor > BigInt(MAX_AMOUNT)) expect(read).toBeGreaterThan(MAX_AMOUNT);
          else expect(read).toBe(Number(minor));
        },
      ),
    );
  });

  test.each([
    ['25', 2, 2500],
    ['25.5', 2, 2550],
    ['0025.00', 2, 2500],
    ['0.29', 2, 29],
    ['1.10', 2, 110],
    ['9999999999999.99', 2, MAX_AMOUNT],
    ['2500', 0, 2500],
  ])('parseDecimal reads %s with %i decimals as %i', (text, exponent, minor) => {
    expect(parseDecimal(text, exponent)).toBe(minor);
  });

  test.each([
    ...['', ' ', '.', '.5', '5.', '-5', '+5', '1e3', '1,000.00', '25,00', '25.00 ', ' 25', '0x10'],
    ...['٢٥', 'NaN', 'Infinity', '25.001', '1_000', '25\n'],
  ])('parseDecimal refuses %j for a currency with two decimals', (text) => {
    expect(parseDecimal(text, 2)).toBeUndefined();
  });

  test.each([
    ['25.0', 0],
    ['25.00', 0],
    ['1.0001', 3],
  ])('parseDecimal refuses %s, which has more than %i decimals', (text, exponent) => {
    expect(parseDecimal(text, exponent)).toBeUndefined();
  });
});

test('a decimal amount keeps every digit as a JSON number, up to the largest amount', () => {
  const largest = fc.integer({ min: MAX_AMOUNT - 100_000, max: MAX_AMOUNT });
  fc.assert(
    fc.property(fc.oneof(amounts, largest), exponents, (minor, exponent) => {
      const decimal: number = JSON.parse(JSON.stringify(Number(formatDecimal(minor, exponent))));
      expect(parseDecimal(String(decimal), exponent)).toBe(minor);
      expect(Math.round(decimal * 10 ** exponent)).toBe(minor);
    }),
    { numRuns: 1000 },
  );
});

describe('an amount in a request', () => {
  test.each([1, 2500, MAX_AMOUNT])('%i is an amount', (value) => {
    expect(fieldSchema(amount).safeParse(value).success).toBe(true);
  });

  test.each([
    0,
    -1,
    25.5,
    MAX_AMOUNT + 1,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '2500',
    null,
    true,
  ])('%j is not an amount', (value) => {
    expect(fieldSchema(amount).safeParse(value).success).toBe(false);
  });
});

test.each([
  ['AUD', true],
  ['JPY', true],
  ['aud', false],
  ['XXX', false],
  ['', false],
  ['AUDD', false],
  ['toString', false],
])('%j is a currency: %s', (code, known) => {
  expect(currency().safeParse(code).success).toBe(known);
});

test.each([
  [2500, 'AUD', undefined, '25.00 AUD'],
  [2500, 'JPY', 2, '2500 JPY'],
  [-2500, 'BHD', undefined, '-2.500 BHD'],
  [2500, undefined, undefined, '25.00 (account currency)'],
  [5, null, undefined, '0.05 (account currency)'],
  [2500, '', 0, '2500 (account currency)'],
  [2500, 'QQQ', undefined, '2500 minor units QQQ'],
  [2500, 'QQQ', 2, '25.00 QQQ'],
  [12345678901234567890n, 'AUD', undefined, '123456789012345678.90 AUD'],
] as const)('%s of %j with %s decimals is %s', (minor, code, exponent, text) => {
  expect(moneyText(minor, code, exponent)).toBe(text);
});

test.each([
  [2500, 2500],
  [-2500, 2500],
  ['2500', 2500],
  [' -2500 ', 2500],
  [25.5, undefined],
  ['25.00', undefined],
  ['0x10', undefined],
  ['', undefined],
  [1e21, undefined],
  [true, undefined],
  [[2500], undefined],
  [undefined, undefined],
])('an amount of %j is %j minor units', (value, minor) => {
  expect(minorUnits(value)).toBe(minor);
});

test.each([
  [Number.POSITIVE_INFINITY, 'AUD', 'Infinity minor units AUD'],
  [100.5, 'AUD', '100.5 minor units AUD'],
  [-2.5, null, '-2.5 minor units'],
  [1e21, 'AUD', '10000000000000000000.00 AUD'],
])('the invalid amount %j %s is written as %s', (minor, currency, text) => {
  expect(moneyText(minor, currency)).toBe(text);
});
