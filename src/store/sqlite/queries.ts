/**
 * What is asked of a database inside one of its transactions.
 *
 * Statements are prepared when first used, since a process may need but one or two, and kept from
 * then on. Up to three values are bound in the order of their `?`; more have names:
 *
 *     get('SELECT * FROM plans WHERE merchant = ? AND id = ?', prefix, id)
 *     get('SELECT … WHERE target = :target AND amount = :amount …', { target, amount, … })
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { invariant } from '../../failure.ts';
import {
  type Engine,
  NOTHING,
  type SqlAnswer,
  type SqlStatement,
  type SqlValue,
  type SqlValues,
  type Work,
} from '../sql.ts';
import type { Value } from '../stored-text.ts';
import { fromPostgres, listsOf, withoutLists } from './from-postgres.ts';
import { type Columns, Statement, type Values } from './statement.ts';

export type { Columns } from './statement.ts';

/** More than these in a statement gain little. */
const ROWS_AT_ONCE = 10;

const IN_FILE: SqlAnswer = { ...NOTHING, said: 'sqlite' satisfies Engine };

/** A statement of both stores, and how it is asked with lists of one value. */
interface OfBoth {
  statement: Statement;
  /** Names of its lists. */
  lists: readonly string[];
  ofOne?: Statement;
}

/** The statements of one connection. */
export class Statements {
  readonly #connection: DatabaseSyncInstance;
  readonly #known = new Map<string, Statement>();
  /** Those of both stores, by their text there. */
  readonly #ofBoth = new Map<string, OfBoth>();
  /** Those made of parts, by what they begin with: cheaper to find than by their text. */
  readonly #ofParts = new Map<string, { parts: readonly string[]; statement: Statement }[]>();

  constructor(connection: DatabaseSyncInstance) {
    this.#connection = connection;
  }

  prepare(sql: string): Statement {
    let statement = this.#known.get(sql);
    if (!statement) {
      statement = new Statement(this.#connection, sql);
      this.#known.set(sql, statement);
    }
    return statement;
  }

  /**
   * @param sql of both stores
   * @param values what it is asked with
   */
  prepareBoth(sql: string, values: SqlStatement['values']): Statement {
    let known = this.#ofBoth.get(sql);
    if (!known) {
      known = { statement: this.prepare(fromPostgres(sql)), lists: listsOf(sql) };
      this.#ofBoth.set(sql, known);
    }
    const { lists, statement } = known;
    if (lists.length === 0 || !lists.every((name) => hasOne((values as SqlValues)[name])))
      return statement;
    known.ofOne ??= new Statement(this.#connection, fromPostgres(withoutLists(sql)), true);
    return known.ofOne;
  }

  /**
   * @param parts all that tells the statement from others with this beginning
   * @param sql makes its text, when there is none yet
   */
  prepareOf(beginning: string, parts: readonly string[], sql: () => string): Statement {
    const known = this.#ofParts.get(beginning) ?? [];
    const same = known.find((one) => isSame(one.parts, parts));
    if (same) return same.statement;
    const statement = this.prepare(sql());
    this.#ofParts.set(beginning, [...known, { parts, statement }]);
    return statement;
  }
}

function hasOne(value: SqlValue | undefined): boolean {
  return Array.isArray(value) && value.length === 1;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, i) => name === others[i]);
}

export class Queries {
  readonly statements: Statements;

  constructor(statements: Statements) {
    this.statements = statements;
  }

  /** @returns the first row, or undefined. The row type is what the SQL selects */
  get<Row extends object>(sql: string, ...values: Values): Row | undefined {
    return this.statements.prepare(sql).get<Row>(values);
  }

  /** @returns the row of a query that always has one: a count, a sum */
  one<Row extends object>(sql: string, ...values: Values): Row {
    const row = this.get<Row>(sql, ...values);
    invariant(row, `no row of ${sql}`);
    return row;
  }

  all<Row extends object>(sql: string, ...values: Values): Row[] {
    return this.statements.prepare(sql).all<Row>(values);
  }

  /** @returns how many rows it inserted, changed or deleted */
  change(sql: string, ...values: Values): number {
    return this.statements.prepare(sql).change(values);
  }

  run(sql: string, ...values: Values): void {
    this.statements.prepare(sql).run(values);
  }

  /**
   * @param row values by column; the other columns get their defaults
   * @param onConflict the statement's clause for a row that is there already
   */
  insert(table: string, row: Columns, onConflict = ''): void {
    const columns = Object.keys(row);
    this.#insertionOf(1, table, columns, onConflict).run(Object.values(row));
  }

  /** As `insert`, rows of the same columns in their order: several in a statement cost less than one in each. */
  insertAll(table: string, rows: readonly Columns[]): void {
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    let next = 0;
    for (; next + ROWS_AT_ONCE <= rows.length; next += ROWS_AT_ONCE) {
      const values = rows.slice(next, next + ROWS_AT_ONCE).flatMap(Object.values<Value>);
      this.#insertionOf(ROWS_AT_ONCE, table, columns, '').run(values);
    }
    for (const row of rows.slice(next)) this.insert(table, row);
  }

  #insertionOf(
    rows: number,
    table: string,
    columns: readonly string[],
    onConflict: string,
  ): Statement {
    const beginning = `INSERT INTO ${table}`;
    return this.statements.prepareOf(beginning, [...columns, onConflict, String(rows)], () => {
      const row = `(${columns.map(() => '?')})`;
      return `${beginning} (${columns}) VALUES ${Array.from({ length: rows }, () => row)} ${onConflict}`;
    });
  }

  /**
   * @param changes new values by column
   * @param where the columns that tell the rows, by equality
   */
  update(table: string, changes: Columns, where: Columns): void {
    const beginning = `UPDATE ${table}`;
    const parts = [...Object.keys(changes), 'WHERE', ...Object.keys(where)];
    const statement = this.statements.prepareOf(beginning, parts, () => {
      const equal = (names: Columns) => Object.keys(names).map((name) => `${name} = ?`);
      return `${beginning} SET ${equal(changes)} WHERE ${equal(where).join(' AND ')}`;
    });
    statement.run([...Object.values(changes), ...Object.values(where)]);
  }

  /**
   * Runs work that is written for both stores.
   * @param now the time by which its rows are dated (ISO 8601, UTC)
   */
  do<Result>(work: Work<Result>, now: string): Result {
    let step = work.next(NOTHING);
    while (!step.done) step = work.next(this.#answer(step.value, now));
    return step.value;
  }

  #answer({ text, values, wants }: SqlStatement, now: string): SqlAnswer {
    if (wants === 'engine') return IN_FILE;
    if (wants === 'time') return { rows: [], count: 0, said: now };
    const statement = this.statements.prepareBoth(text, values);
    const given = [statement.takesTime ? { ...values, store_time: now } : values] as const;
    if (wants === 'rows') return { rows: statement.all(given), count: 0, said: '' };
    if (wants === 'count') return { rows: [], count: statement.change(given), said: '' };
    statement.run(given);
    return NOTHING;
  }

  /** @returns how many rows the last `run`, `insert` or `update` inserted, changed or deleted */
  changes(): number {
    return this.one<{ n: number }>('SELECT changes() AS n').n;
  }

  /** @returns the number of the row that was inserted last */
  lastNumber(): number {
    return this.one<{ n: number }>('SELECT last_insert_rowid() AS n').n;
  }
}
