/**
 * What is asked of a database inside one of its transactions.
 *
 * Statements are prepared when first used, since a process may need but one or two, and kept from
 * then on. Up to three values are bound in the order of their `?`; more have names:
 *
 *     get('SELECT * FROM plans WHERE merchant = ? AND id = ?', prefix, id)
 *     get('SELECT … WHERE target = :target AND amount = :amount …', { target, amount, … })
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { invariant } from '../failure.ts';
import { fromStored, toStored, type Value } from './stored-text.ts';

/** Values by the names of their columns or parameters. */
export type Columns = Readonly<Record<string, Value>>;
type Values = readonly Value[] | readonly [Columns];

interface Prepared {
  statement: StatementSyncInstance;
  /** Of the parameters, in their order; none where they are bound by place. */
  names: readonly string[];
}

/** The statements of one connection. */
export class Statements {
  readonly #connection: DatabaseSyncInstance;
  readonly #known = new Map<string, Prepared>();
  /** Those made of parts, by what they begin with: cheaper to find than by their text. */
  readonly #ofParts = new Map<string, { parts: readonly string[]; prepared: Prepared }[]>();

  constructor(connection: DatabaseSyncInstance) {
    this.#connection = connection;
  }

  prepare(sql: string): Prepared {
    let prepared = this.#known.get(sql);
    if (!prepared) {
      const names: string[] = [];
      // SQLite takes names too, but makes NULL of one that is not given, and binds them slower.
      const placed = sql.replace(/:([a-z]\w*)/gi, (_, name: string) => {
        names.push(name);
        return '?';
      });
      prepared = { statement: this.#connection.prepare(placed), names };
      this.#known.set(sql, prepared);
    }
    return prepared;
  }

  /**
   * @param parts all that tells the statement from others with this beginning
   * @param sql makes its text, when there is none yet
   */
  prepareOf(beginning: string, parts: readonly string[], sql: () => string): Prepared {
    const known = this.#ofParts.get(beginning) ?? [];
    const same = known.find((one) => isSame(one.parts, parts));
    if (same) return same.prepared;
    const prepared = this.prepare(sql());
    this.#ofParts.set(beginning, [...known, { parts, prepared }]);
    return prepared;
  }
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
    const { statement, names } = this.statements.prepare(sql);
    const row = statement.get(...bound(names, values));
    return row && decoded<Row>(row);
  }

  /** @returns the row of a query that always has one: a count, a sum */
  one<Row extends object>(sql: string, ...values: Values): Row {
    const row = this.get<Row>(sql, ...values);
    invariant(row, `no row of ${sql}`);
    return row;
  }

  all<Row extends object>(sql: string, ...values: Values): Row[] {
    const { statement, names } = this.statements.prepare(sql);
    return statement.all(...bound(names, values)).map(decoded<Row>);
  }

  /** Runs a part of the transaction: what it throws undoes that part alone, and is thrown. */
  part<Result>(work: () => Result): Result {
    this.run('SAVEPOINT part');
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#undoPart();
      throw error;
    }
    this.run('RELEASE part');
    return result;
  }

  #undoPart(): void {
    try {
      this.run('ROLLBACK TO part');
      this.run('RELEASE part');
    } catch {
      // SQLite has ended the whole transaction, as where a disk is full: the error in `part` says why.
    }
  }

  /** @returns the number of rows that were changed */
  run(sql: string, ...values: Values): number {
    const { statement, names } = this.statements.prepare(sql);
    return Number(statement.run(...bound(names, values)).changes);
  }

  /**
   * @param row values by column; the other columns get their defaults
   * @param onConflict the statement's clause for a row that is there already
   * @returns the row's number
   */
  insert(table: string, row: Columns, onConflict = ''): number {
    const columns = Object.keys(row);
    const beginning = `INSERT INTO ${table}`;
    const { statement } = this.statements.prepareOf(beginning, [...columns, onConflict], () => {
      const places = columns.map(() => '?');
      return `${beginning} (${columns}) VALUES (${places}) ${onConflict}`;
    });
    return Number(statement.run(...stored(row)).lastInsertRowid);
  }

  /**
   * @param changes new values by column
   * @param where the columns that tell the rows, by equality
   * @returns the number of rows that were changed
   */
  update(table: string, changes: Columns, where: Columns): number {
    const beginning = `UPDATE ${table}`;
    const parts = [...Object.keys(changes), 'WHERE', ...Object.keys(where)];
    const { statement } = this.statements.prepareOf(beginning, parts, () => {
      const equal = (names: Columns) => Object.keys(names).map((name) => `${name} = ?`);
      return `${beginning} SET ${equal(changes)} WHERE ${equal(where).join(' AND ')}`;
    });
    return Number(statement.run(...stored(changes), ...stored(where)).changes);
  }
}

function stored(columns: Columns): Value[] {
  return Object.values(columns).map(toStored);
}

function bound(names: readonly string[], values: Values): (Value | undefined)[] {
  if (names.length === 0) return (values as readonly Value[]).map(toStored);
  const [byName] = values as readonly [Columns];
  return names.map((name) => {
    const value = byName[name];
    invariant(value !== undefined, `no value for the parameter ${name}`);
    return toStored(value);
  });
}

/** A new object, since those that the package makes are slow to read and to copy. */
function decoded<Row extends object>(row: Record<string, unknown>): Row {
  const copy: Record<string, unknown> = {};
  for (const column in row) {
    const value = row[column];
    copy[column] = typeof value === 'string' ? fromStored(value) : value;
  }
  return copy as Row;
}
