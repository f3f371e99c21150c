/**
 * One SQL for both stores. A piece of work is a generator: it yields statements and receives their answers. The engine
 * decides how to run it. The file runs it in one synchronous transaction; the server runs it over its connection.
 *
 *     function* nameOf(id: string): Work<string | undefined> {
 *       const row = yield* get<{ name: string }>('SELECT name FROM gw.people WHERE id = :id', { id });
 *       return row?.name;
 *     }
 *
 * Statements for both stores are in PostgreSQL's dialect. Every table is `gw.NAME` and every value a `:name`. gw
 * translates a statement for SQLite when it prepares it. `sqlite/queries.ts` lists the differences, and
 * `postgres/work.ts` has what the server needs. Where the stores differ in more than words, such as full text, ask
 * `engine()`. A statement that only a file runs, as in the test gateway, may be SQLite's and have a `?` for each value.
 */
import { invariant } from '../failure.ts';

/** In a file, a `boolean` becomes 0 or 1. A list is for `= ANY (:name)`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly number[];

/** Values by the name of a parameter or column. */
export type SqlValues = Readonly<Record<string, SqlValue>>;

/** A statement as the arguments of `allRows`, `runSql` and their like. */
export type SqlQuery = readonly [text: string, values: SqlStatement['values']];

export interface SqlStatement {
  text: string;
  /** By name, or a list in the order of the parameters (`:name`, in a file also `?`), each of which occurs once. */
  values: SqlValues | readonly SqlValue[];
  /** The wanted part of the answer. A statement is cheaper without rows and counts. */
  wants: 'rows' | 'row' | 'count' | 'nothing' | 'engine';
}

export interface SqlAnswer {
  /** The rows selected; empty if not wanted. */
  rows: readonly object[];
  /** Number of rows inserted, changed or deleted; 0 if not wanted. */
  count: number;
  /** Name of the engine, if wanted. */
  said: string;
}

export const EMPTY_ANSWER: SqlAnswer = { rows: [], count: 0, said: '' };

export type Engine = 'sqlite' | 'postgres';

/** Runs in one transaction, or on one snapshot. It may run twice, so it must change nothing but rows. */
export type Work<Result> = Generator<SqlStatement, Result, SqlAnswer>;

export interface Durability {
  /** Whether the write must be on disk before it resolves; a server's commits always are. */
  isDurable?: boolean;
}

/** A store that runs work. */
export interface SqlStore {
  /**
   * @param work must not write
   * @throws Failure guard if the store cannot be used
   */
  read<Result>(work: () => Work<Result>): Promise<Result>;
  /**
   * Keeps everything that `work` writes, or nothing.
   * @throws what `read` throws, and what `work` throws
   */
  write<Result>(work: () => Work<Result>, durability?: Durability): Promise<Result>;
  close(): Promise<void>;
}

/** @returns the rows, with the columns that the SQL selects */
export function* allRows<Row extends object>(
  text: string,
  values: SqlStatement['values'] = {},
): Work<Row[]> {
  const { rows } = yield { text, values, wants: 'rows' };
  return rows as Row[];
}

/** @returns the first row, or undefined */
export function* firstRow<Row extends object>(
  text: string,
  values: SqlStatement['values'] = {},
): Work<Row | undefined> {
  const { rows } = yield { text, values, wants: 'row' };
  return rows[0] as Row | undefined;
}

/** @returns the row of a query that always has one, such as a count or a sum */
export function* onlyRow<Row extends object>(
  text: string,
  values: SqlStatement['values'] = {},
): Work<Row> {
  const row = yield* firstRow<Row>(text, values);
  invariant(row, `no row of ${text}`);
  return row;
}

export function* runSql(text: string, values: SqlStatement['values'] = {}): Work<void> {
  yield { text, values, wants: 'nothing' };
}

/** @returns how many rows the statement inserted, changed or deleted */
export function* change(text: string, values: SqlStatement['values'] = {}): Work<number> {
  const { count } = yield { text, values, wants: 'count' };
  return count;
}

const ENGINE: SqlStatement = { text: '', values: [], wants: 'engine' };

/** @returns which store runs the work, for cases where the SQL must differ */
export function* engine(): Work<Engine> {
  const { said } = yield ENGINE;
  return said as Engine;
}

