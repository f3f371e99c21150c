/**
 * What commands do once argv is parsed, whoever parsed it. Flags become options here, and go no further.
 */
import type { FlagValues } from '../../cli/body/flag-values.ts';
import { readIds } from '../../cli/body/read-ids.ts';
import { type RequestFlags, requestOptions } from '../../cli/flags/request-options.ts';
import { chosenAccount } from '../../client/connection/gateway-connection.ts';
import { Session } from '../../client/connection/session.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { PrintFlags } from '../../view/print-records.ts';
import { byId, getMany, MAX_IN_FLIGHT, type Manner } from './get-many.ts';

export type SessionFlags = RequestFlags & PrintFlags;
export type OperationFlags = FlagValues & SessionFlags;

export interface SessionShape {
  /** Its records are printed. */
  operation: Operation;
  flags: SessionFlags;
  /** true, unless it is said otherwise, when the user asked for exactly one record. */
  isSingle?: boolean;
  /** Requests at the same time, at the most; one unless more are said. */
  inFlight?: number;
  /** As of `PrintOptions`. */
  ifNone?: string;
}

/** Runs `work` with a session for records of an operation's kind, and closes it. */
export async function withSession(
  context: Context,
  { operation, flags, isSingle = true, inFlight = 1, ifNone }: SessionShape,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const options = requestOptions(context.host, flags);
  const account = await chosenAccount(context, options.profile);
  const isUnpaged = operation.effect !== 'read';
  const { kind } = operation;
  const settings = { options, print: flags, kind, isSingle, inFlight, isUnpaged, ifNone };
  const session = new Session(context, account, settings);
  try {
    await work(session);
  } catch (error) {
    if (error instanceof Failure) await session.printAnswerTo(error);
    throw error;
  } finally {
    await session.close();
  }
}

export interface LookUp {
  /** What most of them are; gives the columns. */
  operation: Operation;
  /** Other than by the operation alone. */
  manner?: Manner;
  /** As they were given as arguments; `-` for those on stdin. */
  ids: readonly string[];
}

/** Looks up records and prints them. */
export async function runGet(
  context: Context,
  { operation, manner = byId(operation), ids }: LookUp,
  flags: OperationFlags,
): Promise<void> {
  const isSingle = ids.length === 1 && ids[0] !== '-';
  const shape = { operation, flags, isSingle, inFlight: isSingle ? 1 : MAX_IN_FLIGHT };
  await withSession(context, shape, (session) =>
    getMany(session, readIds(context.host, ids), manner),
  );
}
