/**
 * Runs statements inside a transaction of a database.
 *
 * A statement is prepared when first used, because a process may need only one or two, and is then kept. Bind up to
 * three values in the order of their `?`; give more than three names:
 *
 *     get('SELECT * FROM plans WHERE merchant = ? AND id = ?', prefix, id)
 *     get('SELECT … WHERE target = :target AND amount = :amount …', { target, amount, … })
 *
 * Tests: test/unit/store/sqlite/database.test.ts, test/unit/journal/sqlite/sqlite-ledger.test.ts
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { invariant } from '../../failure.ts';
import { type Engine, NOTHING, type SqlAnswer, type SqlStatement, type Work } from '../sql.ts';
import type { Value } from '../stored-text.ts';
import { fromPostgres } from './from-postgres.ts';
import { type Columns, Statement, type Values } from './statement.ts';

export type { Columns } from './statement.ts';

/** More rows per statement gain little. */
const ROWS_AT_ONCE = 10;

const IN_FILE: SqlAnswer = { ...NOTHING, said: 'sqlite' satisfies Engine };

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

  /** @returns the first row, or undefined */
  get<Row extends object>(sql: string, ...values: Values): Row | undefined {
    return this.#prepared(sql).get<Row>(values);
  }

  /** @returns the row of a query that always has one, such as a count or a sum */
  one<Row extends object>(sql: string, ...values: Values): Row {
    const row = this.get<Row>(sql, ...values);
    invariant(row, `no row of ${sql}`);
    return row;
  }

  all<Row extends object>(sql: string, ...values: Values): Row[] {
    return this.#prepared(sql).all<Row>(values);
  }

  /** @returns how many rows the statement inserted, changed or deleted */
  change(sql: string, ...values: Values): number {
    return this.#prepared(sql).change(values);
  }

  run(sql: string, ...values: Values): void {
    this.#prepared(sql).run(values);
  }

  /** Runs a statement that inserts one row. @returns its row number */
  append(sql: string, ...values: Values): number {
    return this.#prepared(sql).insert(values);
  }

  /**
   * @param row values by column; other columns get their defaults
   * @param onConflict clause for a row that already exists
   * @returns the number of the new row
   */
  insert(table: string, row: Columns, onConflict = ''): number {
    const columns = Object.keys(row);
    return this.append(insertion(1, table, columns, onConflict), ...Object.values(row));
  }

  /** Inserts rows with the same columns, in order. Several rows in one statement cost less than one statement each. */
  insertAll(table: string, rows: readonly Columns[]): void {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    let next = 0;
    for (; next + ROWS_AT_ONCE <= rows.length; next += ROWS_AT_ONCE) {
      const values = rows.slice(next, next + ROWS_AT_ONCE).flatMap(Object.values<Value>);
      this.#prepared(insertion(ROWS_AT_ONCE, table, columns, '')).run(values);
    }
    for (const row of rows.slice(next)) this.insert(table, row);
  }

  /**
   * @param changes new values by column
   * @param where values that the columns of a row must equal
   */
  update(table: string, changes: Columns, where: Columns): void {
    const equal = (names: Columns) => Object.keys(names).map((name) => `${name} = ?`);
    const sql = `UPDATE ${table} SET ${equal(changes)} WHERE ${equal(where).join(' AND ')}`;
    this.#prepared(sql).run([...Object.values(changes), ...Object.values(where)]);
  }

  /** Runs work written for both stores (store/sql.ts). */
  do<Result>(work: Work<Result>): Result {
    let step = work.next(NOTHING);
    while (!step.done) step = work.next(this.#answer(step.value));
    return step.value;
  }

  #answer({ text, values, wants }: SqlStatement): SqlAnswer {
    if (wants === 'engine') return IN_FILE;
    const statement = this.#prepared(text);
    const given = [values] as const;
    if (wants === 'rows') return { rows: statement.all(given), count: 0, said: '' };
    if (wants === 'count') return { rows: [], count: statement.change(given), said: '' };
    statement.run(given);
    return NOTHING;
  }

  /** @returns how many rows the last `run`, `insert` or `update` inserted, changed or deleted */
  changes(): number {
    return this.one<{ n: number }>('SELECT changes() AS n').n;
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#connection, fromPostgres(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

function insertion(
  rows: number,
  table: string,
  columns: readonly string[],
  onConflict: string,
): string {
  const row = `(${columns.map(() => '?')})`;
  const all = Array.from({ length: rows }, () => row);
  return `INSERT INTO ${table} (${columns}) VALUES ${all} ${onConflict}`;
}
