import kept from 'currency-codes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currency, fieldSchema } from '../../../src/contract/field-schemas.ts';
import {
  currencyExponent,
  currencyExponents,
  faultOfCurrency,
  faultOfWithdrawn,
  formatDecimal,
  MAX_AMOUNT,
  minorUnits,
  moneyText,
  parseDecimal,
} from '../../../src/contract/money.ts';
import { purchaseCreate } from '../../../src/contract/resources/purchase.ts';

/** ISO 4217, by decimals, for all currencies that do not have two. */
const NOT_TWO: Readonly<Record<number, string>> = {
  0: 'BIF BYR CLP DJF GNF ISK JPY KMF KRW MGF PYG RWF TRL UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const KNOWN = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).filter(
  (code) => currencyExponent(code) !== undefined,
);

describe('currencyExponent', () => {
  test.each(Object.entries(NOT_TWO))(
    'currencyExponent knows the currencies with %s decimals',
    (exponent, codes) => {
      const found = KNOWN.filter((code) => currencyExponent(code) === Number(exponent));
      expect(found).toEqual(codes.split(' '));
    },
  );

  test('currencyExponent is two for all others', () => {
    const listed = Object.values(NOT_TWO).flatMap((codes) => codes.split(' '));
    const others = KNOWN.filter((code) => !listed.includes(code));
    expect(new Set(others.map(currencyExponent))).toEqual(new Set([2]));
    expect(others).toHaveLength(167);
  });

  test('currencyExponent knows the currencies of the world’s larger economies', () => {
    const codes =
      'USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN TWD ZAR BRL DKK PLN THB ILS ' +
      'IDR CZK AED TRY HUF CLP SAR PHP MYR COP RUB RON PEN BHD KWD JOD VND EGP NGN ARS';
    expect(codes.split(' ').filter((code) => !KNOWN.includes(code))).toEqual([]);
  });

  test('currencyExponent has no metals, test codes and currencies withdrawn before 2004', () => {
    for (const code of ['XAU', 'XAG', 'XTS', 'XXX', 'DEM', 'FRF', 'ITL', 'YUM'])
      expect(currencyExponent(code)).toBeUndefined();
  });

  test.each(['', 'aud', 'AU', 'AUDX', ' AUD', '__proto__', 'constructor'])(
    'currencyExponent knows no currency %j',
    (code) => {
      expect(currencyExponent(code)).toBeUndefined();
    },
  );
});

describe('faultOfCurrency', () => {
  test.each([
    ['BGN', '2026-01', 'EUR'],
    ['ANG', '2025-03', 'XCG'],
    ['ZWL', '2024-09', 'ZWG'],
    ['SLL', '2023-12', 'SLE'],
    ['HRK', '2023-01', 'EUR'],
    ['CUC', '2021-06', 'CUP'],
    ['VEB', '2008-01', 'VES'],
    ['TRL', '2005-12', 'TRY'],
  ])('faultOfCurrency says what replaced %s', (code, month, successor) => {
    const said = `is ${code}, which ISO 4217 withdrew in ${month}: ${successor} replaced it`;
    expect(faultOfCurrency(code)).toBe(said);
    expect(faultOfWithdrawn(code)).toBe(said);
  });

  test('faultOfCurrency takes every currency that was not withdrawn, and names only such as successors', () => {
    const successors = KNOWN.flatMap(
      (code) => faultOfWithdrawn(code)?.match(/: (\w+) /)?.[1] ?? [],
    );
    expect(successors).toHaveLength(32);
    for (const code of successors) expect(faultOfCurrency(code)).toBeUndefined();
    const current = KNOWN.filter((code) => faultOfWithdrawn(code) === undefined);
    expect(current.filter((code) => faultOfCurrency(code) !== undefined)).toEqual([]);
    expect(current).toHaveLength(164);
  });

  test.each(['', 'aud', 'EURO', 'DEM', 'XXX', '__proto__'])(
    'faultOfCurrency refuses %j',
    (code) => {
      expect(faultOfCurrency(code)).toBe('is not an ISO 4217 currency code such as AUD or USD');
      expect(faultOfWithdrawn(code)).toBeUndefined();
    },
  );
});

/**
 * What the package has otherwise, and why. It is ISO's List One of 25 June 2024 (amendment 177). A newer edition makes
 * rows superfluous, and its own changes appear as rows that are missing here.
 */
const DIFFERENCES: Readonly<Record<string, string>> = {
  XCG: 'only here: since 31 March 2025 (amendment 176)',
  ANG: 'withdrawn here: XCG replaced it on 31 March 2025 (amendment 176)',
  CUC: 'withdrawn here: not in use since 2021, taken off the list in 2025 (amendment 178)',
  BGN: 'withdrawn here: EUR replaced it on 1 January 2026 (amendment 180)',
  XAG: 'only there: silver',
  XAU: 'only there: gold',
  XBA: 'only there: a bond market unit',
  XBB: 'only there: a bond market unit',
  XBC: 'only there: a bond market unit',
  XBD: 'only there: a bond market unit',
  XDR: 'only there: special drawing rights',
  XPD: 'only there: palladium',
  XPT: 'only there: platinum',
  XSU: 'only there: a unit of account',
  XTS: 'only there: for tests',
  XUA: 'only there: a unit of account',
  XXX: 'only there: no currency',
};

test('the currencies and their decimals are those of the package currency-codes, but for known differences', () => {
  expect(kept.publishDate).toBe('2024-06-25');
  const there = new Map(kept.data.map(({ code, digits }) => [code, digits]));
  const here = new Map(
    [...currencyExponents()].filter(([code]) => there.has(code) || !faultOfWithdrawn(code)),
  );
  const differing = [...new Set([...there.keys(), ...here.keys()])].filter(
    (code) => there.get(code) !== here.get(code) || faultOfWithdrawn(code),
  );
  const found = differing.map((code) => {
    if (!there.has(code)) return [code, 'only here'];
    if (!here.has(code)) return [code, 'only there'];
    return [code, there.get(code) === here.get(code) ? 'withdrawn here' : 'other decimals'];
  });
  const said = Object.entries(DIFFERENCES).map(([code, why]) => [code, why.split(':')[0]]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
});

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
