/** Whole numbers and seconds of flags, and the answer to an amount that is written as people write it. */
import { describe, expect, test } from 'vitest';
import { parseInteger, parseSeconds } from '../../../../src/cli/flags/parse-number.ts';
import { failureOf } from '../../../helpers/failure.ts';

const refusal = (flag: string, text: string) => {
  try {
    return String(parseInteger(flag, text));
  } catch (error) {
    return (error as { next: string }).next;
  }
};

const MINOR_UNITS = 'Amounts are in minor units: cents for AUD, whole yen for JPY.';

describe('an amount that is refused', () => {
  test.each([
    ['100.5', '100.5'],
    ['25.000', '25.000'],
    ['A$25.00', '25.00'],
    ['$25', '25'],
    ['€ 25,00', '25.00'],
    ['25 AUD', '25 --currency AUD'],
    ['25aud', '25 --currency AUD'],
    ['AUD 25.00', '25.00 --currency AUD'],
    ['1,234.56', '1234.56'],
    ['1.234,56', '1234.56'],
    ['25.00 JPY', '25.00 --currency JPY'],
    ['JPY 25.00', '25.00 --currency JPY'],
    ['25 UGX', '25 --currency UGX'],
    ['KWD 2500', '2500 --currency KWD'],
    ['¥25.00', '25.00'],
    ['₩2500', '2500'],
  ])('for %s, the message names no other amount than the decimal %s', (text, decimal) => {
    expect(refusal('amount', text)).toBe(
      `Write --decimal-amount ${decimal}, or give --amount in minor units.`,
    );
  });

  test.each(['2_500', '2,500', " 2'500 ", '2 500', '2.500'])(
    'for %j, the message names no decimal that was not typed',
    (text) => {
      expect(refusal('amount', text)).toMatch(
        /^Write (--amount 2500, in|--decimal-amount 2\.500, or give --amount in) minor units\.$/,
      );
    },
  );

  test.each([
    ...['all', '0.00', '$', '2500abc', '25.5.5', '1e3', '-25.00', '+25', '25.00 yen', '25 quid'],
    ...['0', '99999999999999999999', '0x10', '', '２５００', '25.00 -', '25AUD00'],
  ])('for %j, the message makes no suggestion', (text) => {
    expect(refusal('amount', text)).toBe(`${MINOR_UNITS} --decimal-amount takes decimals.`);
  });

  test.each(['max-amount', 'max-total'])('--%s has no form but minor units', (flag) => {
    for (const text of ['25.00', '$25', '2,500', '25.00 JPY', 'all'])
      expect(refusal(flag, text)).toBe(MINOR_UNITS);
  });
});

test.each([
  ['0', 0],
  ['0.25', 250],
  ['0.0006', 1],
  ['90', 90_000],
])('%s seconds are %i milliseconds', (text, ms) => {
  expect(parseSeconds('delay', text, { min: 0, max: 90 })).toBe(ms);
});

test.each(['0', '0.0', '91', '-1', '1e1', 'soon', '', '1s', 'Infinity', 'NaN'])(
  '%j is not taken for seconds from 1 to 90',
  async (text) => {
    const failure = await failureOf(() => parseSeconds('delay', text, { min: 1, max: 90 }));
    expect(failure).toMatchObject({ kind: 'usage', code: 'duration-invalid' });
    expect(failure.message).toContain('--delay takes seconds from 1 to 90, not ');
  },
);
