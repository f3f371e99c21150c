/** A batch on its way: what is known of a line before it is sent, and how it is sent. */
import type { GatewayConnection } from '../../client/connection/call.ts';
import { CHECK_MODE, wrongMode } from '../../client/connection/wrong-mode.ts';
import { failureOf, type Reply } from '../../client/exchange/classify.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Replay } from '../../host/host.ts';
import { cut } from '../../host/redaction/safe.ts';
import type { LineClaim } from '../../journal/ledger.ts';
import { lineName } from '../../journal/requests/line-claim.ts';
import type { BatchOptions } from './batch-options.ts';
import type { OperationSource } from './batch-source.ts';
import type { Attempt, Line, LineResult } from './engine/batch.ts';
import type { HeldLine } from './engine/held-lines.ts';
import type { Pace } from './engine/pace.ts';
import type { Plan } from './engine/preflight.ts';
import type { RecordSet } from './engine/record-set.ts';
import type { Stop, StopReason } from './engine/stop.ts';
import { resultOfConflict, resultOfEntry, resultOfFailure, resultOfReply } from './line-result.ts';

/** What lines are sent with. */
export interface Batch {
  context: Context;
  operation: Operation;
  options: BatchOptions;
  gateway: GatewayConnection;
  pace: Pace;
  stop: Stop;
}

/** A batch all of which has been checked. */
export interface Prepared extends Batch {
  replay: Replay;
  source: OperationSource;
  plan: Plan;
  /** What the ledger calls the batch. */
  id: string;
  /** When it is begun, by the ledger's time; undefined while nothing is sent. */
  since: string | undefined;
  /** Ids of what was unknown then, and may be sent again; undefined where nothing may, or nothing is sent. */
  unknownBefore: ReadonlySet<string> | undefined;
  /** Whether it has been said that an outcome could not be written down. */
  isUnrecordedSaid: boolean;
  /** Lines without a reference that are done by another batch, as far as they have been looked up. */
  doneElsewhere: number;
  /** Records that lines were answered with. */
  made: RecordSet;
}

/**
 * As `lookUp`, in a run: a ledger that cannot be asked any more ends it, with what is in flight seen
 * through, and not the program.
 */
export async function lookUpToSend(batch: Prepared, line: Line): Promise<LineResult | undefined> {
  try {
    // What the line would take of a purchase is added up once, when it is intended.
    return await lookUp(batch, line, true);
  } catch (error) {
    stopAt(batch, error);
    return { outcome: 'not-started', isEarlier: false };
  }
}

/** @returns those of the lines that are not being sent by another gw any more */
export async function areOver(
  batch: Prepared,
  lines: readonly HeldLine[],
): Promise<readonly HeldLine[]> {
  try {
    const ids = lines.flatMap(({ result }) => result.entry ?? []);
    const ledger = await batch.gateway.ledger.open();
    const known = await ledger.entries(ids);
    const sending = new Set(known.filter(({ state }) => state === 'sending').map(({ id }) => id));
    return lines.filter(({ result }) => !sending.has(result.entry ?? ''));
  } catch (error) {
    stopAt(batch, error);
    return [];
  }
}

/** The ledger of this run is not where the next one looks for it, is not alone there, or has forgotten something. */
const OF_THE_LEDGER = new Set(['file-moved', 'file-linked', 'entry-lost', 'ledger-lost-entry']);

/** @throws what is no failure that can be expected */
function stopAt({ stop }: Prepared, error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  const { code, message } = error;
  const why = message.replace(/\.$/, '');
  const next = error.next.replace(/^Nothing was sent\. /, '');
  stop.because(OF_THE_LEDGER.has(code) ? { why, next, code, kind: 'guard' } : { why, next });
}

/**
 * @param isForAttempts as `Foreseen`
 * @returns the result of a line that is not to be sent
 */
export async function lookUp(
  batch: Prepared,
  line: Line,
  isForAttempts = false,
): Promise<LineResult | undefined> {
  const { gateway, operation } = batch;
  const { body, currency } = line;
  const refused = await gateway.ledger.foresee(
    operation,
    { body },
    { line: claimOf(batch, line), isForAttempts },
  );
  if (!refused) return undefined;
  if (refused.kind === 'held') {
    const { state, reference, batch: holder } = refused.by;
    if (state === 'done' && reference === null && holder !== batch.id) batch.doneElsewhere++;
    return resultOfEntry(refused.by, batch.unknownBefore !== undefined);
  }
  if (refused.kind === 'conflict') return resultOfConflict(refused.with, body, currency);
  return resultOfFailure(await gateway.ledger.refusal(refused, operation, { body }));
}

