import { describe, expect, test } from 'vitest';
import { currencyExponent } from '../../../src/contract/currency.ts';

/** ISO 4217, by decimals, for all currencies that do not have two. */
const NOT_TWO: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
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
    expect(others).toHaveLength(140);
  });

  test('currencyExponent knows the currencies of the world’s larger economies', () => {
    const codes =
      'USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN TWD ZAR BRL DKK PLN THB ILS ' +
      'IDR CZK AED TRY HUF CLP SAR PHP MYR COP RUB RON PEN BHD KWD JOD VND EGP NGN ARS';
    expect(codes.split(' ').filter((code) => !KNOWN.includes(code))).toEqual([]);
  });

  test('currencyExponent has no metals, test codes and withdrawn currencies', () => {
    for (const code of [
      'XAU',
      'XAG',
      'XTS',
      'XXX',
      'DEM',
      'HRK',
      'ZWL',
      'SLL',
      'VEF',
      'BYR',
      'MRO',
    ]) {
      expect(currencyExponent(code)).toBeUndefined();
    }
  });

  test.each(['', 'aud', 'AU', 'AUDX', ' AUD', '__proto__', 'constructor'])(
    'currencyExponent knows no currency %j',
    (code) => {
      expect(currencyExponent(code)).toBeUndefined();
    },
  );
});
