/**
 * Decides from all cells of a column how another program's file writes numbers. `1,045.00` says that the point
 * stands before the decimals of the whole column. `25,000` may be twenty-five or twenty-five thousand: if no other cell
 * tells, the column stays open, and nobody reads it until somebody says which it is.
 *
 * A cell has digits, with `,` `.` `'` `’` or spaces between groups of three (of two in India: `1,00,000`), a sign on
 * either side or parentheses, a currency, and `DR` or `CR`.
 */
import { currenciesMeant, currencyExponent } from './currency.ts';

/** The mark before the decimals. */
export type DecimalMark = '.' | ',';
export const DECIMAL_MARKS = ['.', ','] as const satisfies readonly DecimalMark[];

/** A number of a cell. */
export interface CellNumber {
  /** Digits, with a point before decimals as many as were written; `-` before it if it is below zero. */
  decimal: string;
  /** ISO 4217 code, if the cell names one currency. */
  currency: string | undefined;
  /** The side of an account that `DR` or `CR` in the cell names. */
  side: 'debit' | 'credit' | undefined;
}

interface Parts extends Omit<CellNumber, 'decimal'> {
  /** The code, the name or the symbol of a currency, as it was written. */
  unit?: string | undefined;
  isNegative: boolean;
  /** The digits, and the marks between them. */
  body: string;
}

/** Marks of a side in the words of banks: Soll and Haben are debit and credit, Af and Bij are off and on. */
const SIDES: Readonly<Record<string, 'debit' | 'credit'>> = {
  ...{ '-': 'debit', af: 'debit', out: 'debit', '+': 'credit', bij: 'credit', in: 'credit' },
  ...{ dr: 'debit', db: 'debit', d: 'debit', s: 'debit', debit: 'debit', soll: 'debit' },
  ...{ cr: 'credit', c: 'credit', h: 'credit', credit: 'credit', haben: 'credit' },
};

/** @returns the side that a mark such as `DR`, `c` or `Haben` names; undefined for any other text */
export function sideOf(mark: string): 'debit' | 'credit' | undefined {
  const name = mark.toLowerCase().replace(/\.$/, '');
  return Object.hasOwn(SIDES, name) ? SIDES[name] : undefined;
}

/** Short names of currencies that are no codes. Several countries share most of them. */
const UNITS = new Set('kr fr sfr rs rm rp zł kč ft lei лв kn'.split(' '));

const isCode = (word: string) => currencyExponent(word.toUpperCase()) !== undefined;
const isShared = (word: string) => UNITS.has(word.toLowerCase().replace(/\.$/, ''));
const hasSymbol = (word: string) => /^\p{L}{0,3}\p{Sc}\p{L}{0,3}$/u.test(word);

/** References are made of letters and digits too: `CR1042` has no side, and `FR1042` no currency. */
const isPrefix = (word: string, before: string) =>
  isCode(word) || hasSymbol(word) || (isShared(word) && !before.endsWith(word.replace(/\.$/, '')));

