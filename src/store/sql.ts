/**
 * One SQL for both stores, for the index, erasing and totals; money requests are in the SQL of each engine (src/journal).
 * A piece of work is a generator: it yields statements and gets their answers. The engine that runs it decides how: the
 * file's at once, inside one synchronous transaction; the server's over its connection.
 *
 *     function* nameOf(id: string): Work<string | undefined> {
 *       const row = yield* get<{ name: string }>('SELECT name FROM gw.people WHERE id = :id', { id });
 *       return row?.name;
 *     }
 *
 * Statements are PostgreSQL's. Every table is `gw.NAME` and every value a `:name`. What
 * SQLite says in another way is translated when a statement is prepared: `sqlite/from-postgres.ts` has the list, and
 * `postgres/named-values.ts` has what the server needs. Where the stores differ in more than words, such
 * as full text, ask `engine()`.
 */
import { invariant } from '../failure.ts';

/** `boolean` is 0 or 1 in a file; a list is for `= ANY (:name)`. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly number[];

/** By the names of parameters or columns. */
export type SqlValues = Readonly<Record<string, SqlValue>>;

export interface SqlStatement {
  text: string;
  /** By name; or a list in the order of the parameters, each of which the text has once. */
  values: SqlValues | readonly SqlValue[];
  /** What the answer has to have: without rows and counts a statement is cheaper. */
  wants: 'rows' | 'count' | 'nothing' | 'engine';
}

export interface SqlAnswer {
  /** As the SQL selects them; none where they were not wanted. */
  rows: readonly object[];
  /** How many rows it inserted, changed or deleted; 0 where that was not wanted. */
  count: number;
  /** Where it is asked for: which store it is. */
  said: string;
}

export const NOTHING: SqlAnswer = { rows: [], count: 0, said: '' };

export type Engine = 'sqlite' | 'postgres';

/** Done in one transaction, or on one snapshot. It may be done again, so it changes nothing but rows. */
export type Work<Result> = Generator<SqlStatement, Result, SqlAnswer>;

/** A store that work is done in. */
export interface SqlStore {
  /** @param work must not write. @throws Failure guard when the store cannot be used */
  read<Result>(work: () => Work<Result>): Promise<Result>;
  /**
   * All that `work` writes is kept, or nothing of it.
   * @param options `isDurable`: it is on disk when this resolves; what a server keeps always is
   * @throws as `read`, and what `work` throws
   */
  write<Result>(work: () => Work<Result>, options?: { isDurable?: boolean }): Promise<Result>;
  close(): Promise<void>;
}

/** @returns the rows. The row type is what the SQL selects */
export function* all<Row extends object>(text: string, values: SqlValues = {}): Work<Row[]> {
  const { rows } = yield { text, values, wants: 'rows' };
  return rows as Row[];
}

/** @returns the first row, or undefined */
export function* get<Row extends object>(
  text: string,
  values: SqlValues = {},
): Work<Row | undefined> {
  const { rows } = yield { text, values, wants: 'rows' };
  return rows[0] as Row | undefined;
}

/** @returns the row of a query that always has one: a count, a sum */
export function* one<Row extends object>(text: string, values: SqlValues = {}): Work<Row> {
  const row = yield* get<Row>(text, values);
  invariant(row, `no row of ${text}`);
  return row;
}

export function* runSql(text: string, values: SqlStatement['values'] = {}): Work<void> {
  yield { text, values, wants: 'nothing' };
}

/** @returns how many rows it inserted, changed or deleted */
export function* change(text: string, values: SqlStatement['values'] = {}): Work<number> {
  const { count } = yield { text, values, wants: 'count' };
  return count;
}

const ENGINE: SqlStatement = { text: '', values: [], wants: 'engine' };

/** @returns which store runs the work, for what no one SQL says */
export function* engine(): Work<Engine> {
  const { said } = yield ENGINE;
  return said as Engine;
}

/**
 * @param row values by column; the other columns get their defaults
 * @param onConflict the statement's clause for a row that is there already
 */
export function* insert(table: string, row: SqlValues, onConflict = ''): Work<void> {
  const columns = Object.keys(row);
  yield* runSql(insertion(table, columns, 1, onConflict), placed(columns, [row]));
}

/** More than these in a statement of a file gain little, and each number of them is a statement of its own. */
const ROWS_AT_ONCE = 10;
/** A server is far away; a statement of it takes 65,535 values. */
const VALUES_AT_ONCE = 20_000;

/** As `insert`, rows of the same columns in their order: several in a statement cost less than one in each. */
export function* insertAll(table: string, rows: readonly SqlValues[], onConflict = ''): Work<void> {
  const columns = Object.keys(rows[0] ?? {});
  const isFar = rows.length > 1 && (yield* engine()) === 'postgres';
  const most = isFar ? Math.floor(VALUES_AT_ONCE / columns.length) : ROWS_AT_ONCE;
  let next = 0;
  for (; isFar ? next < rows.length : next + most <= rows.length; next += most) {
    const some = rows.slice(next, next + most);
    yield* runSql(insertion(table, columns, some.length, onConflict), placed(columns, some));
  }
  for (const row of rows.slice(next)) yield* insert(table, row, onConflict);
}

/**
 * @param changes new values by column
 * @param where the columns that tell the rows, by equality
 * @returns how many rows were changed
 */
export function* update(table: string, changes: SqlValues, where: SqlValues): Work<number> {
  const equal = (names: SqlValues, mark: string) =>
    Object.keys(names).map((name) => `${name} = :${mark}_${name}`);
  const text = `UPDATE gw.${table} SET ${equal(changes, 'new')} WHERE ${equal(where, 'old').join(' AND ')}`;
  return yield* change(text, { ...marked(changes, 'new'), ...marked(where, 'old') });
}

function insertion(
  table: string,
  columns: readonly string[],
  rows: number,
  onConflict: string,
): string {
  const values = Array.from({ length: rows }, (_, n) => `(${columns.map((c) => `:r${n}_${c}`)})`);
  return `INSERT INTO gw.${table} (${columns}) VALUES ${values} ${onConflict}`;
}

/** @returns the values of an insertion in the order of its parameters */
function placed(columns: readonly string[], rows: readonly SqlValues[]): SqlValue[] {
  return rows.flatMap((row) =>
    columns.map((name) => {
      const value = row[name];
      if (value === undefined) throw new Error(`no value for ${name}`);
      return value;
    }),
  );
}

function marked(values: SqlValues, mark: string): SqlValues {
  return Object.fromEntries(Object.entries(values).map(([name, v]) => [`${mark}_${name}`, v]));
}

/** What it is called that work has met another's; it has changed nothing then. */
export const MET_CODE = 'ledger-met';
