/** A file as a store of work that is written for both (store/sql.ts). */
import type { Clock } from '../../host/host.ts';
import type { SqlStore, Work } from '../sql.ts';
import type { Database } from './database.ts';
import { GroupWriter } from './group-writer.ts';

export class SqliteStore implements SqlStore {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #writer: GroupWriter;

  /** @param endOfTurn given by whoever has many requests in flight: their writes share transactions */
  constructor(
    database: Database,
    clock: Pick<Clock, 'now'>,
    endOfTurn?: (() => Promise<void>) | undefined,
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#writer = new GroupWriter(database, endOfTurn);
  }

  async read<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#database.read((queries) => queries.do(work(), this.#now()));
  }

  /** @param isDurable it is on disk when this resolves */
  async write<Result>(work: () => Work<Result>, { isDurable = false } = {}): Promise<Result> {
    return this.#writer.write((queries) => queries.do(work(), this.#now()), isDurable);
  }

  /** Closes it when what is queued is written. */
  async close(): Promise<void> {
    this.#writer.drain();
    await this.#database.closeSynced();
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}
