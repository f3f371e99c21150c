/**
 * Looks up one or many records, several in flight, and prints them in the order of the request.
 *
 * This folder has look-ups.
 */
import { pMapIterable } from 'p-map';
import type { JsonObject } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId, plainId, type RecordKind } from '../../contract/record.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import type { RecordView } from '../../view/columns.ts';
import type { CommandSession } from '../known/meant-record.ts';
import type { KnownHost } from '../known/open-ledger.ts';
import { type Session, withSession } from '../session.ts';
import { readIds } from './read-ids.ts';

export const MAX_IN_FLIGHT = 8;

/** A record that is no answer of the gateway: an entry of the journal, or a record as it was seen before. */
export interface OwnRecord {
  record: JsonObject;
  view: RecordKind | RecordView;
}

export type FoundReply = (Reply | OwnRecord) & FoundBy;

/** The way by which a text that is no id led to the record: it is its name, or a part of it. */
export interface FoundBy {
  foundBy?: 'name' | 'near';
}

/** How texts are looked up, and how the records are printed. */
export interface Manner {
  /** @throws Failure if nothing has that name, or it cannot be asked for */
  find(session: Session, text: string): Promise<FoundReply>;
  show(session: Session, found: FoundReply): Promise<void>;
}

export interface LookUp {
  /** The operation of most of them, which decides the columns. */
  operation: Operation;
  /** Set if records are not looked up by the operation alone. */
  manner?: Manner;
  /** The ids as arguments; `-` for ids on stdin. */
  ids: readonly string[];
}

export async function runGet(
  context: Context,
  { operation, manner, ids }: LookUp,
  options: Pick<CommandOptions, 'request' | 'output'>,
): Promise<void> {
  const isSingle = ids.length === 1 && ids[0] !== '-';
  const inFlight = isSingle ? 1 : MAX_IN_FLIGHT;
  const isMixed = manner !== undefined;
  await withSession(context, { operation, ...options, isSingle, isMixed, inFlight }, (session) =>
    getMany(session, readIds(context.host, ids), manner ?? byId(context.host, operation)),
  );
}

/** @param operation the look-up of every id */
export function byId(host: KnownHost, operation: Operation): Manner {
  return {
    find: (session, id) => callNamed({ host, session }, operation, id),
    show: print,
  };
}

/**
 * Looks a record up by the text that was typed. If the gateway has nothing of that name, tries what this machine knows
 * of it. @throws Failure as `call`; usage if the text names several records
 * @param change the operation that is to change the record, if there is one
 */
export async function callNamed(
  asking: CommandSession,
  operation: Operation,
  name: string,
  change?: Operation,
): Promise<Reply> {
  try {
    return await call(asking.session, operation, name);
  } catch (error) {
    if (!(error instanceof Failure) || !isAbsent(error)) throw error;
    const { otherIdOf } = await import('../known/named-record.ts');
    const other = await otherIdOf(asking, operation, name, change);
    if (other === undefined) throw notSeen(error, name, operation);
    return callSeen(asking.session, operation, other);
  }
}

/** @returns the failure, and for a text that does not look like an id, that look-ups take ids */
function notSeen(failure: Failure, name: string, { kind, lookUp }: Operation): Failure {
  const isId = kindOfId(plainId(name)) !== undefined;
  if (failure.kind !== 'notFound' || isId || lookUp === 'reference') return failure;
  return failure.with({
    next: `${neutralise(name)} was not seen on this machine, and the gateway looks a ${kind} up by its id. Check it, or search for a part of it with \`gw find\`.`,
  });
}

/** A gateway may answer a text that is no id with not found, bad request, or forbidden. */
export function isAbsent({ kind, status }: Failure): boolean {
  return kind === 'notFound' || kind === 'rejected' || status === 403;
}

/** Looks a record up by an id. @throws the gateway's Failure, with a hint from the shape of the id */
export async function call(session: Session, operation: Operation, id: string): Promise<Reply> {
  try {
    return await session.call(operation, { id });
  } catch (error) {
    throw error instanceof Failure ? withHint(error, id, operation) : error;
  }
}

/** Looks up a record that this machine has seen. @throws as `call`; if it is gone, the failure names its history */
export async function callSeen(
  session: Session,
  operation: Operation,
  id: string,
  isHeard = false,
): Promise<Reply> {
  try {
    return await call(session, operation, id);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'notFound') throw error;
    const known = isHeard ? 'Only unverified webhooks tell of it' : 'This machine saw it earlier';
    throw error.with({
      next: `${known}: \`gw history ${commandWord(id)}\` shows what happened to it.`,
    });
  }
}

export async function print(session: Session, found: FoundReply): Promise<void> {
  if ('operation' in found) await session.printReply(found);
  else await session.printRecord(found.record, found.view);
}

/** @throws the failure of a single id; with several ids, after all are printed, a failure of the kind of the first */
export async function getMany(
  session: Session,
  ids: AsyncIterable<string> | Iterable<string>,
  manner: Manner,
): Promise<void> {
  const attempt = async (id: string) => ({ id, result: await orFailure(manner.find(session, id)) });
  const found = pMapIterable(ids, attempt, { concurrency: MAX_IN_FLIGHT });
  const failures: Failure[] = [];
  let count = 0;
  try {
    for await (const { id, result } of found) {
      count++;
      if (!(result instanceof Failure)) {
        await manner.show(session, result);
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
  if (first) throw summary(first, failures.length, count);
}

/** Whether every further look-up would fail in the same way. */
function endsAll(failure: Failure): boolean {
  if (failure.code === 'contradictory-answer') return false;
  return failure.status === 401 || ['notReached', 'interrupted', 'guard'].includes(failure.kind);
}

function summary(first: Failure, failed: number, count: number): Failure {
  const others = count - failed;
  const printed =
    others === 0 ? '' : ` The other ${plural(others, 'one was', `${others} were`)} printed.`;
  const none = count === 1 ? 'The record could not' : `None of the ${count} records could`;
  const some = others === 0 ? none : `${failed} of ${count} records could not`;
  return new Failure('records-missing', `${some} be fetched.`, `See the reasons above.${printed}`, {
    kind: first.kind,
    ...(first.operation === undefined ? {} : { operation: first.operation }),
  });
}

/** Adds a hint from the shape of the id. An id is opaque, so the hint is only given after the look-up failed. */
function withHint(failure: Failure, id: string, operation: Operation): Failure {
  const kind = kindOfId(plainId(id));
  if (failure.kind !== 'notFound' || kind === undefined) return failure;
  const isReference = operation.lookUp === 'reference';
  if (kind === operation.kind && !isReference) return failure;
  const next = isReference
    ? 'It looks like an id, but the gateway looks subscriptions up by reference.'
    : `It looks like the id of a ${kind}: try \`gw ${kind} get ${commandWord(id)}\`.`;
  return failure.with({ next });
}
