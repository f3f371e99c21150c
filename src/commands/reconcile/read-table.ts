/**
 * Reads the text of the books: a table of the merchant's own, one that a bank, a processor or a shop wrote, or JSON
 * lines. Where the file can be read in two ways, it says which: the user chooses, and then it is read again.
 *
 *   layout.ts          where the table is: separator, names, lines around it
 *   column-profile.ts  what all cells of a column have in common
 *   column-roles.ts    what the columns are
 *   order-items.ts     which rows are further items of an order
 */
import { DATE_ORDERS, type DateOrder, orderInZone } from '../../base/date-column.ts';
import { currencyExponent } from '../../contract/currency.ts';
import { bothReadings, type DecimalMark } from '../../contract/number-column.ts';
import type { ColumnFlags } from '../../requests/batch/batch-source.ts';
import { plainName } from '../../requests/batch/engine/columns.ts';
import {
  type InputRow,
  readRows,
  rowOf,
  type TableLine,
} from '../../requests/batch/engine/rows.ts';
import { roleOfName } from './bank-words.ts';
import { Book } from './book.ts';
import type { Extent } from './book-facts.ts';
import type { ColumnForms } from './book-row.ts';
import { type ColumnProfile, profilesOf } from './column-profile.ts';
import { type ColumnRoles, canName, IDS, type OpenQuestion, rolesOf } from './column-roles.ts';
import { type Layout, layoutOf, type Skipped } from './layout.ts';
import { furtherItems } from './order-items.ts';
import type { AskedTable } from './proven-reading.ts';

/** The settings that the user gave for the file. */
export interface FileSettings {
  columns: ColumnFlags;
  decimalMark: DecimalMark | undefined;
  dateOrder: DateOrder | undefined;
}

export interface ReadTable {
  book: Book;
  rows: InputRow[];
  /** The roles of the columns; undefined for a table of the merchant's own, and for JSON. */
  roles?: ColumnRoles | undefined;
  /** Those by which a file of this form is read again without a guess. */
  settings: FileSettings;
  skipped: readonly Skipped[];
  /** The form of the cells of days, if they tell. */
  dayOrder?: DateOrder | undefined;
  /** The order of days that only the time zone tells. */
  orderByZone?: { order: 'dmy' | 'mdy'; zone: string } | undefined;
}

/** A file that can be read in more than one way. */
export interface AskedReading {
  question: OpenQuestion;
  table: AskedTable;
  /** The first and the last day of the rows, `YYYY-MM-DD`. */
  days: Pick<Extent, 'first' | 'last'>;
}

/** Facts of the account and the day. */
export interface ReadingOf {
  settings: FileSettings;
  /** ISO 4217 code of amounts without one. */
  currency: string | undefined;
  /** `YYYY-MM-DD` */
  today: string;
  /** The name of the time zone: where days may be read in two ways, people there write them in one. */
  zone: string;
  /** The table of a statement that is no text with separators; its decimals have a point. */
  statement?: Layout | undefined;
  /** The names of columns that look like references, and of which this ledger knows no cell. */
  unknown?: readonly string[] | undefined;
}

/**
 * @param text of the whole file
 * @returns the rows and how they are read, or the question that is open first
 * @throws Failure usage if a flag names no field, or the text is a JSON array
 */
export function readTable(text: string, of: ReadingOf): ReadTable | AskedReading {
  const { currency, statement, unknown } = of;
  const settings: FileSettings = statement ? { ...of.settings, decimalMark: '.' } : of.settings;
  const { columns } = settings;
  const own = new Book({ currency, columns });
  const isJson = ['{', '['].includes(text.trimStart()[0] ?? '');
  const layout = statement ?? (isJson ? undefined : layoutOf(text, own.columns));
  if (!layout) return { book: own, rows: [...readRows(text, own.columns)], settings, skipped: [] };
  const { header, rows, isOwn } = layout;
  const skipped = [...layout.skipped];
  const exponents = exponentsOf(layout, currency);
  const profiles = profilesOf(header.cells, rows, { ...of, exponentOf: exponents.of });
  const isWhole = exponents.areZero;
  const { mapped } = columns;
  const roles = rolesOf({ profiles, rows, columns: own.columns, mapped, isOwn, isWhole, unknown });
  const isKnown = isOwn || roles.question !== undefined || canName(roles);
  // A row that cannot be read would only lead to a wrong question.
  const isSound = rows.every(({ cells, fault }) => fault === undefined && !isLong(cells, header));
  const orderByZone = decideDays(roles, settings, of.zone);
  const question = isKnown && isSound ? (roles.question ?? questionOf(roles, settings)) : undefined;
  if (question) return { question, ...askedOf(roles, rows) };
  const flags = isKnown ? flagsOf(roles, { columns, isOwn }) : columns;
  const book = new Book({ currency, columns: flags, forms: formsOf(roles, isOwn) });
  book.columns.begin(header);
  const items = isOwn ? new Set() : furtherItems(rows, roles);
  if (items.size > 0)
    skipped.push({
      lines: rows.flatMap((row) => (items.has(row) ? row.line : [])),
      why: 'further items of an order',
    });
  return {
    book,
    rows: rows.filter((row) => !items.has(row)).map((row) => rowOf(book.columns, row)),
    ...(isOwn || !isKnown ? { settings } : { roles, settings: settledBy(roles, settings) }),
    ...{ skipped, orderByZone, dayOrder: dayOrderOf(roles) },
  };
}

