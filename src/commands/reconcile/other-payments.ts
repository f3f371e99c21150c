/**
 * The payments of an account that have nothing to do with the gateway, such as rent. A row is one of them if all of this
 * is so: it has no record, money goes out, nothing in it has the form of a reference, it says nothing of a refund, and
 * the rows in which money comes in share none of its words. Money that comes in stays a fault: it may be a payment that
 * the gateway lacks.
 */
import { type BookRow, isNegative } from './book-row.ts';
import type { DebitIs } from './compare.ts';
import { signedBy } from './side.ts';

/** Letters and digits together, or four digits that are no year. */
const LIKE_REFERENCE = /\p{L}[-_#/.]?\p{N}|\p{N}[-_#/.]?\p{L}|(?!(?:19|20)\d\d\b)\b\d{4,}/u;
/** Money that a customer gets back, in the languages of banks. */
const GIVEN_BACK =
  /refund|return|revers|charge ?back|credit note|erstatt|rueck|rück|gutschr|rembours|reembols|rimbors|terugb|retour/i;

export class OtherPayments {
  readonly #rows: Iterable<BookRow>;
  #words: Set<string> | undefined;

  /** @param rows of the whole file; they are read when the first row asks */
  constructor(rows: Iterable<BookRow>) {
    this.#rows = rows;
  }

  /** @param row of which the gateway has no record @param debitIs what a debit of the file is, if that is known */
  has(row: BookRow, debitIs: DebitIs | undefined): boolean {
    const text = textOf(row);
    const isOpen = row.side !== undefined && debitIs === undefined;
    if (row.id !== undefined || isOpen || !isNegative(signedBy(row, debitIs))) return false;
    if (LIKE_REFERENCE.test(text) || GIVEN_BACK.test(text)) return false;
    this.#words ??= this.#readWords(debitIs);
    const [words, known] = [wordsIn(text), this.#words];
    return words.length > 0 && known.size > 0 && !words.some((word) => known.has(word));
  }

  #readWords(debitIs: DebitIs | undefined): Set<string> {
    const words = new Set<string>();
    for (const row of this.#rows)
      if (!isNegative(signedBy(row, debitIs)))
        for (const word of wordsIn(textOf(row))) words.add(word);
    return words;
  }
}

function textOf({ reference = '', texts = [] }: BookRow): string {
  return [reference, ...texts].join(' ');
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
