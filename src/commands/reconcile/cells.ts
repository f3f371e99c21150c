/** Reads the values of one row by the types of their columns, and collects their faults. */
import type { JsonObject } from '../../base/json.ts';
import { quotedText } from '../../base/shell.ts';
import { MAX_AMOUNT } from '../../contract/money.ts';

export class Cells {
  readonly #fields: JsonObject;
  readonly #isText: boolean;
  readonly #problems: string[] = [];

  /** @param isText whether every value is text, as in a CSV */
  constructor(fields: JsonObject, isText: boolean) {
    this.#fields = fields;
    this.#isText = isText;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  /** @param what the fault, as part of a sentence about the row: `has …` */
  problem(what: string): void {
    this.#problems.push(what);
  }

  /** A whole number may be a name: books have numbers for references. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'string') return value;
    const isDecimal = name === 'decimal_amount';
    if (typeof value === 'number' && Number.isSafeInteger(value) && !isDecimal)
      return String(value);
    return this.#wrong(name, isDecimal ? 'text, such as "25.00"' : 'text');
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    const word = this.#isText && typeof value === 'string' ? value.toLowerCase() : '';
    if (word === 'true' || word === 'false') return word === 'true';
    return this.#wrong(name, 'true or false');
  }

  /** @returns minor units, not zero, at most MAX_AMOUNT on either side */
  amount(name: string): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const isWritten = this.#isText && typeof value === 'string' && /^-?\d{1,16}$/.test(value);
    const amount = isWritten || !this.#isText ? Number(value) : Number.NaN;
    const isWhole = (isWritten || typeof value === 'number') && Number.isInteger(amount);
    if (isWhole && amount !== 0 && Math.abs(amount) <= MAX_AMOUNT) return amount;
    const isDecimal = typeof value === 'string' && /^-?[\d.,]*[.,]\d{1,2}$/.test(value);
    const hint = isDecimal
      ? ' of minor units; for decimals use decimal_amount: --map decimal_amount=COLUMN reads a column that way'
      : '';
    return this.#wrong(
      name,
      hint ? `a whole number${hint}` : `a whole number up to ${MAX_AMOUNT} that is not zero`,
    );
  }

  /** @returns the value; undefined if it is null or blank */
  #value(name: string) {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    const said = typeof value === 'string' ? value.trim() : value;
    return said === null || said === '' ? undefined : said;
  }

  #wrong(name: string, wanted: string): undefined {
    const value = this.#fields[name];
    const shown = typeof value === 'string' ? quotedText(value) : JSON.stringify(value);
    this.problem(`${name} is ${shown}, not ${wanted}`);
  }
}
