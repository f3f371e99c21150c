/**
 * A prepared statement: values in, rows out.
 *
 * Rows arrive as arrays, and this class makes objects of them. The package can make objects itself. But it sets each
 * column through N-API under a newly created name, which costs more than the rest of reading a row.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { SqlStatement, SqlValue } from '../sql.ts';
import { fromStored, toStored, type Value } from '../stored-text.ts';

type Values = SqlStatement['values'];

export class Statement {
  readonly #statement: StatementSyncInstance;
  /** Names of the parameters in order; empty if they are `?`. */
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
    if (isList(values)) return values.map((value) => toStored(inFile(value)));
    return this.#parameters.map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for the parameter ${name}`);
      return toStored(inFile(value));
    });
  }
}

function isList(values: Values): values is readonly SqlValue[] {
  return Array.isArray(values);
}

/** Converts a value for a file, which has no booleans and no lists. */
function inFile(value: SqlValue): Value {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value.map(toStored)) : (value as Value);
}
