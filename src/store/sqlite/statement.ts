/**
 * A prepared statement: values in, rows out.
 *
 * Rows come as arrays and become objects here. The package can make objects itself, but sets each column
 * through N-API under a name that it makes anew, which costs more than all the rest of reading a row. For
 * the first few rows that is cheaper still than to ask for the names of the columns.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { SqlStatement, SqlValue } from '../sql.ts';
import { fromStored, toStored, type Value } from '../stored-text.ts';

/** Values by the names of their columns or parameters. */
export type Columns = Readonly<Record<string, Value>>;
export type Values = readonly Value[] | readonly [SqlStatement['values']];

/** A row as the package gives it: values in the order of the columns, or by their names. */
type Given = readonly unknown[] | Readonly<Record<string, unknown>>;

/** What the names of the columns cost, in rows. */
const WORTH_THE_NAMES = 5;
/** One of all columns has others after a migration by a newer gw, so they are read with each row. */
const OF_ALL_COLUMNS = /(?<!count\()\*/i;

export class Statement {
  readonly #statement: StatementSyncInstance;
  /** Names of the parameters, in their order; none where they are bound by place. */
  readonly #parameters: readonly string[];
  readonly #hasNames: boolean;
  /** Whether what it takes of a list is its one value. */
  readonly #takesOne: boolean;
  /** Whether one of its parameters is `:store_time`. */
  readonly takesTime: boolean;
  /** How many rows it has given. */
  #given = 0;
  #maker: RowMaker | undefined;

  /**
   * @param sql its parameters are all `?`, or all `:name`
   * @param takesOne its lists have one value each, which it takes as that
   */
  constructor(connection: DatabaseSyncInstance, sql: string, takesOne = false) {
    const parameters: string[] = [];
    // SQLite takes names too, but makes NULL of one that is not given, and binds them slower.
    const placed = sql.replace(/:([a-z]\w*)/gi, (_, name: string) => {
      parameters.push(name);
      return '?';
    });
    this.#statement = connection.prepare(placed);
    this.#parameters = parameters;
    this.#takesOne = takesOne;
    this.takesTime = parameters.includes('store_time');
    this.#hasNames = !OF_ALL_COLUMNS.test(sql);
  }

  /** @returns the first row, or undefined */
  get<Row extends object>(values: Values): Row | undefined {
    const RowOfValues = this.#rowMaker();
    const given: Given | undefined = this.#statement.get(...this.#bound(values));
    if (!given) return undefined;
    this.#given++;
    return (RowOfValues ? new RowOfValues(given as readonly unknown[]) : copied(given)) as Row;
  }

  all<Row extends object>(values: Values): Row[] {
    const RowOfValues = this.#rowMaker();
    const given: Given[] = this.#statement.all(...this.#bound(values));
    this.#given += given.length;
    const rows = RowOfValues
      ? given.map((row) => new RowOfValues(row as readonly unknown[]))
      : given.map(copied);
    return rows as Row[];
  }

  /** Runs one that gives no rows: `get` does that without an object of what was changed. */
  run(values: Values): void {
    this.#statement.get(...this.#bound(values));
  }

  /** As `run`. @returns how many rows it inserted, changed or deleted */
  change(values: Values): number {
    return this.#statement.run(...this.#bound(values)).changes;
  }

  /** @returns what makes objects of rows that are arrays from now on, once that is worth it */
  #rowMaker(): RowMaker | undefined {
    if (!this.#maker && this.#hasNames && this.#given >= WORTH_THE_NAMES) {
      this.#statement.setReturnArrays(true);
      this.#maker = rowMaker(this.#statement.columns().map(({ name }) => name));
    }
    return this.#maker;
  }

  #bound(values: Values): Value[] {
    if (this.#parameters.length === 0) return (values as readonly Value[]).map(toStored);
    const [given] = values as readonly [SqlStatement['values']];
    if (isList(given)) return given.map((value) => toStored(inFile(value)));
    return this.#parameters.map((name) => {
      const value = given[name];
      if (value === undefined) throw new Error(`no value for the parameter ${name}`);
      return toStored(inFile(this.#takesOne && Array.isArray(value) ? value[0] : value));
    });
  }
}

function isList(values: SqlStatement['values']): values is readonly SqlValue[] {
  return Array.isArray(values);
}

/** A file has no booleans and no lists. */
function inFile(value: SqlValue): Value {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value.map(toStored)) : (value as Value);
}

type RowMaker = new (values: readonly unknown[]) => object;

/**
 * A constructor for each statement, so that its rows have a hidden class of their own, with room for all
 * columns: a literal that gets more than a dozen becomes a hash table.
 */
function rowMaker(names: readonly string[]): RowMaker {
  function Row(this: Record<string, unknown>, values: readonly unknown[]): void {
    for (let i = 0; i < names.length; i++) this[names[i] as string] = decoded(values[i]);
  }
  Row.prototype = Object.prototype;
  return Row as unknown as RowMaker;
}

/** A new object, since those that the package makes are slow to read. */
function copied(row: Given): object {
  const copy: Record<string, unknown> = {};
  for (const column in row) copy[column] = decoded((row as Record<string, unknown>)[column]);
  return copy;
}

function decoded(value: unknown): unknown {
  return typeof value === 'string' ? fromStored(value) : value;
}
