/**
 * Recognises card numbers and masks them.
 *
 * A card number has a known issuer, a valid length and a correct check digit. It may occur in any text, in groups or
 * not, between other words or inside one.
 *
 * Tests: test/unit/contract/cards/find-card-numbers.test.ts
 */

/** First digits, from and to, and lengths. Longer prefixes are covered by a shorter one of the same network. */
const ISSUERS: readonly (readonly [from: string, to: string, ...lengths: number[]])[] = [
  ['4', '4', 13, 16, 19], // Visa, Dankort, Elo
  ['51', '55', 16], // Mastercard
  ['2221', '2720', 16], // Mastercard
  ['34', '34', 15], // American Express
  ['37', '37', 15],
  ['3528', '3589', 16, 17, 18, 19], // JCB
  ['353', '353', 16], // RuPay, with JCB
  ['1800', '1800', 15], // JCB, before 1990
  ['2131', '2131', 15],
  ['300', '305', 14, 15, 16, 17, 18, 19], // Diners Club
  ['309', '309', 14, 15, 16, 17, 18, 19],
  ['36', '36', 14, 15, 16, 17, 18, 19],
  ['38', '39', 14, 15, 16, 17, 18, 19],
  ['6', '6', 16, 17, 18, 19], // Discover, UnionPay, Maestro, RuPay, Troy, Hipercard, Elo
  ['50', '50', 16, 17, 18, 19], // Maestro, Verve, Elo, RuPay
  ['56', '58', 16, 17, 18, 19], // Maestro
  ['81', '82', 16, 17, 18, 19], // UnionPay, RuPay
  ['2200', '2205', 16, 17, 18, 19], // Mir, Borica
  ['9792', '9792', 16], // Troy
  ['8600', '8600', 16], // Uzcard
  ['9860', '9860', 16], // Humo
  // Issuers of Maestro with shorter numbers.
  ...[
    '5018',
    '5020',
    '5033',
    '5038',
    '5612',
    '5893',
    '6304',
    '6390',
    '6759',
    '6761',
    '6762',
    '6763',
  ].map((prefix) => [prefix, prefix, 12, 13, 14, 15] as const),
];

const ZERO = '0'.charCodeAt(0);

/** @returns whether the digits end in the correct check digit (ISO/IEC 7812-1, the Luhn sum) */
export function passesLuhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - ZERO;
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** @returns whether a text is a card number in the form that is sent: 12 to 19 digits, the last one the check digit */
export function isCardNumber(text: string): boolean {
  return /^\d{12,19}$/.test(text) && passesLuhn(text);
}

/** One bit per length, by the first four digits; created on first use. */
let lengthsOf: Uint32Array | undefined;

/**
 * @param digits at least four digits
 * @returns whether an issuer has numbers of this length with this beginning
 */
export function hasIssuer(digits: string): boolean {
  lengthsOf ??= tableOfLengths();
  return ((lengthsOf[Number(digits.slice(0, 4))] ?? 0) & (1 << digits.length)) !== 0;
}

function tableOfLengths(): Uint32Array {
  const table = new Uint32Array(10_000);
  for (const [from, to, ...lengths] of ISSUERS) {
    const bits = lengths.reduce((sum, length) => sum | (1 << length), 0);
    const last = Number(to.padEnd(4, '9'));
    for (let first = Number(from.padEnd(4, '0')); first <= last; first++) table[first]! |= bits;
  }
  return table;
}

/**
 * Card schemes (section 2.2) as deployments write them. A brand is the name on receipts; a scheme that shares first
 * digits with another one has none.
 */
const SCHEMES: readonly (readonly [digits: RegExp, scheme: string, brand?: string])[] = [
  [/^4/, 'VISA', 'Visa'],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'MasterCard', 'Mastercard'],
  [/^3[47]/, 'AMEX', 'American Express'],
  [/^35(?:2[89]|[3-8])/, 'JCB'],
  [/^(?:6011|64[4-9]|65)/, 'Discover'],
  [/^(?:30[0-5]|3[689])/, 'Diners Club'],
  [/^62/, 'UnionPay'],
];

/** @param cardNumber may be masked @returns the scheme that its first digits belong to */
export function schemeOf(cardNumber: string): string {
  return SCHEMES.find(([digits]) => digits.test(cardNumber))?.[1] ?? 'Unknown';
}

/** @param cardNumber may be masked @returns its last four digits; null if the value does not end in four digits */
export function lastFourOf(cardNumber: unknown): string | null {
  return typeof cardNumber === 'string' ? (/\d{4}$/.exec(cardNumber)?.[0] ?? null) : null;
}

/** @param cardNumber may be masked @returns the brand of a card; undefined where its first digits do not say */
export function brandOf(cardNumber: string): string | undefined {
  return SCHEMES.find(([digits]) => digits.test(cardNumber))?.[2];
}

/**
 * @param cardNumber digits, or a number that is already masked
 * @returns the number with all but the first six and last four digits replaced by X, such as `512345XXXXXX2346`; a
 *   short number becomes only X
 */
export function maskCardNumber(cardNumber: string): string {
  if (/^\d{0,6}X+\d{0,4}$/i.test(cardNumber)) return cardNumber;
  const digits = cardNumber.replace(/\D/g, '');
  if (digits.length < 12) return 'X'.repeat(digits.length);
  return digits.slice(0, 6) + 'X'.repeat(digits.length - 10) + digits.slice(-4);
}
