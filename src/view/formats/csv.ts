/**
 * CSV as in RFC 4180, with a line feed at the end of each line.
 *
 * Programs read columns by their place, so the header of a list is the same whatever its records are: all fields that the
 * view knows, in its order. A field that gw does not know stands behind them if the first record has it. One that only a
 * later record has gets no column; the writer remembers its name, and the printer reports it on stderr. Lists are
 * written as JSON. null and missing values are empty, an empty text is `""`.
 *
 * Each amount in minor units has the same amount as a decimal beside it. It is empty without a currency: nobody knows
 * its decimals then. The decimals of sums stand behind all columns, where they move none. For a spreadsheet decimals stand
 * alone, since people add up the first column of money.
 *
 * Someone will show a file on a terminal, so control characters and line ends are written as escapes. JSON has every
 * character.
 *
 * Excel, LibreOffice and gnumeric get a text so that it stays one (`textCell`), and money as decimals. Numbers,
 * and the days and times that the view names, are theirs to read, instants by the clock of the report's zone. A month is
 * not theirs, since they make a day of it.
 *
 * Tests: test/unit/view/printer.test.ts, test/scripts/output/formats.script
 */
import type { JsonObject } from '../../base/json.ts';
import { openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { formatInstant, type RecordView } from '../columns.ts';
import { textCell, withoutFormula } from '../formulas.ts';
import {
  DECIMAL,
  decimalIn,
  decimalNameOf,
  decimalOf,
  decimalOfSum,
  fieldAt,
  flatten,
  moneyInMinorUnits,
  textOf,
} from '../values.ts';

export interface CsvWriter {
  /** @returns the record as a row; the first one has the header before it */
  write(record: JsonObject, view: RecordView): string;
  /** @returns for a list without records, the header with the column names that are known */
  empty(view: RecordView): string;
  /** Fields of later records that have no column. */
  readonly lost: ReadonlySet<string>;
}

/**
 * Tells Excel that the file is UTF-8. A line `sep=,` after it would name the separator, but then Excel ignores the mark
 * and garbles names.
 */
const MARK = '\uFEFF';

/** The marks of CSV in the language of a machine. */
interface Marks {
  delimiter: ',' | ';';
  decimal: '.' | ',';
}

/** Where Windows separates the cells of a list by semicolons, and writes decimals with a point. */
const WITH_POINT_AND_SEMICOLON: readonly (string | undefined)[] = ['CH', 'LI'];

/**
 * Node asks LC_MESSAGES for its language, and not LC_NUMERIC. The regions of Windows, which Excel goes by, separate cells
 * by semicolons unless decimals have a point.
 */
function marksOf({ LC_ALL, LC_NUMERIC, LANG }: Host['env']): Marks {
  const name = LC_ALL || LC_NUMERIC || LANG || '';
  const [language] = /^[a-z]{2,3}(?:_[A-Z]{2})?(?=[.@]|$)/.exec(name) ?? [];
  const isPlain = /^(?:C|POSIX)(?:\.|$)/.test(name);
  const tag = isPlain ? 'en-US' : language?.replace('_', '-');
  const { region } = new Intl.Locale(tag ?? new Intl.DateTimeFormat().resolvedOptions().locale);
  if (WITH_POINT_AND_SEMICOLON.includes(region)) return { delimiter: ';', decimal: '.' };
  const half = new Intl.NumberFormat(tag).format(0.5);
  return { delimiter: half.includes('.') ? ',' : ';', decimal: half.includes(',') ? ',' : '.' };
}

interface CsvStyle {
  /** Keeps a spreadsheet from reading a cell as a formula. */
  hasNoFormulas: boolean;
  hasHeader: boolean;
  /** Begins with a byte order mark, and writes separators, decimals and texts for a spreadsheet. */
  isForExcel?: boolean;
  /** true leaves out the columns of fields that the view may have, and the record has not. */
  isSingle?: boolean | undefined;
  /** Names the language of this machine, for Excel. */
  env?: Host['env'] | undefined;
  /** The zone of instants for Excel, unless a record names its own. */
  zone?: TimeZone | undefined;
}

/** @param fields columns instead of the first record's */
export async function createCsvWriter(
  fields: readonly string[] | undefined,
  { hasNoFormulas, hasHeader, isForExcel = false, isSingle = false, env = {}, zone }: CsvStyle,
): Promise<CsvWriter> {
  const start = isForExcel ? MARK : '';
  const { delimiter, decimal } = isForExcel
    ? marksOf(env)
    : ({ delimiter: ',', decimal: '.' } as const);
  const { stringify } = await import('csv-stringify/sync');
  const row = (cells: readonly (string | undefined)[]) =>
    stringify([cells], { delimiter, quoted_match: /^$/ });
  const clean = (cell: string) =>
    hasNoFormulas ? withoutFormula(neutralise(cell)) : neutralise(cell);
  const headerRow = (names: readonly string[], { amountName }: RecordView) => {
    const own = isForExcel ? amountName : undefined;
    return row(names.map((name) => clean(name === DECIMAL ? (own ?? name) : name)));
  };

  const lost = new Set<string>();
  let header: ReadonlySet<string> | undefined;
  const cellOf = (record: JsonObject, name: string, view: RecordView) => {
    if (isForExcel) return sheetCell(record, name, view);
    const value = fieldAt(record, name);
    const told = exactOf(record, name) ?? textOf(value);
    return told && clean(told);
  };
  const sheetCell = (record: JsonObject, name: string, { moments, sums }: RecordView) => {
    const value = fieldAt(record, name);
    const sum = sums?.includes(name) ? decimalOf(record, name) : undefined;
    const exact = sum ?? exactOf(record, name);
    if (exact !== undefined) return exact.replace('.', decimal);
    const told = textOf(value) ?? moneyInMinorUnits(record, name);
    if (!told) return told;
    const shown = moments?.[name] ? momentText(record, told, zone) : told;
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    const isRead = isPlain || (moments?.[name] && MOMENT.test(shown));
    return isRead ? clean(shown) : textCell(neutralise(told));
  };
  return {
    lost,
    empty(view) {
      if (header !== undefined) return '';
      const names = fields ?? withDecimals(knownFields(view), view, isForExcel);
      return hasHeader && names.length > 0 ? start + headerRow(names, view) : start;
    },
    write(record, view) {
      const first = header === undefined;
      header ??= new Set(
        fields ?? withDecimals(fieldsOf(view, record, isSingle), view, isForExcel),
      );
      const names = [...header];
      if (!fields && !first) {
        const known = isForExcel ? [...names, 'amount'] : names;
        for (const name of fieldsBeyond(known, record)) lost.add(name);
      }
      const values = row(names.map((name) => cellOf(record, name, view)));
      const above = hasHeader ? start + headerRow(names, view) : start;
      return first ? above + values : values;
    },
  };
}

/** @returns all fields that records of the view may have */
const knownFields = ({ fields, mayHave = [], nested = {} }: RecordView) => [
  ...new Set(
    [...fields, ...mayHave].flatMap(
      (name) => nested[name]?.map((part) => `${name}.${part}`) ?? name,
    ),
  ),
];

/** @returns the view's fields and the record's others; an object of the record gives way to its parts */
function fieldsOf(view: RecordView, record: JsonObject, isSingle: boolean): string[] {
  // Flags decide which fields a report has.
  const known = isSingle || view.omitsEmpty ? view.fields : knownFields(view);
  const beyond = fieldsBeyond(known, record);
  const isWhole = (name: string) => !beyond.some((other) => other.startsWith(`${name}.`));
  return [...known.filter(isWhole), ...beyond];
}

/** A day, a time, or both, as every spreadsheet reads it. */
const MOMENT = /^(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d\d:\d\d:\d\d)$/;

/** @returns a moment, instants by the clock of the record's zone, or else of this one */
function momentText(record: JsonObject, told: string, zone: TimeZone | undefined): string {
  const own = textOf(record.time_zone);
  const clock = own === undefined ? zone : openTimeZone(own);
  return clock ? formatInstant(told, clock.clockAt) : told;
}

/** @returns the decimal of this name with all its digits, unless the record says another one: JSON has 9.9 for 9.90 */
function exactOf(record: JsonObject, name: string): string | undefined {
  const exact = decimalIn(record, name);
  const said = textOf(fieldAt(record, name)) ?? exact;
  return exact !== undefined && Number(said) === Number(exact) ? exact : undefined;
}

/** @returns the record's fields that are not among the names; a missing nested record is no field */
function fieldsBeyond(names: readonly string[], record: JsonObject): string[] {
  return flatten(record)
    .filter(([name]) => !names.includes(name))
    .filter(
      ([name, value]) => value !== null || !names.some((known) => known.startsWith(`${name}.`)),
    )
    .map(([name]) => name);
}

/**
 * @returns the names with that of its decimal after each amount, and those of the decimals of sums at the end; without the
 *   amount, if it would be summed up by mistake
 */
function withDecimals(
  names: readonly string[],
  { sums = [] }: RecordView,
  isForExcel: boolean,
): string[] {
  const beside = names.flatMap((name) => {
    const decimal = decimalNameOf(name);
    if (decimal === undefined) return [name];
    const own = isForExcel ? [] : [name];
    return names.includes(decimal) ? own : [...own, decimal];
  });
  const counted = isForExcel ? [] : names.filter((name) => sums.includes(name));
  return [...beside, ...counted.map(decimalOfSum)];
}
