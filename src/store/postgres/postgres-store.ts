/** Runs work written for both stores (store/sql.ts) on a server. */
import {
  type Engine,
  NOTHING,
  type SqlAnswer,
  type SqlStatement,
  type SqlStore,
  type Work,
} from '../sql.ts';
import { numbered } from './named-values.ts';
import { isLost, type RunStatement, type Server } from './server.ts';

export class PostgresStore implements SqlStore {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Each statement sees its own snapshot. A statement whose answer was lost runs again. */
  read<Result>(work: () => Work<Result>): Promise<Result> {
    return perform((sql, values) => this.#server.runAgain(sql, values), work());
  }

  /**
   * The work must be safe to do twice: if the connection is lost at commit, it runs once more.
   * @throws what `Server.transaction` throws
   */
  async write<Result>(work: () => Work<Result>): Promise<Result> {
    const once = () => this.#server.transaction((run) => perform(run, work()));
    return once().catch((error) => {
      if (!isLost(error)) throw error;
      return once();
    });
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/**
 * Runs the statements of the work one after the other.
 * @throws what `run` throws
 */
export async function perform<Result>(run: RunStatement, work: Work<Result>): Promise<Result> {
  let step = work.next(NOTHING);
  while (!step.done) step = work.next(await answer(run, step.value));
  return step.value;
}

async function answer(run: RunStatement, statement: SqlStatement): Promise<SqlAnswer> {
  const { wants } = statement;
  if (wants === 'engine') return { ...NOTHING, said: 'postgres' satisfies Engine };
  const { text, values } = numbered(statement);
  if (wants !== 'count') return { ...NOTHING, rows: await run(text, values) };
  const [row] = await run<{ count: number }>(
    `WITH changed AS (${text} RETURNING 1) SELECT count(*) AS count FROM changed`,
    values,
  );
  return { ...NOTHING, count: row?.count ?? 0 };
}
