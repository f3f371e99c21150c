/** Card numbers: their check digit, and how they are shown. */

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

/** @returns whether a text is a card number as it is sent: digits only, 12 to 19, the last one the check digit */
export function isCardNumber(text: string): boolean {
  return /^\d{12,19}$/.test(text) && passesLuhn(text);
}

/**
 * @param cardNumber digits, or a number that is masked already
 * @returns the number with all but the first six and last four digits replaced by X, such as
 *   `512345XXXXXX2346`; a short one is masked whole
 */
export function maskCardNumber(cardNumber: string): string {
  if (/^\d{0,6}X+\d{0,4}$/i.test(cardNumber)) return cardNumber;
  const digits = cardNumber.replace(/\D/g, '');
  if (digits.length < 12) return 'X'.repeat(digits.length);
  return digits.slice(0, 6) + 'X'.repeat(digits.length - 10) + digits.slice(-4);
}
