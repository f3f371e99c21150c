/** Facts of a file as a whole: its days, its currencies, and the fields by which its rows name records. */
import { addDays } from '../../base/calendar.ts';
import { count } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import type { BookRow } from './book-row.ts';
import type { ReconcileOptions } from './reconcile-options.ts';

/** The days and the currencies of some rows or records. */
export interface Extent {
  /** The first and the last day, `YYYY-MM-DD`; undefined if there are none. */
  first: string | undefined;
  last: string | undefined;
  /** ISO 4217 codes. */
  currencies: ReadonlySet<string>;
}

export interface BookFacts extends Extent {
  rows: number;
  /** Rows with an id or a reference of their own. */
  named: number;
  /** Rows without these, and with texts that may name a record. */
  texts: number;
  /** Rows with an amount and a day. */
  dated: number;
  /** Rows with their amount on a bank's side. */
  sided: number;
}

export function factsOf(rows: Iterable<BookRow>): BookFacts {
  const facts = { rows: 0, named: 0, texts: 0, dated: 0, sided: 0 };
  const extent = new GrowingExtent();
  for (const { id, reference, texts = [], dates = [], ...row } of rows) {
    const hasAmount = row.amount !== undefined || row.decimal !== undefined;
    facts.rows++;
    if (id !== undefined || reference !== undefined) facts.named++;
    else if (texts.length > 0) facts.texts++;
    if (hasAmount && dates.length > 0) facts.dated++;
    if (row.side !== undefined) facts.sided++;
    extent.add(dates, row.currency);
  }
  return { ...facts, ...extent.whole };
}

/** Collects days and currencies. */
export class GrowingExtent {
  readonly #currencies = new Set<string>();
  #first: string | undefined;
  #last: string | undefined;

  add(days: string | readonly string[] | undefined, currency: string | null | undefined): void {
    for (const day of [days ?? []].flat()) {
      if (this.#first === undefined || day < this.#first) this.#first = day;
      if (this.#last === undefined || day > this.#last) this.#last = day;
    }
    if (currency) this.#currencies.add(currency);
  }

  get whole(): Extent {
    return { first: this.#first, last: this.#last, currencies: this.#currencies };
  }
}

/**
 * @param known what this ledger knows of the account
 * @param options the period that the user gave, if any
 * @returns sentences about a file that shares no day or no currency with them; empty for any other
 */
export function strangenessText(
  facts: BookFacts,
  known: Extent,
  {
    zone,
    since,
    until,
    withinDays,
  }: Pick<ReconcileOptions, 'zone' | 'since' | 'until' | 'withinDays'>,
): string {
  const asked = daysAsked(zone, { since, until });
  const said = [];
  if (areApart(facts.currencies, known.currencies))
    said.push(
      `The file is in ${[...facts.currencies].join(', ')}, and this ledger knows the account in ${[...known.currencies].join(', ')} only.`,
    );
  if (isOutside(facts, asked, 0))
    said.push(`The file has days from ${facts.first} to ${facts.last}, none in the given period.`);
  else if (isOutside(facts, known, withinDays))
    said.push(
      `The file has days from ${facts.first} to ${facts.last}, and this ledger knows the account from ${known.first} to ${known.last}.`,
    );
  return said.length === 0
    ? ''
    : `Note: this may be the file of another account or period. ${said.join(' ')}\n`;
}

/** @returns the first and the last day of the period that the user gave */
export function daysAsked(
  zone: TimeZone,
  { since, until }: { since: string | undefined; until: string | undefined },
): Partial<Extent> {
  return {
    first: since && zone.dayOf(Date.parse(since)),
    last: until && zone.dayOf(Date.parse(until) - 1),
  };
}

/**
 * @param byDay the command that compares deposits by the day, if the rows can be deposits
 * @returns sentences about a file of which the gateway has no record so far; empty for a single row, which says it itself
 */
export function unknownText(rows: number, byDay: string | undefined): string {
  if (rows === 1) return '';
  const note = `Note: the gateway has no record for any of the first ${count(rows)} rows. The file may be of another account.\n`;
  return byDay === undefined
    ? note
    : `${note}If each row is the deposit of a day, run:\n  ${byDay}\n`;
}

function areApart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && ![...one].some((code) => other.has(code));
}

function isOutside(facts: Extent, { first, last }: Partial<Extent>, withinDays: number): boolean {
  if (facts.first === undefined || facts.last === undefined) return false;
  const isBefore = first !== undefined && addDays(facts.last, withinDays) < first;
  return isBefore || (last !== undefined && addDays(facts.first, -withinDays) > last);
}
