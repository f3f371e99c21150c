/**
 * A prepared statement: values in, rows out.
 *
 * Rows arrive as arrays, and this class makes objects of them. The package can make objects itself. But it sets each
 * column through N-API under a newly created name, which costs more than the rest of reading a row.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { SqlStatement, SqlValue } from '../sql.ts';
import { fromStored, toStored, type Value } from '../stored-text.ts';

/** Values by the names of their columns or parameters. */
export type Columns = Readonly<Record<string, Value>>;
export type Values = readonly Value[] | readonly [SqlStatement['values']];

export class Statement {
  readonly #statement: StatementSyncInstance;
  /** Names of the parameters in order; empty if values are bound by position. */
  readonly #parameters: readonly string[];
  /** Names of the columns, read with the first row. */
  #columns: readonly string[] | undefined;

  /** @param sql its parameters must be all `?`, or all `:name` */
  constructor(connection: DatabaseSyncInstance, sql: string) {
    const parameters: string[] = [];
    // SQLite accepts names too, but it binds a missing value as NULL, and binds more slowly.
    const placed = sql.replace(/:([a-z]\w*)/gi, (_, name: string) => {
      parameters.push(name);
      return '?';
    });
    this.#statement = connection.prepare(placed);
    this.#statement.setReturnArrays(true);
    this.#parameters = parameters;
  }

  /** @returns the first row, or undefined */
  get<Row extends object>(values: Values): Row | undefined {
    const given: readonly unknown[] | undefined = this.#statement.get(...this.#bound(values));
    return given && (this.#rowOf(given) as Row);
  }

  all<Row extends object>(values: Values): Row[] {
    const given: readonly unknown[][] = this.#statement.all(...this.#bound(values));
    return given.map((row) => this.#rowOf(row) as Row);
  }

  /** Runs a statement that returns no rows. `get` does so without creating an object that describes the changes. */
  run(values: Values): void {
    this.#statement.get(...this.#bound(values));
  }

  /** Runs a statement that returns no rows. @returns how many rows it inserted, changed or deleted */
  change(values: Values): number {
    return this.#statement.run(...this.#bound(values)).changes;
  }

  /** Runs a statement that inserts one row. @returns its row number */
  insert(values: Values): number {
    return Number(this.#statement.run(...this.#bound(values)).lastInsertRowid);
  }

  #rowOf(given: readonly unknown[]): object {
    this.#columns ??= this.#statement.columns().map(({ name }) => name);
    const row: Record<string, unknown> = {};
    this.#columns.forEach((name, i) => {
      const value = given[i];
      row[name] = typeof value === 'string' ? fromStored(value) : value;
    });
    return row;
  }

  #bound(values: Values): Value[] {
    if (this.#parameters.length === 0) return (values as readonly Value[]).map(toStored);
    const [given] = values as readonly [SqlStatement['values']];
    if (isList(given)) return given.map((value) => toStored(inFile(value)));
    return this.#parameters.map((name) => {
      const value = given[name];
      if (value === undefined) throw new Error(`no value for the parameter ${name}`);
      return toStored(inFile(value));
    });
  }
}

function isList(values: SqlStatement['values']): values is readonly SqlValue[] {
  return Array.isArray(values);
}

/** Converts a value for a file, which has no booleans and no lists. */
function inFile(value: SqlValue): Value {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value.map(toStored)) : (value as Value);
}
