/**
 * Runs work (store/sql.ts) inside a transaction of a database. A statement is prepared when first used, because a process
 * may need only one or two, and is then kept.
 *
 *     queries.do(get('SELECT * FROM plans WHERE merchant = ? AND id = ?', [prefix, id]))
 *
 * A statement takes values and gives rows. Rows arrive as arrays, and gw makes objects of them. The package can make
 * objects itself. But it sets each column through N-API under a newly created name, which costs more than the rest of
 * reading a row.
 *
 * Tests: test/unit/store/sqlite/queries.test.ts, test/unit/store/sqlite/database.test.ts
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import {
  EMPTY_ANSWER,
  type Engine,
  fromStored,
  type SqlAnswer,
  type SqlStatement,
  type SqlValue,
  toStored,
  type Value,
  type Work,
} from '../sql.ts';

const IN_FILE: SqlAnswer = { ...EMPTY_ANSWER, said: 'sqlite' satisfies Engine };

export class Queries {
  readonly #connection: DatabaseSyncInstance;
  /** Prepared statements by their text. */
  readonly #statements: Map<string, Statement>;

  /** @param of a connection, or other queries of the same connection, to share their statements */
  constructor(of: DatabaseSyncInstance | Queries) {
    const isShared = of instanceof Queries;
    this.#connection = isShared ? of.#connection : of;
    this.#statements = isShared ? of.#statements : new Map();
  }

  /** @returns what the work returns */
  do<Result>(work: Work<Result>): Result {
    let step = work.next(EMPTY_ANSWER);
    while (!step.done) step = work.next(this.#answer(step.value));
    return step.value;
  }

  #answer({ text, values, wants }: SqlStatement): SqlAnswer {
    if (wants === 'engine') return IN_FILE;
    const statement = this.#prepared(text);
    if (wants === 'rows') return { rows: statement.all(values), count: 0, said: '' };
    if (wants === 'count') return { rows: [], count: statement.change(values), said: '' };
    if (wants === 'row') {
      const row = statement.get(values);
      return row ? { rows: [row], count: 0, said: '' } : EMPTY_ANSWER;
    }
    statement.run(values);
    return EMPTY_ANSWER;
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#connection, fromPostgres(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Translates a statement for both stores (store/sql.ts) to SQLite. It translates only:
 *
 *   gw.NAME                    NAME: a file has nothing but the ledger
 *   = ANY (:names)             IN (SELECT value FROM json_each(:names)): a list is bound as JSON
 *   json_array_elements_text(x) AS t (value)
 *                              json_each(x) AS t: the rows of a list bound as JSON, or of a column
 *   (x = :y OR x IS NULL AND :y::type IS NULL)
 *                              x IS :y: an index of the server supports nothing shorter
 *   x::type                    x: SQLite's values carry their types, whatever the column's type
 *   now()                      :now, which the caller must give: a file has no clock of its own
 *   FOR UPDATE                 nothing: a file has one writer at a time
 *   comments                   a comment that begins with `sqlite` becomes SQL, such as INDEXED BY
 *
 * In the other direction, PostgreSQL reads `rowid`, the order in which rows were written, from its column `number`.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\/\*sqlite ([^*]+)\*\//g, '$1'],
  [/\bgw\.(?=[a-z_])/g, ''],
  [/= ANY \((:\w+)\)/g, 'IN (SELECT value FROM json_each($1))'],
  [/\((\w+) = (:\w+) OR \1 IS NULL AND \2::\w+ IS NULL\)/g, '$1 IS $2'],
  [/::[a-z0-9]+(?:\[\])?/g, ''],
  [
    /(?:\bLATERAL )?\bjson_array_elements_text\(([:.\w]+)\) AS (\w+) \(value\)/g,
    'json_each($1) AS $2',
  ],
  [/\bnow\(\)/g, ':now'],
  [/\bFOR UPDATE\b/g, ''],
];

/** @param text must not contain one of the forms inside a text literal */
export function fromPostgres(text: string): string {
  return FORMS.reduce((sql, [form, here]) => sql.replace(form, here), text);
}

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