/** @returns the parts of a cell; undefined if it is no number */
function partsOf(cell: string): Parts | undefined {
  // Nearly every cell is plain.
  if (/^-?\d[\d.,]*$/.test(cell) && /\d$/.test(cell)) {
    const isNegative = cell.startsWith('-');
    const body = isNegative ? cell.slice(1) : cell;
    return { isNegative, body, currency: undefined, side: undefined };
  }
  const text = cell.replaceAll(/\s/g, ' ').replaceAll(/[\u2212\u2013\uff0d]/g, '-');
  const digit = text.search(/\d/);
  if (digit === -1) return undefined;
  // The point of `Rs.500` belongs to the word, and that of `$.50` to the number.
  const first = /(?:^|[^\p{L}])[.,]$/u.test(text.slice(0, digit)) ? digit - 1 : digit;
  const end = text.search(/\d\D*$/) + 1;
  const [before, body, after] = [text.slice(0, first), text.slice(first, end), text.slice(end)];
  if (!/^[\d.,'’ ]+$/.test(body)) return undefined;
  const signs = (before + after).replaceAll(/[^-+()]/g, '');
  const isEnclosed = signs === '()' && before.includes('(') && after.includes(')');
  if (!isEnclosed && !['', '-', '+'].includes(signs)) return undefined;
  const [prefixes, suffixes] = [wordsOf(before), wordsOf(after)];
  const sides = suffixes.map(sideOf).filter((side) => side !== undefined);
  const units = [...prefixes, ...suffixes.filter((word) => sideOf(word) === undefined)];
  const areUnits =
    prefixes.every((word) => isPrefix(word, before)) &&
    units.every((word) => isCode(word) || hasSymbol(word) || isShared(word));
  if (!areUnits || units.length > 1 || sides.length > 1) return undefined;
  return {
    isNegative: isEnclosed || signs === '-',
    body,
    unit: units[0],
    currency: units[0] === undefined ? undefined : codeOf(units[0]),
    side: sides[0],
  };
}

const wordsOf = (text: string) => text.split(/[-+() ]+/).filter((word) => word !== '');

/** @returns the ISO 4217 codes of the currencies that may have a unit */
const codesOf = (unit: string) => (isCode(unit) ? [unit.toUpperCase()] : currenciesMeant(unit));

function codeOf(unit: string): string | undefined {
  const meant = codesOf(unit);
  return meant.length === 1 ? meant[0] : undefined;
}

/**
 * @param text one amount, as a person writes it: `25.00`, `25.00 AUD`, `AUD 25`, `$25`
 * @returns its digits and marks, and the codes of its currency, several for `$`. Without a currency, and for any text
 *   that is no amount above zero, it is the text
 */
export function amountIn(text: string): { body: string; codes?: readonly string[] } {
  const { unit, body, side } = partsOf(text) ?? { body: text };
  const codes = unit === undefined || side || /[-+()\u2212\u2013]/.test(text) ? [] : codesOf(unit);
  return codes.length > 0 ? { body, codes } : { body: text };
}

/** Groups of three, all with the same mark between them. */
const GROUPED = /^[1-9]\d{0,2}([.,'’ ])\d{3}(?:\1\d{3})*$/;
const INDIAN = /^[1-9]\d?(?:,\d\d)+,\d{3}$/;

/** @returns the digits if the mark is that of the decimals; undefined if it cannot be */
function readWith(mark: DecimalMark, body: string): string | undefined {
  if (mark === '.' && /^\d+(?:\.\d+)?$/.test(body)) return body;
  const at = body.lastIndexOf(mark);
  const whole = at === -1 ? body : body.slice(0, at);
  const fraction = at === -1 ? '' : body.slice(at + 1);
  if (at !== -1 && !/^\d+$/.test(fraction)) return undefined;
  const isWhole = /^\d*$/.test(whole) || GROUPED.test(whole) || INDIAN.test(whole);
  if (!isWhole || whole.includes(mark)) return undefined;
  const digits = whole.replaceAll(/\D/g, '') || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** The ways to read a body, by the mark of its decimals. Both may give the same number. */
type Readings = Readonly<Record<DecimalMark, string | undefined>>;

/**
 * @param body digits, and the marks between them
 * @returns for each mark of the decimals the number in digits and a point; undefined if it cannot be that mark
 */
export function readingsOf(body: string): Readings {
  return { '.': readWith('.', body), ',': readWith(',', body) };
}

/** @returns the only mark that an amount can have in a currency without decimals; undefined if both can be */
function markWithoutDecimals(readings: Readings): DecimalMark | undefined {
  const whole = DECIMAL_MARKS.filter((mark) => !readings[mark]?.includes('.'));
  return whole.length === 1 ? whole[0] : undefined;
}

export class NumberColumn {
  /** A cell that can be read with one mark only, for each mark. */
  readonly #proofs: Partial<Record<DecimalMark, string>> = {};
  /** The same, where only a currency without decimals tells. */
  readonly #hints: Partial<Record<DecimalMark, string>> = {};
  #open: string | undefined;
  #given: DecimalMark | undefined;
  /** What the cells prove, while no other cell was added. */
  #known: { mark: DecimalMark | undefined } | undefined;
  #hasFraction = false;
  #hasSign = false;
  #hasAbove = false;

  /**
   * Takes one more cell of the column into account.
   * @param exponent decimals of its currency, if that is known
   * @returns whether the cell is a number
   */
  add(cell: string, exponent?: number): boolean {
    const parts = partsOf(cell);
    if (!parts) return false;
    this.#known = undefined;
    const { body, isNegative, currency } = parts;
    const readings = readingsOf(body);
    const { '.': point, ',': comma } = readings;
    if (point === undefined && comma === undefined) return false;
    this.#hasSign ||= isNegative;
    this.#hasAbove ||= !isNegative && /[1-9]/.test(body);
    this.#hasFraction ||= `${point}${comma}`.includes('.');
    if (point === undefined) this.#proofs[','] ??= cell;
    else if (comma === undefined) this.#proofs['.'] ??= cell;
    else if (point !== comma) {
      const decimals = currency === undefined ? exponent : currencyExponent(currency);
      const hint = decimals === 0 ? markWithoutDecimals(readings) : undefined;
      if (hint) this.#hints[hint] ??= cell;
      else this.#open ??= cell;
    }
    return true;
  }

  /** Whether a cell has decimals, or may have. */
  get hasFraction(): boolean {
    return this.#hasFraction;
  }

  /** Whether a cell is below zero. */
  get hasSign(): boolean {
    return this.#hasSign;
  }

  /** Whether every cell but zeros is below zero. */
  get isBelow(): boolean {
    return this.#hasSign && !this.#hasAbove;
  }

  /** The mark that somebody gave, or that the cells prove; undefined if they prove none, or both. */
  get mark(): DecimalMark | undefined {
    if (this.#given !== undefined) return this.#given;
    this.#known ??= { mark: markOf(this.#isProven ? this.#proofs : this.#hints) };
    return this.#known.mark;
  }

  get #isProven(): boolean {
    return Object.keys(this.#proofs).length > 0;
  }

  /** A cell that may be one of two numbers, while nothing tells which; undefined if there is none. */
  get open(): string | undefined {
    const isMixed = Object.keys({ ...this.#proofs, ...this.#hints }).length > 1;
    if (this.mark !== undefined) return undefined;
    return this.#open ?? (isMixed ? Object.values(this.#hints)[0] : undefined);
  }

  /** @param mark of the whole column, as a person or another column of the same file says */
  decide(mark: DecimalMark): void {
    this.#given = mark;
  }

  /** @returns the number of a cell; undefined if it is none, or may be one of two */
  read(cell: string): CellNumber | undefined {
    const parts = partsOf(cell);
    if (!parts) return undefined;
    const { body, isNegative, currency, side } = parts;
    const digits = this.#read(body);
    return digits === undefined
      ? undefined
      : { decimal: isNegative ? `-${digits}` : digits, currency, side };
  }

  #read(body: string): string | undefined {
    const { mark } = this;
    if (mark !== undefined) return readWith(mark, body);
    const { '.': point, ',': comma } = readingsOf(body);
    return point === undefined || comma === undefined || point === comma
      ? (point ?? comma)
      : undefined;
  }
}

function markOf(proofs: Partial<Record<DecimalMark, string>>): DecimalMark | undefined {
  const marks = DECIMAL_MARKS.filter((mark) => proofs[mark] !== undefined);
  return marks.length === 1 ? marks[0] : undefined;
}

/**
 * @param cell one that may be one of two numbers
 * @returns both, with the mark of the decimals of each
 */
export function bothReadings(cell: string): readonly { mark: DecimalMark; decimal: string }[] {
  const readings = readingsOf(partsOf(cell)?.body ?? '');
  return DECIMAL_MARKS.flatMap((mark) => {
    const decimal = readings[mark];
    return decimal === undefined ? [] : [{ mark, decimal }];
  });
}
