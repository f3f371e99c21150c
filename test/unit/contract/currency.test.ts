import kept from 'currency-codes';
import { describe, expect, test } from 'vitest';
import {
  currencyExponent,
  currencyExponents,
  faultOfCurrency,
  faultOfWithdrawn,
} from '../../../src/contract/currency.ts';

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
