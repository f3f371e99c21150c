/**
 * What commands do once argv is parsed, whoever parsed it: oclif's command classes and the fast
 * path both end here.
 */
import type { CallInput } from '../client/client.ts';
import type { JsonObject } from '../contract/envelope.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure, usage } from '../failure.ts';
import { type BodyOptions, buildBody } from './body.ts';
import type { Context } from './context.ts';
import { skeletonOf } from './fields.ts';
import type { FlagValues } from './flag-values.ts';
import { getMany, MAX_IN_FLIGHT } from './get-many.ts';
import { checkedId, readIds } from './ids.ts';
import { type CommonFlags, Session } from './session.ts';
import { submit } from './submit.ts';

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
  flags: OperationFlags,
  shape: SessionShape,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const session = new Session(context, flags, { kind: operation.kind, ...shape });
  try {
    await work(session);
  } catch (error) {
    if (error instanceof Failure) await session.printAnswerTo(error);
    throw error;
  } finally {
    await session.close();
  }
}

/** Sends a body, to the record `id` where the path has a parameter, and prints what comes back. */
export async function runSubmit(
  context: Context,
  operation: Operation,
  bodyOptions: BodyOptions,
  id: string | undefined,
  flags: OperationFlags,
): Promise<void> {
  const { host } = context;
  if (flags.skeleton === true && operation.request) {
    await host.stdout.write(`${JSON.stringify(skeletonOf(operation.request()), null, 2)}\n`);
    return;
  }
  await withSession(context, operation, flags, ONE, async (session) => {
    const input: CallInput = {};
    if (id !== undefined) input.id = checkedId(id);
    if (operation.request) {
      input.body = await buildBody(host, session.profile, operation, flags, bodyOptions);
      if (operation.method === 'PUT') refuseEmpty(input.body);
    }
    await submit(session, operation, input);
  });
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

/** An update that changes nothing was not meant. */
function refuseEmpty(body: JsonObject): void {
  if (Object.keys(body).length > 0) return;
  throw usage(
    'There is nothing to change.',
    'Nothing was sent. Give what is to be changed as a flag, or with --input FILE.',
  );
}
