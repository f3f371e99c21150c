/** Looks up one or many records, several in flight, and prints them in the order they were asked for. */
import { pMapIterable } from 'p-map';
import type { Reply } from '../client/classify.ts';
import type { Operation } from '../contract/operations.ts';
import { kindOfId } from '../contract/record-id.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session/session.ts';

export const MAX_IN_FLIGHT = 8;

interface Found {
  id: string;
  result: Reply | Failure;
}

/**
 * @param operationOf the look-up for an id; throws Failure usage when there is none
 * @throws the failure of a single id; for several, one of the kind of the first, when all are printed
 */
export async function getMany(
  session: Session,
  ids: AsyncIterable<string>,
  operationOf: (id: string) => Operation,
): Promise<void> {
  const found = pMapIterable(ids, (id) => lookUp(session, operationOf, id), {
    concurrency: MAX_IN_FLIGHT,
  });
  const failures: Failure[] = [];
  try {
    for await (const { id, result } of found) {
      if (!(result instanceof Failure)) {
        await session.printReply(result);
        continue;
      }
      if (session.isSingle || endsAll(result)) throw result;
      failures.push(result);
      await session.printAnswerTo(result);
      await session.reportFailure(result, id);
    }
  } finally {
    await session.endOutput();
  }
  const [first] = failures;
  if (first) throw summary(first, failures.length);
}

async function lookUp(
  session: Session,
  operationOf: (id: string) => Operation,
  id: string,
): Promise<Found> {
  let operation: Operation | undefined;
  try {
    operation = operationOf(id);
    return { id, result: await session.call(operation, { id }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, result: withHint(error, id, operation) };
  }
}

/** A failure that every further look-up would meet as well. */
function endsAll(failure: Failure): boolean {
  if (failure.code === 'contradictory-answer') return false;
  return failure.status === 401 || ['notReached', 'interrupted', 'guard'].includes(failure.kind);
}

function summary(first: Failure, count: number): Failure {
  const are = count === 1 ? 'One of the records was' : `${count} of the records were`;
  return new Failure(first.kind, `${are} not printed.`, {
    code: 'records-missing',
    next: 'The reasons are above; the others are printed.',
    ...(first.operation === undefined ? {} : { operation: first.operation }),
  });
}

/** An id is opaque, and its shape only a hint: it was tried, and now says what may be wrong. */
function withHint(failure: Failure, id: string, operation: Operation | undefined): Failure {
  const kind = kindOfId(id);
  if (failure.kind !== 'notFound' || kind === undefined || operation === undefined) return failure;
  const isReference = operation.lookUp === 'reference';
  if (kind === operation.kind && !isReference) return failure;
  const next = isReference
    ? 'It looks like an id: subscriptions are looked up by reference.'
    : `It looks like the id of a ${kind}: try \`gw ${kind} get ${id}\`.`;
  return failure.reworded({ next });
}
