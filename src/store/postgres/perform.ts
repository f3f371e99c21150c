/** Runs work written for both stores (store/sql.ts) on a server. */
import { type Engine, NOTHING, type SqlAnswer, type SqlStatement, type Work } from '../sql.ts';
import { numbered } from './named-values.ts';
import type { RunStatement } from './server.ts';

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
