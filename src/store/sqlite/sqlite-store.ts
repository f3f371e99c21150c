/** Runs work written for both stores (store/sql.ts) on a file. */
import type { SqlStore, Work } from '../sql.ts';
import type { Database } from './database.ts';
import { GroupWriter } from './group-writer.ts';
import type { Queries } from './queries.ts';

export class SqliteStore implements SqlStore {
  readonly #database: Database;
  readonly #writer: GroupWriter<Queries>;

  constructor(database: Database) {
    this.#database = database;
    this.#writer = new GroupWriter(database, undefined, (queries) => queries);
  }

  async read<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#database.read((queries) => queries.do(work()));
  }

  /** @param isDurable whether the write must be on disk when this resolves */
  async write<Result>(work: () => Work<Result>, { isDurable = false } = {}): Promise<Result> {
    return this.#writer.write((queries) => queries.do(work()), isDurable);
  }

  close(): Promise<void> {
    return this.#database.closeSynced();
  }
}
