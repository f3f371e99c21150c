/**
 * Decides from all cells of a column how another program's file writes days. `31/03/2026` says that the day
 * stands before the month in the whole column. `01/02/2026` may be in January or February: if no other cell tells, the
 * column stays open, and nobody reads it until somebody says which it is.
 *
 * A cell may have the name of a month, a time and an offset after the day, or the day's number in a spreadsheet. The
 * day is that of the cell: an offset does not move it.
 */
import { dayNumber, daysInMonth, dayText } from './calendar.ts';

/** The order of day, month and year. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The zones of countries where people write the day first, and of those where they write the month first. */
const DAY_FIRST =
  /^(?:europe|africa|australia|antarctica)\/|^pacific\/(?:auckland|chatham)$|^(?:nz|gb)$/i;
const MONTH_FIRST =
  /^america\/(?:new_york|chicago|denver|los_angeles|phoenix|detroit|anchorage|boise|indiana\/.*|kentucky\/.*|north_dakota\/.*)$|^pacific\/honolulu$|^us\//i;

/** @returns the order in which people of a time zone write days; undefined if nobody knows */
export function orderInZone(zone: string): 'dmy' | 'mdy' | undefined {
  if (DAY_FIRST.test(zone)) return 'dmy';
  return MONTH_FIRST.test(zone) ? 'mdy' : undefined;
}

/** The days that a cell may mean, `YYYY-MM-DD`, by the order; none for an order that cannot be. */
type Days = Partial<Record<DateOrder, string>>;

/** A year of two digits is one of these, counted from the year of today. */
const [PAST_YEARS, FUTURE_YEARS] = [10, 1];
/** The day before the first one of spreadsheets, as they count today, and the numbers of 1954 to 2119. */
const SERIAL = { zero: '1899-12-30', first: 20_000, last: 80_000 };

export interface DateColumnOptions {
  /** `YYYY-MM-DD`: tells the century of a year of two digits. */
  today: string;
  /** Whether numbers without marks are days: `20260331`, and those of spreadsheets. The name of the column tells. */
  takesNumbers?: boolean;
}

export class DateColumn {
  readonly #options: DateColumnOptions;
  #orders: readonly DateOrder[] = DATE_ORDERS;
  /** The days of cells: a file has few. */
  readonly #known = new Map<string, Days>();
  #open: string | undefined;
  #given: DateOrder | undefined;

  constructor(options: DateColumnOptions) {
    this.#options = options;
  }

  /**
   * Takes one more cell of the column into account.
   * @returns whether the cell is a day in the order of the cells before it
   */
  add(cell: string): boolean {
    const days = this.#daysOf(cell);
    const orders = this.#orders.filter((order) => days[order] !== undefined);
    if (orders.length === 0) return false;
    this.#orders = orders;
    if (new Set(orders.map((order) => days[order])).size > 1) this.#open ??= cell;
    return true;
  }

  /** A cell that may be one of several days, while nothing tells which; undefined if there is none. */
  get open(): string | undefined {
    if (this.#given !== undefined || this.#open === undefined) return undefined;
    return this.read(this.#open) === undefined ? this.#open : undefined;
  }

  /** The order, if the cells or somebody tell; undefined also if every order gives the same days. */
  get order(): DateOrder | undefined {
    return this.#given ?? (this.#orders.length === 1 ? this.#orders[0] : undefined);
  }

  /** @param order of the whole column, as a person or another column of the same file says */
  decide(order: DateOrder): void {
    if (this.#orders.includes(order)) this.#given = order;
  }

  /** @returns the day of a cell, `YYYY-MM-DD`; undefined if it is none, or may be one of several */
  read(cell: string): string | undefined {
    const days = this.#daysOf(cell);
    const { order } = this;
    if (order !== undefined) return days[order];
    const orders = this.#orders;
    const meant = new Set(orders.flatMap((order) => days[order] ?? []));
    return meant.size === 1 ? [...meant][0] : undefined;
  }

  /** @returns each day that the cells before leave for this one, with its order */
  readings(cell: string): readonly { order: DateOrder; day: string }[] {
    const days = this.#daysOf(cell);
    return this.#orders.flatMap((order) => {
      const day = days[order];
      return day === undefined ? [] : [{ order, day }];
    });
  }

  #daysOf(cell: string): Days {
    const known = this.#known.get(cell);
    if (known) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const days = daysOf(cell, this.#options);
    this.#known.set(cell, days);
    return days;
  }
}

/** The most cells whose days are kept. */
const MAX_KNOWN = 10_000;

const TIME = /\d{1,2}:\d\d/;
const NUMERIC = /^(\d{1,4})([-/. ]) ?(\d{1,2})\2 ?(\d{1,4})\.?$/;
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

/** @returns the text before the time of a day, without what leads to it: `T`, `at`, a comma, the sign of an offset */
function withoutTime(cell: string): string {
  const before = cell.slice(0, TIME.exec(cell)?.index ?? cell.length);
  return trimmedEnd(trimmedEnd(before).replace(/(?:(?<=\d)T| at| um| à)$/, ''));
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,+-]/.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end).trimStart();
}