/**
 * @param row values by column; other columns get their defaults
 * @param onConflict clause for a row that already exists
 */
export function* insert(table: string, row: SqlValues, onConflict = ''): Work<void> {
  const columns = Object.keys(row);
  yield* runSql(insertion(table, columns, 1, onConflict), orderedValues(columns, [row]));
}

/** @returns the id that the store gives to the new row */
export function* insertedId(table: string, row: SqlValues): Work<number> {
  const columns = Object.keys(row);
  const text = insertion(table, columns, 1, 'RETURNING id');
  return (yield* onlyRow<{ id: number }>(text, orderedValues(columns, [row]))).id;
}

/** For a file, longer statements gain little, and each row count is a separate prepared statement. */
const ROWS_AT_ONCE = 10;
/** A server is far away, and one statement takes at most 65,535 values. */
const VALUES_AT_ONCE = 20_000;

/** Inserts rows with the same columns, in order. Several rows in one statement cost less than one statement each. */
export function* insertAll(table: string, rows: readonly SqlValues[], onConflict = ''): Work<void> {
  const columns = Object.keys(rows[0] ?? {});
  const isFar = rows.length > 1 && (yield* engine()) === 'postgres';
  const most = isFar ? Math.floor(VALUES_AT_ONCE / columns.length) : ROWS_AT_ONCE;
  const text = insertion(table, columns, Math.min(most, rows.length), onConflict);
  let next = 0;
  for (; next + most <= rows.length; next += most)
    yield* runSql(text, orderedValues(columns, rows.slice(next, next + most)));
  if (isFar && next < rows.length) {
    const rest = rows.slice(next);
    return yield* runSql(
      insertion(table, columns, rest.length, onConflict),
      orderedValues(columns, rest),
    );
  }
  for (const row of rows.slice(next)) yield* insert(table, row, onConflict);
}

/**
 * @param changes new values by column
 * @param where values that the columns of a row must equal
 * @returns how many rows were changed
 */
export function* update(table: string, changes: SqlValues, where: SqlValues): Work<number> {
  const equal = (names: SqlValues, mark: string) =>
    Object.keys(names).map((name) => `${name} = :${mark}_${name}`);
  const text = `UPDATE gw.${table} SET ${equal(changes, 'new')} WHERE ${equal(where, 'old').join(' AND ')}`;
  return yield* change(text, [...Object.values(changes), ...Object.values(where)]);
}

function insertion(
  table: string,
  columns: readonly string[],
  rows: number,
  onConflict: string,
): string {
  const values = Array.from({ length: rows }, (_, n) => `(:${columns.join(`_${n}, :`)}_${n})`);
  return `INSERT INTO gw.${table} (${columns}) VALUES ${values} ${onConflict}`;
}

/** @returns the values of an insertion in the order of its parameters */
function orderedValues(columns: readonly string[], rows: readonly SqlValues[]): SqlValue[] {
  return rows.flatMap((row) =>
    columns.map((name) => {
      const value = row[name];
      if (value === undefined) throw new Error(`no value for ${name}`);
      return value;
    }),
  );
}

/** Code of the failure when work conflicts with other work. Nothing was changed. */
export const CONFLICT_CODE = 'ledger-met';

/**
 * Marks a text that is stored as JSON, so that nothing of it is lost. SQLite's text ends at the first NUL, and half a
 * surrogate pair has no UTF-8 form. A text with either is stored so, and one that starts with the mark. Each text has
 * exactly one stored form, so equality in SQL is equality of texts.
 */
const MARK = '\u0001json:';
const MARK_CODE = MARK.charCodeAt(0);

/** A column's value, or a statement's. */
export type Value = string | number | null | Uint8Array;

export function toStored(value: Value): Value {
  if (typeof value !== 'string') return value;
  const isUnsafe = value.includes('\0') || !value.isWellFormed() || value.startsWith(MARK);
  return isUnsafe ? MARK + JSON.stringify(value) : value;
}

/** A text after the mark that is not JSON is returned unchanged. */
export function fromStored(text: string): string {
  // A file has many texts and the mark is rare. One character tells most texts from it.
  if (text.charCodeAt(0) !== MARK_CODE || !text.startsWith(MARK)) return text;
  try {
    const value: unknown = JSON.parse(text.slice(MARK.length));
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
