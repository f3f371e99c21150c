/** What the parts of the ledger share: its database, and how an entry of it reads. */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

export type Row = Record<string, unknown>;
type Value = string | number | null;

/** Statements are prepared when first used, since a process may need but one or two. */
export class Statements {
  readonly #database: DatabaseSyncInstance;
  readonly #known = new Map<string, StatementSyncInstance>();

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** @returns the number of rows that were changed */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#known.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#known.set(sql, statement);
    }
    return statement;
  }
}

export const textOrNull = (value: unknown) => value as string | null;
export const numberOrNull = (value: unknown) => value as number | null;