function daysOf(cell: string, options: DateColumnOptions): Days {
  const text = withoutTime(cell);
  if (/\p{L}/u.test(text)) return daysOfWords(text, options);
  const [, a = '', mark, b = '', c = ''] = NUMERIC.exec(text) ?? [];
  if (mark === undefined) return options.takesNumbers ? daysOfNumber(text) : {};
  const { today } = options;
  // Nobody puts the month first with points.
  const orders = { dmy: [c, b, a], mdy: mark === '.' ? [] : [c, a, b], ymd: [a, b, c] } as const;
  return Object.fromEntries(
    Object.entries(orders).flatMap(([order, [year = '', month = '', day = '']]) => {
      const meant = dayOf(yearOf(year, today), Number(month), day);
      return meant === undefined ? [] : [[order, meant]];
    }),
  );
}

function daysOfNumber(text: string): Days {
  const [, year, month, day = ''] = COMPACT.exec(text) ?? [];
  if (year !== undefined) return inEachOrder(dayOf(Number(year), Number(month), day));
  const serial = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.slice(0, 5)) : 0;
  if (serial < SERIAL.first || serial > SERIAL.last) return {};
  return inEachOrder(dayText(dayNumber(SERIAL.zero) + serial));
}

/** `31 Mar 2026`, `Tue, 31-Mar-26`, `Mar 31st, 2026`, `31 de marzo de 2026`. */
function daysOfWords(text: string, { today }: DateColumnOptions): Days {
  const parts = text.match(/\d+|\p{L}+/gu) ?? [];
  const words = parts.filter((part) => !/^\d/.test(part)).map(plain);
  const [first, second = '', ...more] = parts.filter((part) => /^\d/.test(part));
  // The names of months take a fifth of a short command's time.
  if (first === undefined || more.length > 0) return {};
  const months = words.flatMap((word) => monthNames().get(word) ?? []);
  const others = words.filter((word) => !monthNames().has(word) && !isBesideDay(word));
  const [month = 0] = months;
  if (months.length !== 1 || others.length > 0) return {};
  const [year, day] = first.length === 4 ? [first, second] : [second, first];
  return inEachOrder(dayOf(yearOf(year, today), month, day));
}

/** @returns the day in every order, if there is one: nothing in the cell depends on the order */
function inEachOrder(day: string | undefined): Days {
  return day === undefined ? {} : { dmy: day, mdy: day, ymd: day };
}

function yearOf(digits: string, today: string): number {
  if (digits.length === 4) return Number(digits);
  const now = Number(today.slice(0, 4));
  const year = digits.length === 2 ? now - (now % 100) + Number(digits) : Number.NaN;
  const meant = year > now + FUTURE_YEARS ? year - 100 : year;
  return meant >= now - PAST_YEARS ? meant : Number.NaN;
}

function dayOf(year: number, month: number, digits: string): string | undefined {
  const day = Number(digits);
  if (!(year > 0 && month >= 1 && month <= 12 && digits.length <= 2)) return undefined;
  if (!(day >= 1 && day <= daysInMonth(year, month))) return undefined;
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** The languages whose months and weekdays are known. */
const LANGUAGES = 'en en-GB de de-AT fr es sv it nl pt da nb pl'.split(' ');

const plain = (word: string) => word.normalize('NFD').replaceAll(/\P{L}/gu, '').toLowerCase();

const isBesideDay = (word: string) =>
  ['st', 'nd', 'rd', 'th', 'the', 'de', 'del', 'of'].includes(word) || weekdayNames().has(word);

let months: ReadonlyMap<string, number> | undefined;
let weekdays: ReadonlyMap<string, number> | undefined;

function monthNames(): ReadonlyMap<string, number> {
  // Germans shorten March in a way of their own.
  months ??= namesOf('month', 12, (place) => Date.UTC(2026, place, 15)).set('mrz', 3);
  return months;
}

function weekdayNames(): ReadonlyMap<string, number> {
  weekdays ??= namesOf('weekday', 7, (place) => Date.UTC(2026, 0, place + 1));
  return weekdays;
}

/** @returns the numbers, from 1, by the names in each language and their first three letters; none with two numbers */
function namesOf(
  field: 'month' | 'weekday',
  count: number,
  timeOf: (place: number) => number,
): Map<string, number> {
  const formats = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map(
      (width) => new Intl.DateTimeFormat(language, { [field]: width, timeZone: 'UTC' }),
    ),
  );
  const written = Array.from({ length: count }, (_, place) => {
    const names = formats.map((format) => plain(format.format(timeOf(place))));
    return new Set(names.flatMap((name) => [name, name.slice(0, 3)]));
  });
  return new Map(
    written.flatMap((names, place) =>
      [...names]
        .filter((name) => written.every((other) => other === names || !other.has(name)))
        .map((name): [string, number] => [name, place + 1]),
    ),
  );
}
