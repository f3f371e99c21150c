/**
 * What commands do once argv is parsed, whoever parsed it: oclif's command classes and the fast
 * path both end here.
 */

import type { FlagValues } from '../body/flag-values.ts';
import { readIds } from '../body/read-ids.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../session/context.ts';
import { type CommonFlags, Session } from '../session/session.ts';
import { getMany, MAX_IN_FLIGHT } from './get-many.ts';

export type OperationFlags = FlagValues & CommonFlags;

export interface SessionShape {
  /** true when the user asked for exactly one record. */
  isSingle: boolean;
  /** Requests at the same time, at the most. */
  inFlight: number;
}

/** One request after another, for one record. */
export const ONE: SessionShape = { isSingle: true, inFlight: 1 };

/** Runs `work` with a session for records of an operation's kind, and closes it. */
export async function withSession(
  context: Context,
  operation: Operation,
  flags: CommonFlags,
  shape: SessionShape,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await Session.open(context, flags, { kind: operation.kind, ...shape });
  try {
    await work(session);
  } catch (error) {
    if (error instanceof Failure) await session.printAnswerTo(error);
    throw error;
  } finally {
    await session.close();
  }
}

/**
 * Looks up records by what is given as arguments, or on stdin with `-`.
 * @param operation what most of them are; gives the columns
 * @param operationOf the look-up for an id
 */
export async function runGet(
  context: Context,
  operation: Operation,
  operationOf: (id: string) => Operation,
  ids: readonly string[],
  flags: OperationFlags,
): Promise<void> {
  const isSingle = ids.length === 1 && ids[0] !== '-';
  const shape = { isSingle, inFlight: isSingle ? 1 : MAX_IN_FLIGHT };
  await withSession(context, operation, flags, shape, (session) =>
    getMany(session, readIds(context.host, ids), operationOf),
  );
}