/** Sends a line once. @param free `answered` of `RunOptions` */
export async function send(batch: Prepared, line: Line, free: () => void): Promise<Attempt> {
  const { gateway, operation, stop } = batch;
  const { body } = line;
  const answered = (result: Reply | Failure) => {
    const { test } = result instanceof Failure ? result : result.envelope;
    const why = wrongMode(gateway.profile, test);
    if (why) stop.because({ why, code: 'wrong-mode', next: CHECK_MODE });
    free();
  };
  const claim = claimOf(batch, line);
  const doubt = (reply: Reply, baseUrl: URL) => {
    const repeated = refuseRepeated(
      reply,
      baseUrl,
      (id) => batch.made.add(operation.kind, id, line.number) !== undefined,
    );
    if (repeated) stop.because(MIXED_UP);
    return repeated;
  };
  try {
    // It was checked when the line was read (batch-source.ts).
    const options = { isChecked: false, line: { claim, doubt, answered } };
    const reply = await gateway.call(operation, { body }, options);
    if (reply.unrecorded) await sayUnrecorded(batch, reply.unrecorded);
    return resultOfReply(reply);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (OF_THE_LEDGER.has(error.code)) stopAt(batch, error);
    if (error.code !== 'line-held' && error.code !== 'line-conflict') return resultOfFailure(error);
    // Another gw has sent it since it was looked up.
    const known = await lookUpToSend(batch, line);
    return (
      known ?? {
        outcome: 'elsewhere',
        isEarlier: true,
        entry: error.entry,
        error: { message: null },
      }
    );
  }
}

/** Whatever comes after it on the same connection may be the answer to another line, too. */
const MIXED_UP: StopReason = {
  why: 'the gateway answered a line with the record of an earlier one',
  code: 'answers-mixed-up',
  next: 'Ask whoever runs the gateway how that can be before you go on.',
};

/** Once: whatever keeps one outcome from being written does so with those around it. */
async function sayUnrecorded(batch: Prepared, failure: Failure): Promise<void> {
  if (OF_THE_LEDGER.has(failure.code)) stopAt(batch, failure);
  if (batch.isUnrecordedSaid) return;
  batch.isUnrecordedSaid = true;
  const { stderr } = batch.context.host;
  const { message, next } = failure;
  await stderr.write(`\nNote: the journal does not have every answer. ${message} ${next}\n`);
}

function claimOf(
  { source, plan, options, id, since, unknownBefore }: Prepared,
  { key, occurrence, body }: Line,
): LineClaim {
  const { name, retriesUnknown, request } = options;
  const again = request.refusesDuplicates ? 'named' : 'own';
  const among = name === undefined ? 'all' : again;
  return {
    batch: id,
    line: lineName(key, occurrence),
    occurrence,
    lines: (amount) => plan.count(source.identify({ ...body, amount })),
    among: source.isKnownByContent ? 'own' : among,
    // Before anything is sent, all that is unknown is so before the run.
    retries: (attempt) => retriesUnknown && (unknownBefore?.has(attempt.id) ?? true),
    ...(since !== undefined && { since }),
  };
}

/** Of an id, in a message. */
const MAX_LENGTH = 60;

/**
 * One record cannot be the answer to two requests: a gateway, or something before it, that answers twice on a
 * connection which is kept open shifts all answers after it, and then each one tells of another request.
 * @param reply to a request that makes a record
 * @param isKnown told its id, once; whether an earlier request was answered with the same
 * @returns the failure that the reply is, if it is none to this request
 */
export function refuseRepeated(
  reply: Reply,
  baseUrl: URL,
  isKnown: (id: string) => boolean,
): Failure | undefined {
  const { operation, input, status, envelope, raw, records } = reply;
  const id = records[0]?.id;
  if (typeof id !== 'string' || !isKnown(id)) return undefined;
  const doubt = `its ${operation.kind} ${cut(id, MAX_LENGTH)} is what it answered an earlier request with`;
  return failureOf('outcome-unknown', {
    ...{ operation, input, baseUrl },
    reply: { status, headers: {}, body: raw },
    evidence: { said: 'contradiction', envelope, doubt },
  });
}
