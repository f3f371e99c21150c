/**
 * A workbook for Excel (Office Open XML) with one sheet: a row of names, and a row for each record.
 *
 * Texts are texts, whatever they look like, and days, months, instants and amounts are what they are: a cell has a type
 * here, so no program guesses it. Days are numbers that are counted here, without a time zone: a writer that takes an
 * instant needs one, and some take this machine's, by which the first of a month falls into the month before.
 *
 * Tests: test/system/report-spreadsheet.test.ts
 */
import { dayNumber } from '../../base/calendar.ts';
import type { JsonObject } from '../../base/json.ts';
import { openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Moment, RecordView } from '../columns.ts';
import { DECIMAL, decimalIn, decimalOf, fieldAt, moneyInMinorUnits, textOf } from '../values.ts';

/** The number of 1970-01-01 in Excel's calendar, which takes 1900 for a leap year. */
const FIRST_DAY = 25_569;
const SECONDS_OF_DAY = 86_400;
const NARROWEST = 10;
const WIDEST = 40;

type Cell =
  | { value: string; type: typeof String; format: '@' }
  | { value: boolean; type: typeof Boolean }
  | NumberCell
  | null;
interface NumberCell {
  value: number;
  type: typeof Number;
  format?: string;
}

/** The columns of a sheet. */
export interface Sheet {
  names: readonly string[];
  /** Whether a column stays that no record has a value for; a list without records has all of them. */
  hasEmpty: boolean;
  /** The zone of instants, unless a record names its own. */
  zone: TimeZone;
}

/** @param records with amounts as numbers, and decimals as text */
export async function workbookOf(
  records: readonly JsonObject[],
  { names: all, hasEmpty, zone }: Sheet,
  { moments = {}, sums = [], amountName }: Pick<RecordView, 'moments' | 'sums' | 'amountName'>,
): Promise<Uint8Array> {
  const { default: write } = await import('write-excel-file/node');
  const kindOf = (name: string) => (sums.includes(name) ? 'money' : moments[name]);
  const columns = all.map((name) => ({
    name,
    cells: records.map((record) => cellOf(record, name, kindOf(name), zone)),
  }));
  const isKept = (cells: readonly Cell[]) => hasEmpty || cells.length === 0 || cells.some(Boolean);
  const kept = columns.filter(({ cells }) => isKept(cells));
  const header = kept.map(({ name }) => {
    const value = name === DECIMAL ? (amountName ?? name) : name;
    return { value, type: String, fontWeight: 'bold' as const };
  });
  const rows = records.map((_, n) => kept.map(({ cells }) => cells[n] ?? null));
  const widths = kept.map(({ name, cells }) => {
    const lengths = cells.map((cell) => String(cell?.value ?? '').length);
    const longest = lengths.reduce((one, other) => Math.max(one, other), name.length);
    const formats = cells.map((cell) => (cell && 'format' in cell ? cell.format : '')?.length ?? 0);
    const widest = formats.reduce((one, other) => Math.max(one, other), NARROWEST);
    return { width: moments[name] ? widest : Math.min(WIDEST, longest + 1) };
  });
  const settings = { columns: widths, stickyRowsCount: 1 };
  return write([header, ...rows], settings).toBuffer();
}

/** Parts of a whole, which people read as percents. */
const SHARES = ['share', 'churn'];

function cellOf(
  record: JsonObject,
  name: string,
  kind: Moment | 'money' | undefined,
  zone: TimeZone,
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
  if (typeof value === 'boolean') return { value, type: Boolean };
  const own = textOf(record.time_zone);
  const moment = kind && momentCell(text, own ? openTimeZone(own) : zone);
  if (moment) return moment;
  return { value: escaped(neutralise(text)), type: String, format: '@' };
}

/** @returns the cell of a day, a time, a month or an instant; undefined for another text */
function momentCell(text: string, zone: TimeZone): NumberCell | undefined {
  if (/^\d\d:\d\d:\d\d$/.test(text))
    return { value: fractionOfDay(text), type: Number, format: 'hh:mm:ss' };
  const [, month, day] = /^(\d{4}-\d\d)(-\d\d)?$/.exec(text) ?? [];
  if (month !== undefined)
    return {
      value: FIRST_DAY + dayNumber(`${month}${day ?? '-01'}`),
      type: Number,
      format: day ? 'yyyy-mm-dd' : 'yyyy-mm',
    };
  const instant = text.includes('T') ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) return undefined;
  const [date = '', clock] = zone.clockAt(instant).split(' ');
  const value = FIRST_DAY + dayNumber(date) + fractionOfDay(`${clock}:00`);
  return { value, type: Number, format: 'yyyy-mm-dd hh:mm' };
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