/** @returns the cells that may name records, and the days of the rows */
function askedOf(roles: ColumnRoles, rows: readonly TableLine[]): Omit<AskedReading, 'question'> {
  const names = [...columnsOf(roles, NAME_FIELDS), ...roles.texts].map(({ place }) => place);
  const days = columnsOf(roles, DAY_FIELDS).flatMap(({ days, place }) =>
    rows.flatMap(({ cells }) => days.read(cells[place] ?? '') ?? []),
  );
  days.sort();
  return { table: { rows, names }, days: { first: days[0], last: days.at(-1) } };
}

const isLong = (cells: TableLine['cells'], { cells: names }: Layout['header']) =>
  cells.slice(names.length).some((cell) => cell !== '');

/** The decimals of the currencies of a table. */
interface Exponents {
  of(cells: TableLine['cells']): number | undefined;
  /** Whether no currency of the table has decimals. */
  areZero: boolean;
}

function exponentsOf({ header, rows }: Layout, currency: string | undefined): Exponents {
  const place = header.cells.findIndex((name) => roleOfName(name) === 'currency');
  const exponentIn = (code = '') => currencyExponent(code.toUpperCase());
  const usual = exponentIn(currency);
  const of = (cells: TableLine['cells']) => exponentIn(cells[place] || currency);
  const areZero = place === -1 ? usual === 0 : rows.every(({ cells }) => of(cells) === 0);
  return { of, areZero };
}

const NUMBER_FIELDS = ['decimal_amount', 'debit', 'credit', 'amount_refunded'];
const DAY_FIELDS = ['date', 'value_date'];
const NAME_FIELDS = [...IDS, 'reference'];

const columnsOf = ({ fields }: ColumnRoles, names: readonly string[]) =>
  names.flatMap((name) => fields.get(name) ?? []);

/**
 * Lets the settings, then the other columns of the file, and then the zone decide the order of days that a column leaves
 * open.
 * @returns the order, if only the zone tells it
 */
function decideDays(
  roles: ColumnRoles,
  { dateOrder }: FileSettings,
  zone: string,
): ReadTable['orderByZone'] {
  const days = columnsOf(roles, DAY_FIELDS);
  const orders = new Set(days.flatMap((column) => column.days.order ?? []));
  const open = () => days.filter((column) => column.days.open !== undefined);
  for (const order of [dateOrder ?? [], orders.size === 1 ? [...orders] : []].flat())
    for (const column of open()) column.days.decide(order);
  const left = open();
  const order = orderInZone(zone);
  if (left.length === 0 || order === undefined) return undefined;
  for (const column of left) column.days.decide(order);
  return open().length < left.length ? { order, zone } : undefined;
}

/** Lets the settings, and then the other columns of the file, decide the decimals that a column leaves open. */
function questionOf(roles: ColumnRoles, settings: FileSettings): OpenQuestion | undefined {
  const numbers = columnsOf(roles, NUMBER_FIELDS);
  const others = roles.aside.flatMap(({ column }) => (column.areDecimals ? column : []));
  const marks = new Set([...numbers, ...others].flatMap((column) => column.numbers.mark ?? []));
  for (const column of numbers) {
    const { decimalMark = marks.size === 1 ? [...marks][0] : undefined } = settings;
    if (decimalMark !== undefined && (settings.decimalMark || column.numbers.open !== undefined))
      column.numbers.decide(decimalMark);
  }
  const open = numbers.find((column) => column.numbers.open !== undefined);
  if (open) return markQuestion(open);
  const openDay = columnsOf(roles, DAY_FIELDS).find((column) => column.days.open !== undefined);
  return openDay && orderQuestion(openDay);
}

const MARK_NAMES = { '.': 'point', ',': 'comma' } as const;

function markQuestion({ name, numbers }: ColumnProfile): OpenQuestion {
  const cell = numbers.open ?? '';
  const readings = bothReadings(cell).map(({ mark, decimal }) => [decimal, MARK_NAMES[mark]]);
  return readingQuestion({ name, cell, flag: 'decimal-mark' }, readings);
}

