/** The sentences on stderr that say how gw read a file: which column is what, and what it left out. */
import { quotedText } from '../../base/shell.ts';
import { MOST_DECIMALS } from '../../contract/currency.ts';
import { formatDecimal, parseDecimal } from '../../contract/money.ts';
import { plainName } from '../../requests/batch/engine/columns.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { ReadTable } from './read-table.ts';

/** The most lines, and the most columns, that a sentence names one by one. */
const MAX_NAMED = 30;

/**
 * @param source a path, or `-` for stdin
 * @returns a line for each thing to know; none for a table of the merchant's own of which every line is a row
 */
export function readingText(
  source: string,
  { book, rows, roles, skipped, orderByZone, dayOrder }: ReadTable,
): string {
  const name = source === '-' ? 'stdin' : source;
  const { fields, texts, aside } = roles ?? { fields: new Map(), texts: [], aside: [] };
  const renamed = [...fields]
    .filter(([field, column]) => plainName(column.name) !== field)
    .map(([field, column]) => `${field} is ${quotedText(column.name)}`);
  const words = listed(texts.map((column) => quotedText(column.name)));
  const left = aside.flatMap(({ column, why }) => {
    if (column.isBlank) return [];
    const isSummed = column.role === 'fee' || column.role === 'refunded';
    const sum = isSummed ? `, ${sumOf(column, rows)} in all` : '';
    return why === '' ? quotedText(column.name) : `${quotedText(column.name)} (${why}${sum})`;
  });
  const lines = skipped.map(({ lines: numbers, why }) => `${linesText(numbers)} (${why})`);
  return [
    renamed.length > 0 && `${renamed.join(', ')}.`,
    texts.length > 0 && `references are looked for in ${words}.`,
    left.length > 0 && `not compared: ${left.slice(0, MAX_NAMED).join(', ')}.`,
    orderByZone ? orderText(orderByZone) : dayOrder && READ_AS[dayOrder],
    lines.length > 0 && `not read: ${lines.join(', ')}.`,
    ...book.cardLike.map((cell) => `${cell} looks like a card number.`),
  ]
    .filter((sentence) => sentence !== false && sentence !== undefined)
    .map((sentence) => `${name}: ${sentence}\n`)
    .join('');
}

/** The order that cells such as 31/03/2026 show. Nobody has to be told of the year before the month. */
const READ_AS = {
  dmy: 'dates are read as day/month/year.',
  mdy: 'dates are read as month/day/year.',
  ymd: undefined,
} as const;

/** @returns what a column of fees adds up to, as a decimal: `275.11` */
function sumOf({ numbers, place }: ColumnProfile, rows: ReadTable['rows']): string {
  const parts = rows.map(({ cells = [] }) => {
    const decimal = numbers.read(cells[place] ?? '')?.decimal ?? '0';
    const size = parseDecimal(decimal.replace('-', ''), MOST_DECIMALS) ?? 0;
    return decimal.startsWith('-') ? -size : size;
  });
  const sum = parts.reduce((all, part) => all + part, 0);
  return formatDecimal(sum, MOST_DECIMALS).replace(/0{1,2}$/, '');
}

/** @returns a sentence about days that only the time zone tells how to read */
function orderText({ order, zone }: NonNullable<ReadTable['orderByZone']>): string {
  const [first, other] = order === 'dmy' ? ['day', 'mdy'] : ['month', 'dmy'];
  return `the ${first} stands first in dates, because people in ${zone} write them so. If it does not, add --date-order ${other}.`;
}

const listed = (names: readonly string[]) => names.slice(0, MAX_NAMED).join(', ');

/** @param lines in order @returns for example `lines 1 to 7`, `line 120`, `lines 3, 9 and 40 more` */
function linesText(lines: readonly number[]): string {
  const [first = 0] = lines;
  const last = lines.at(-1) ?? first;
  if (first === last) return `line ${first}`;
  if (lines.length > 2 && last - first === lines.length - 1) return `lines ${first} to ${last}`;
  const more = lines.length - MAX_NAMED;
  const named = lines.slice(0, MAX_NAMED).join(', ');
  return `lines ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
