/**
 * Runs work written for both stores (store/sql.ts) on a server. Its statements get numbered values, and `number` for
 * `rowid`.
 *
 * Tests: test/unit/store/sql.test.ts, test/unit/journal/both-ledgers.test.ts
 */
import { invariant } from '../../failure.ts';
import {
  EMPTY_ANSWER,
  type Engine,
  type SqlAnswer,
  type SqlQuery,
  type SqlStatement,
  type SqlValue,
  type SqlValues,
  type Work,
} from '../sql.ts';
import type { RunStatement } from './server.ts';

/**
 * Runs the statements of the work one after the other.
 * @throws what `run` throws
 */
export async function perform<Result>(run: RunStatement, work: Work<Result>): Promise<Result> {
  let step = work.next(EMPTY_ANSWER);
  while (!step.done) step = work.next(await answer(run, step.value));
  return step.value;
}

/** Runs one query, whose parameters have no numbers. */
export function runQuery<Row extends object>(
  run: RunStatement,
  [text, values]: SqlQuery,
): Promise<Row[]> {
  const statement = numbered({ text, values });
  return run<Row>(statement.text, statement.values);
}

/**
 * Waits for statements that were sent together. After one fails, the server fails the rest, so all must end before the
 * transaction does.
 * @returns their results
 * @throws the error of the first that failed
 */
export async function allOf<Results extends readonly unknown[] | []>(
  statements: Results,
): Promise<{ -readonly [Index in keyof Results]: Awaited<Results[Index]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}

async function answer(run: RunStatement, statement: SqlStatement): Promise<SqlAnswer> {
  const { wants } = statement;
  if (wants === 'engine') return { ...EMPTY_ANSWER, said: 'postgres' satisfies Engine };
  const { text, values } = numbered(statement);
  if (wants !== 'count') return { ...EMPTY_ANSWER, rows: await run(text, values) };
  const [row] = await run<{ count: number }>(
    `WITH changed AS (${text} RETURNING 1) SELECT count(*) AS count FROM changed`,
    values,
  );
  return { ...EMPTY_ANSWER, count: row?.count ?? 0 };
}

interface Numbered {
  text: string;
  names: readonly string[];
}

const KNOWN = new Map<string, Numbered>();
/** A process that runs for days can build many texts from parts, and some are long. */
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 10_000;

/** @returns the text with `$1`…, and the values in that order */
export function numbered({ text, values }: Pick<SqlStatement, 'text' | 'values'>): {
  text: string;
  values: SqlValue[];
} {
  const known = KNOWN.get(text) ?? remember(text);
  if (Array.isArray(values)) return { text: known.text, values: [...values] };
  const byName = values as SqlValues;
  const given = known.names.map((name) => {
    const value = byName[name];
    invariant(value !== undefined, `no value for the parameter ${name}`);
    return value;
  });
  return { text: known.text, values: given };
}

/** The parameters of a text, each with its name: `:name`, but no cast. */
export const PARAMETERS = /(?<!:):([a-z]\w*)/gi;

function remember(text: string): Numbered {
  const numbers = new Map<string, number>();
  const sql = text.replace(PARAMETERS, (_, name: string) => {
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return `$${number}`;
  });
  const known = { text: sql.replace(/\browid\b/g, 'number'), names: [...numbers.keys()] };
  if (text.length > LONGEST_KNOWN) return known;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  KNOWN.set(text, known);
  return known;
}
