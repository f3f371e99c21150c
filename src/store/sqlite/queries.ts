/**
 * Runs work (store/sql.ts) inside a transaction of a database. A statement is prepared when first used, because a process
 * may need only one or two, and is then kept.
 *
 *     queries.do(get('SELECT * FROM plans WHERE merchant = ? AND id = ?', [prefix, id]))
 *
 * Tests: test/unit/store/sqlite/database.test.ts, test/unit/journal/sqlite/sqlite-ledger.test.ts
 */
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { type Engine, NOTHING, type SqlAnswer, type SqlStatement, type Work } from '../sql.ts';
import { fromPostgres } from './from-postgres.ts';
import { Statement } from './statement.ts';

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

  /** @returns what the work returns */
  do<Result>(work: Work<Result>): Result {
    let step = work.next(NOTHING);
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
      return row ? { rows: [row], count: 0, said: '' } : NOTHING;
    }
    statement.run(values);
    return NOTHING;
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = new Statement(this.#connection, fromPostgres(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}