function orderQuestion({ name, days }: ColumnProfile): OpenQuestion {
  const cell = days.open ?? '';
  const readings = days.readings(cell).map(({ order, day }) => [day, order]);
  return readingQuestion({ name, cell, flag: 'date-order' }, readings);
}

/** @param readings what the cell may be, each with the value of the flag */
function readingQuestion(
  { name, cell, flag }: { name: string; cell: string; flag: string },
  readings: readonly string[][],
): OpenQuestion {
  const meant = readings.map(([meaning]) => meaning).join(' or ');
  return {
    what: `${JSON.stringify(cell)} in the column ${JSON.stringify(name)} may be ${meant}`,
    choices: readings.map(([meaning, value = '']) => ({
      label: `${cell} is ${meaning}`,
      flag: [flag, value],
    })),
  };
}

/** @returns the columns of every field as the user would have given them, and all others left out */
function flagsOf(
  { fields, texts, aside }: ColumnRoles,
  { columns, isOwn }: { columns: ColumnFlags; isOwn: boolean },
): ColumnFlags {
  const named = [...fields].map(([field, { name }]) => [field, name] as const);
  if (isOwn) {
    const amount = fields.get('decimal_amount');
    const isRenamed = amount !== undefined && !columns.mapped.has('decimal_amount');
    return isRenamed
      ? { ...columns, mapped: new Map([...columns.mapped, ['decimal_amount', amount.name]]) }
      : columns;
  }
  const others = [...texts, ...aside.map(({ column }) => column)].map(({ name }) => name);
  return {
    mapped: new Map([...columns.mapped, ...named]),
    ignored: [...columns.ignored, ...others],
  };
}

function formsOf(roles: ColumnRoles, isOwn: boolean): ColumnForms {
  const ofFields = <Form>(names: readonly string[], form: (column: ColumnProfile) => Form) =>
    new Map(
      names.flatMap((name) => {
        const column = roles.fields.get(name);
        return column ? [[name, form(column)] as const] : [];
      }),
    );
  return {
    numbers: ofFields(NUMBER_FIELDS, ({ numbers }) => numbers),
    dates: ofFields(DAY_FIELDS, ({ days }) => days),
    texts: roles.texts.map(({ place }) => place),
    isForeign: !isOwn,
    hasNames: !isOwn && columnsOf(roles, NAME_FIELDS).some(({ isBlank }) => !isBlank),
    areRefunds: roles.fields.get('decimal_amount')?.role === 'refunded',
    creditsAreRefunds: roles.creditsAreRefunds,
  };
}

function dayOrderOf(roles: ColumnRoles): DateOrder | undefined {
  return columnsOf(roles, DAY_FIELDS).find(({ days }) => days.order !== undefined)?.days.order;
}

/** @returns the settings by which a file of this form is read again without a guess */
function settledBy(roles: ColumnRoles, { columns }: FileSettings): FileSettings {
  const [mark] = columnsOf(roles, NUMBER_FIELDS).flatMap(({ numbers }) => numbers.mark ?? []);
  const order = dayOrderOf(roles);
  const mapped = new Map([...roles.fields].map(([field, { name }]) => [field, name]));
  return { columns: { ...columns, mapped }, decimalMark: mark, dateOrder: order };
}

/** @returns the columns of ids and of references, if the latter are taken for references beside ids, and nobody said so */
export function guessedReference(
  { roles }: ReadTable,
  { columns }: FileSettings,
): { id: ColumnProfile; reference: ColumnProfile } | undefined {
  const [id] = roles ? columnsOf(roles, IDS) : [];
  const reference = roles?.fields.get('reference');
  const isSaid =
    columns.mapped.has('reference') || plainName(reference?.name ?? '') === 'reference';
  return id && reference && !isSaid ? { id, reference } : undefined;
}

/** @returns the settings with the answer to a question */
export function withFlag(
  settings: FileSettings,
  [flag, value]: OpenQuestion['choices'][0]['flag'],
): FileSettings {
  const { mapped, ignored } = settings.columns;
  if (flag === 'decimal-mark') return { ...settings, decimalMark: markNamed(value) };
  if (flag === 'date-order') return { ...settings, dateOrder: orderNamed(value) };
  if (flag === 'ignore-columns')
    return { ...settings, columns: { mapped, ignored: [...ignored, value] } };
  const [field = '', ...column] = value.split('=');
  return {
    ...settings,
    columns: { ignored, mapped: new Map([...mapped, [field, column.join('=')]]) },
  };
}

/** @param name `point` or `comma` */
export function markNamed(name: string | undefined): DecimalMark | undefined {
  return name === undefined ? undefined : name === 'point' ? '.' : ',';
}

export function orderNamed(name: string | undefined): DateOrder | undefined {
  return DATE_ORDERS.find((order) => order === name);
}
