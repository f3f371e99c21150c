/**
 * A workbook for Excel (Office Open XML) with one sheet: a row of names, and a row for each record.
 *
 * Texts are texts, whatever they look like, and days, times and amounts are what they are: a cell has a type here, so no
 * program guesses it. Days are numbers that are counted here, without a time zone: a writer that takes an instant needs
 * one, and some take this machine's, by which the first of a month falls into the month before.
 */
import { dayNumber } from '../../base/calendar.ts';
import type { JsonObject } from '../../base/json.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { RecordView } from '../columns.ts';
import { decimalIn, decimalOf, fieldAt, moneyInMinorUnits, textOf } from '../values.ts';

/** The number of 1970-01-01 in Excel's calendar, which takes 1900 for a leap year. */
const FIRST_DAY = 25_569;
const SECONDS_OF_DAY = 86_400;
const NARROWEST = 10;
const WIDEST = 40;

type Cell = { value: string; type: typeof String; format: '@' } | NumberCell | null;
interface NumberCell {
  value: number;
  type: typeof Number;
  format?: string;
}

/**
 * @param records with amounts as numbers, and decimals as text
 * @param names the fields that are the columns
 */
export async function workbookOf(
  records: readonly JsonObject[],
  names: readonly string[],
  { moments = {}, sums = [] }: Pick<RecordView, 'moments' | 'sums'>,
): Promise<Uint8Array> {
  const { default: write } = await import('write-excel-file/node');
  const header = names.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const kindOf = (name: string) => (sums.includes(name) ? 'money' : moments[name]);
  const rows = records.map((record) => names.map((name) => cellOf(record, name, kindOf(name))));
  const widths = names.map((name, n) => {
    const lengths = rows.map((row) => String(row[n]?.value ?? '').length);
    const longest = lengths.reduce((one, other) => Math.max(one, other), name.length);
    return { width: moments[name] ? NARROWEST : Math.min(WIDEST, longest + 1) };
  });
  const settings = { columns: widths, stickyRowsCount: 1 };
  return write([header, ...rows], settings).toBuffer();
}

/** Parts of a whole, which people read as percents. */
const SHARES = ['share', 'churn'];

function cellOf(
  record: JsonObject,
  name: string,
  kind: 'day' | 'time' | 'money' | undefined,
): Cell {
  const money = kind === 'money' ? decimalOf(record, name) : decimalIn(record, name);
  const value = money ?? fieldAt(record, name);
  const text = textOf(value) ?? moneyInMinorUnits(record, name);
  if (text === undefined) return null;
  if (typeof value === 'number')
    return { value, type: Number, ...(SHARES.includes(name) && { format: '0.00%' }) };
  if (money !== undefined) {
    const [, decimals = ''] = text.split('.');
    return {
      value: Number(text),
      type: Number,
      format: `0${decimals && '.'}${decimals.replace(/./g, '0')}`,
    };
  }
  if (kind === 'day')
    return { value: FIRST_DAY + dayNumber(text), type: Number, format: 'yyyy-mm-dd' };
  if (kind === 'time') return { value: fractionOfDay(text), type: Number, format: 'hh:mm:ss' };
  return { value: escaped(neutralise(text)), type: String, format: '@' };
}

/** @param clock `HH:MM:SS` */
function fractionOfDay(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return (hours * 3600 + minutes * 60 + seconds) / SECONDS_OF_DAY;
}

/** Excel takes `_x0041_` in a text for the character with that number; an underscore that is written so stays one. */
function escaped(text: string): string {
  return text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}
