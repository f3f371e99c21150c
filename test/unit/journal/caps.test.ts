/** The form of a cap in the settings of a profile, and what a request adds to it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyExponent } from '../../../src/contract/currency.ts';
import { formatDecimal } from '../../../src/contract/money.ts';
import { capText, parseCaps } from '../../../src/journal/caps.ts';
import type { Cap } from '../../../src/journal/rules.ts';
import { anyCap } from './cap-cases.ts';

const BOTH = [{ of: 'refunds' }, { of: 'purchases' }];

describe('a text', () => {
  test.each([
    ['20', [{ most: 20 }], BOTH],
    ['5000.00', [{ most: 500_000, currency: 'AUD' }], BOTH],
    ['5000 AUD', [{ most: 500_000, currency: 'AUD' }], BOTH],
    ['5000 jpy', [{ most: 5_000, currency: 'JPY' }], BOTH],
    ['50 refunds', [{ most: 50 }], [{ of: 'refunds' }]],
    ['1 Purchase', [{ most: 1 }], [{ of: 'purchases' }]],
    ['0.01 AUD of refunds', [{ most: 1, currency: 'AUD' }], [{ of: 'refunds' }]],
    ['500.5 refunds by operator', [{ most: 50_050, isEach: true }], [{ of: 'refunds' }]],
    ['3 each operator', [{ most: 3, isEach: true }], BOTH],
  ])('%s is a cap', (text, [cap], kinds) => {
    const read = parseCaps(text, 'day', 'AUD');
    expect(read).toMatchObject(kinds.map((kind) => ({ per: 'day', ...cap, ...kind })));
  });

  test.each([
    ...['', '0', '-3', '0.00', '20 things', '1.5 JPY', '5.001', '5000,00', '5 QQQ', 'none'],
    ...['1e3', '20 refunds purchases', '9999999999999999', '20 by', 'AUD 20'],
  ])('%j is none', (text) => {
    expect(parseCaps(text, 'hour', 'AUD')).toBeUndefined();
  });

  test('an amount without a currency is none without that of the profile', () => {
    expect(parseCaps('5.00', 'hour')).toBeUndefined();
    expect(parseCaps('5', 'hour')).toHaveLength(2);
  });

  test('any cap is read as it was written', () => {
    fc.assert(
      fc.property(anyCap, (cap) => {
        expect(parseCaps(typed(cap), cap.per)).toEqual([cap]);
      }),
    );
  });
});

test('a cap in words', () => {
  const cap: Cap = { per: 'hour', most: 20, of: 'refunds' };
  expect(capText(cap)).toBe('20 refunds an hour');
  expect(capText({ ...cap, currency: 'AUD', per: 'day', isEach: true })).toBe(
    '0.20 AUD of refunds a day for each operator',
  );
});

function typed({ most, currency, of, isEach }: Cap): string {
  const exponent = currencyExponent(currency ?? '') ?? 0;
  const what = currency === undefined ? most : `${formatDecimal(most, exponent)} ${currency}`;
  return `${what} ${of}${isEach ? ' by operator' : ''}`;
}
