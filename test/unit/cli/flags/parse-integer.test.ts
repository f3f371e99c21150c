/** Whole numbers of flags, and what is said to who types an amount as people write it. */
import { describe, expect, test } from 'vitest';
import { parseInteger } from '../../../../src/cli/flags/parse-integer.ts';

const refusal = (flag: string, text: string) => {
  try {
    return String(parseInteger(flag, text));
  } catch (error) {
    return (error as { next: string }).next;
  }
};

describe('an amount that is refused', () => {
  test.each([
    ['100.5', '100.50', 10050],
    ['A$25.00', '25.00', 2500],
    ['€ 25,00', '25.00', 2500],
    ['25 AUD', '25.00', 2500],
    ['25aud', '25.00', 2500],
    ['AUD 25.00', '25.00', 2500],
    ['1,234.56', '1234.56', 123456],
    ['1.234,56', '1234.56', 123456],
  ])('for %s, the message says that %s is %i minor units', (text, decimal, minor) => {
    expect(refusal('amount', text)).toBe(
      `Write --decimal-amount ${decimal}, or in minor units --amount ${minor}, which is ${decimal} in a currency with two decimals.`,
    );
  });

  test.each(['all', '0.00', '$', '2500abc', '2500 JPY', 'KWD 2500', '¥2500', '₩2500'])(
    'for %j, the message makes no suggestion',
    (text) => {
      expect(refusal('amount', text)).toBe('Amounts are in minor units: 2500 is 25.00 AUD.');
    },
  );
});
