/**
 * How often a number that is no card's is taken for one, by what it is. The numbers follow from a seed,
 * so the figures are the same everywhere; docs/technical-decisions.md quotes them.
 */
import { passesLuhn } from '../../src/contract/cards/card-number.ts';
import { holdsCardNumber } from '../../src/contract/cards/find-card-numbers.ts';
import { randomFrom } from './random.ts';

const random = randomFrom(14);
const below = (limit: number) => Math.floor(random() * limit);
const of = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
const digits = (length: number) => of('0123456789', length);
const hex = (length: number) => of('0123456789abcdef', length);
const alphanumeric = (length: number) => of('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', length);

/** From 2001 to 2033. */
const instant = () => 1e12 + below(1e12);
const withLuhn = (body: string) =>
  body + [...'0123456789'].find((digit) => passesLuhn(body + digit));

/** The check digit of a barcode (GS1). */
function withEan(body: string): string {
  const sum = [...body].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const CLASSES: Readonly<Record<string, () => string>> = {
  'ids of the interface, 071-P-IE49OSAF': () => `${digits(3)}-P-${alphanumeric(7 + below(10))}`,
  UUIDs: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  'digests, SHA-1': () => hex(40),
  'digests, SHA-256': () => hex(64),
  'instants, 2026-11-21T10:24:11+10:00': () => new Date(instant()).toISOString(),
  'seconds and milliseconds': () => `${Math.floor(instant() / 1000)} ${instant()}`,
  microseconds: () => `${instant()}${digits(3)}`,
  nanoseconds: () => `${instant()}${digits(6)}`,
  'orders of a day, 20261121000123': () =>
    new Date(instant()).toISOString().slice(0, 10).replaceAll('-', '') + digits(6),
  'orders counted in 10 digits': () => digits(10),
  'orders counted in 12 digits from 1': () => String(below(1e9)).padStart(12, '0'),
  'orders with letters, INV-2026-000123': () => `INV-2026-${digits(6)}`,
  'amounts, 1234.56': () => `${below(1e7)}.${digits(2)}`,
  'telephone numbers, +4915112345678': () => `+${1 + below(9)}${digits(10 + below(4))}`,
  'telephone numbers in groups, 0151 123 4567': () => `0${digits(3)} ${digits(3)} ${digits(4)}`,
  'IMEIs, which have the same check digit': () =>
    withLuhn(`${['35', '86', '01', '99'][below(4)]}${digits(12)}`),
  'barcodes, EAN-13': () => withEan(digits(12)),
  'parcels, 12 digits': () => digits(12),
  'parcels, 22 digits': () => `94${digits(20)}`,
  'IBANs, DE89370400440532013000': () => `DE${digits(20)}`,
  'IBANs in groups': () =>
    `GB${digits(2)} ${alphanumeric(4)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(2)}`,
  'any 12 digits': () => digits(12),
  'any 13 digits': () => digits(13),
  'any 14 digits': () => digits(14),
  'any 15 digits': () => digits(15),
  'any 16 digits': () => digits(16),
  'any 16 digits that begin with 4, 5 or 6': () => `${4 + below(3)}${digits(15)}`,
  'any 18 digits': () => digits(18),
  'any 20 digits or more': () => digits(20 + below(12)),
};

/** @returns per cent, with two decimals, by class. @param times numbers of each */
export function cardFigures(times: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(CLASSES).map(([name, make]) => {
      const found = Array.from({ length: times }, make).filter(holdsCardNumber).length;
      return [name, `${((found / times) * 100).toFixed(2)} %`];
    }),
  );
}
