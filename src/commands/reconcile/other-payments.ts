/**
 * The payments of an account that have nothing to do with the gateway, such as rent. A row is one of them if all of this
 * is so: it has no record, money goes out, nothing in it has the form of a reference, it says nothing of a refund, and
 * the rows in which money comes in share none of its words. Money that comes in stays a fault: it may be a payment that
 * the gateway lacks. A row without an amount, among rows with one, is no payment at all, and neither is money
 * that goes out and that a processor calls a payout or a fee.
 */
import { type BookRow, isNegative, nameOf } from './book-row.ts';
import type { DebitIs } from './compare.ts';
import { signedBy } from './side.ts';

/** Letters and digits together, or four digits that are no year. */
const LIKE_REFERENCE = /\p{L}[-_#/.]?\p{N}|\p{N}[-_#/.]?\p{L}|(?!(?:19|20)\d\d\b)\b\d{4,}/u;
/** Rows of a processor that say what they are: it pays the merchant, or is paid by him. */
const OF_PROCESSOR = /payout|\bfees?\b|_fee\b|\btransfer\b|top.?up|\breserve\b|\bwithdrawal\b/i;
/** Money that a customer gets back, in the languages of banks. */
const GIVEN_BACK =
  /refund|return|revers|charge ?back|credit note|erstatt|rueck|rück|gutschr|rembours|reembols|rimbors|terugb|retour/i;

/** The other rows of the file. */
interface RestOfFile {
  /** The words of rows in which money comes in. */
  words: ReadonlySet<string>;
  /** Whether some row has an amount. */
  hasAmounts: boolean;
}

export class OtherPayments {
  readonly #rows: Iterable<BookRow>;
  #rest: RestOfFile | undefined;

  /** @param rows of the whole file; they are read when the first row asks */
  constructor(rows: Iterable<BookRow>) {
    this.#rows = rows;
  }

  /** @param row of which the gateway has no record @param debitIs what a debit of the file is, if that is known */
  has(row: BookRow, debitIs: DebitIs | undefined): boolean {
    const text = textOf(row);
    if (!hasAmount(row)) return nameOf(row) === '' && this.#restOf(debitIs).hasAmounts;
    const isOpen = row.side !== undefined && debitIs === undefined;
    if (row.id !== undefined || isOpen || !isNegative(signedBy(row, debitIs))) return false;
    if (OF_PROCESSOR.test(row.type ?? '')) return true;
    if (LIKE_REFERENCE.test(text) || GIVEN_BACK.test(text)) return false;
    const [own, { words }] = [wordsIn(text), this.#restOf(debitIs)];
    return own.length > 0 && words.size > 0 && !own.some((word) => words.has(word));
  }

  #restOf(debitIs: DebitIs | undefined): RestOfFile {
    this.#rest ??= restOf(this.#rows, debitIs);
    return this.#rest;
  }
}

function restOf(rows: Iterable<BookRow>, debitIs: DebitIs | undefined): RestOfFile {
  const words = new Set<string>();
  let hasAmounts = false;
  for (const row of rows) {
    hasAmounts ||= hasAmount(row);
    if (isNegative(signedBy(row, debitIs))) continue;
    for (const word of wordsIn(textOf(row))) words.add(word);
  }
  return { words, hasAmounts };
}

const hasAmount = ({ amount, decimal }: BookRow) => (amount ?? decimal) !== undefined;

function textOf({ reference = '', texts = [] }: BookRow): string {
  return [reference, ...texts].join(' ');
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
