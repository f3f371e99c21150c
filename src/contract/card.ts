/** Cards: what is sent (section 2.2 and the card details group of 2.3), what comes back, and masking. */
import * as z from 'zod/mini';
import { flagOut, integerOut, record, text, textOut } from './fields.ts';

/** @returns whether the digits end in the right check digit (ISO/IEC 7812-1, the Luhn sum). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export interface Expiry {
  year: number;
  /** 1 to 12 */
  month: number;
}

/**
 * Reads a card expiry in any of its written forms: `MM/YYYY` as sent, an ISO 8601 date or a
 * date-time with offset as returned (section 2.2). The written month counts; no zone is applied.
 */
export function parseExpiry(value: string): Expiry | undefined {
  const sent = /^(\d{2})\/(\d{4})$/.exec(value);
  const returned = /^(\d{4})-(\d{2})(?:-\d{2}(?:[T ].*)?)?$/.exec(value);
  const [month, year] = sent ? [sent[1], sent[2]] : returned ? [returned[2], returned[1]] : [];
  const expiry = { year: Number(year), month: Number(month) };
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : undefined;
}

export function formatExpiry({ year, month }: Expiry): string {
  return `${String(month).padStart(2, '0')}/${String(year).padStart(4, '0')}`;
}

/** @returns whether a card is past the last day of its expiry month on `day` (`YYYY-MM-DD`). */
export function isExpired({ year, month }: Expiry, day: string): boolean {
  return day.slice(0, 7) > `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/**
 * @param cardNumber digits, or a number that is masked already
 * @returns the number with all but the first six and last four digits replaced by X; a short one
 *   is masked whole
 */
export function maskCardNumber(cardNumber: string): string {
  if (/^\d{0,6}X+\d{0,4}$/i.test(cardNumber)) return cardNumber;
  const digits = cardNumber.replace(/\D/g, '');
  if (digits.length < 12) return 'X'.repeat(digits.length);
  return digits.slice(0, 6) + 'X'.repeat(digits.length - 10) + digits.slice(-4);
}

export const cardNumber = z.string().check(
  z.refine((value) => /^\d{12,19}$/.test(value) && passesLuhn(value), 'is not a valid card number'),
  z.describe('Card number, digits only.'),
);
export const cardHolder = text('Name on the card.');
export const cardExpiry = z.string().check(
  z.refine(
    (value) => /^\d{2}\/\d{4}$/.test(value) && parseExpiry(value) !== undefined,
    'is not MM/YYYY',
  ),
  z.describe('Last month in which the card is valid, MM/YYYY.'),
);
export const cvv = z.string().check(
  z.refine((value) => /^\d{3,4}$/.test(value), 'is not three or four digits'),
  z.describe('Card verification value. Never stored.'),
);

/** Tokenization body (section 2.2). */
export const tokenizeRequest = z.looseObject({
  card_number: cardNumber,
  card_holder: cardHolder,
  card_expiry: cardExpiry,
  cvv: z.optional(cvv),
});

export const cardRecord = record({
  token: textOut,
  card_holder: textOut,
  card_number: textOut,
  card_expiry: textOut,
  card_type: textOut,
  card_category: textOut,
  card_subcategory: textOut,
  card_issuer: textOut,
  card_country: textOut,
  authorized: flagOut,
  transaction_count: integerOut,
  alias: textOut,
});
