import { MAX_AMOUNT } from '../contract/money.ts';
import { usage } from '../failure.ts';

/** Strict: digits only, so that 25.00, 1e3 and -1 are never guessed at. */
export function parseInteger(flag: string, text: string): number {
  const isAmount = flag === 'amount';
  if (isAmount && /^\d+\.\d+$/.test(text)) {
    throw usage(
      'amount-is-decimal',
      `--amount takes whole minor units, and ${text} is a decimal.`,
      `Use --decimal-amount ${text}, or give the same amount in minor units.`,
    );
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= MAX_AMOUNT)) {
    throw usage(
      'integer-invalid',
      `--${flag} takes a whole number from 1 to ${MAX_AMOUNT}, not ${JSON.stringify(text)}.`,
      isAmount
        ? 'Amounts are in minor units: 2500 is 25.00 AUD.'
        : 'Correct it, then run the command again.',
    );
  }
  return value;
}
