/** A batch on its way: what is known of a line before it is sent, and how it is sent. */
import type { GatewayConnection } from '../../client/connection/call.ts';
import { CHECK_MODE, wrongMode } from '../../client/connection/wrong-mode.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import type { Operation } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { LineClaim } from '../../journal/ledger.ts';
import type { BatchOptions } from './batch-options.ts';
import type { OperationSource } from './batch-source.ts';
import type { Attempt, Line, LineResult } from './engine/batch.ts';
import type { Pace } from './engine/pace.ts';
import type { Plan } from './engine/preflight.ts';
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
  source: OperationSource;
  plan: Plan;
  /** What the ledger calls the batch. */
  id: string;
  /** Ids of what was unknown then, and may be sent again; undefined where nothing may, or nothing is sent. */
  unknownBefore: ReadonlySet<string> | undefined;
  /** Whether it has been said that an outcome could not be written down. */
  isUnrecordedSaid: boolean;
  /** Ids of records that lines were answered with. */
  made: Set<string>;
}

/**
 * As `lookUp`, in a run: a ledger that cannot be asked any more ends it, with what is in flight seen
 * through, and not the program.
 */
export async function lookUpToSend(batch: Prepared, line: Line): Promise<LineResult | undefined> {
  try {
    // What the line would take of a purchase is added up once, when it is intended.
    return await lookUp(batch, line, 'balance');
  } catch (error) {
    stopAt(batch, error);
    return { outcome: 'not-started', isEarlier: false };
  }
}

/**
 * The ledger of this run is not where the next one looks for it, is not alone there, or went back to an older state:
 * the next run would not find what this one has sent.
 */
export const LEDGER_LOST: ReadonlySet<string> = new Set([
  'file-moved',
  'file-linked',
  'ledger-restored',
  'ledger-lost-entry',
  'entry-lost',
]);

/** @throws what is no failure that can be expected */
function stopAt({ stop }: Prepared, error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  const { code, message, next } = error;
  const why = message.replace(/\.$/, '');
  stop.because(LEDGER_LOST.has(code) ? { why, next, code, kind: 'guard' } : { why, next });
}

/**
 * @param leftToIntent as of `clearance`
 * @returns the result of a line that is not to be sent
 */
export async function lookUp(
  batch: Prepared,
  line: Line,
  leftToIntent?: 'balance',
): Promise<LineResult | undefined> {
  const { gateway, operation } = batch;
  const { body, currency } = line;
  // It was checked when the line was read (batch-source.ts).
  const asked = { isChecked: false, line: claimOf(batch, line), leftToIntent };
  const { refused } = await gateway.clearance(operation, { body }, asked);
  if (!refused) return undefined;
  if (refused.kind === 'held') return resultOfEntry(refused.by, batch);
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
  const isRepeated = ({ records: [record] }: Reply) => {
    const id = record?.id;
    if (typeof id !== 'string') return false;
    const isKnown = batch.made.has(id);
    batch.made.add(id);
    return isKnown;
  };
  const repeated = () => stop.because(MIXED_UP);
  try {
    // It was checked when the line was read (batch-source.ts).
    const options = { isChecked: false, line: { claim, isRepeated, repeated, answered } };
    const reply = await gateway.call(operation, { body }, options);
    if (reply.unrecorded) await sayUnrecorded(batch, reply.unrecorded);
    return resultOfReply(reply);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (LEDGER_LOST.has(error.code)) stopAt(batch, error);
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
  why: 'the gateway answered a line with the record of another request',
  code: 'answers-mixed-up',
  next: 'Ask whoever runs the gateway how that can be before you go on.',
};

/** Once: whatever keeps one outcome from being written does so with those around it. */
async function sayUnrecorded(batch: Prepared, failure: Failure): Promise<void> {
  if (LEDGER_LOST.has(failure.code)) stopAt(batch, failure);
  if (batch.isUnrecordedSaid) return;
  batch.isUnrecordedSaid = true;
  const { stderr } = batch.context.host;
  const { message, next } = failure;
  await stderr.write(`\nNote: the journal does not have every answer. ${message} ${next}\n`);
}

function claimOf(
  { source, options, id, unknownBefore }: Prepared,
  { key, occurrence, siblings }: Line,
): LineClaim {
  const { name, retriesUnknown, request } = options;
  const again = request.refusesDuplicates ? 'named' : 'own';
  const among = name === undefined ? 'all' : again;
  return {
    batch: id,
    line: key,
    occurrence,
    siblings,
    among: source.isKnownByContent ? 'own' : among,
    // Before anything is sent, all that is unknown is so before the run.
    retries: retriesUnknown ? (unknownBefore ?? 'any') : 'none',
  };
}
