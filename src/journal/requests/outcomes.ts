/** Outcomes: what the answer said, and what a person found out. Each is for one transaction. */
import { deferDocument } from '../../index/deferred.ts';
import { change, engine, run, type SqlValues, time, together, type Work } from '../../store/sql.ts';
import type { LateOutcome, RecordSnapshot, Settlement } from '../ledger.ts';
import { remember } from '../records/snapshots.ts';
import { indexEntries } from './index-requests.ts';
import { attemptsAtTheSame, type Writer } from './intents.ts';
import { isOfSameLine, sentAgain } from './late-outcome.ts';
import { ENTRIES, findEntries, rowOf } from './request-queries.ts';
import { SENDER_GONE, senderOf } from './sending.ts';

/** What is to be written at once; without an entry the snapshots alone. */
export interface Outcome {
  entry?: { id: string; settlement: Settlement };
  snapshots: readonly RecordSnapshot[];
}

/** What became of it. */
export interface WrittenOutcome {
  /** Whether its entry is there; of one that is not, nothing is written. */
  isThere: boolean;
  late?: LateOutcome | undefined;
}

/** Writes outcomes with the records of their answers; it may be done twice. */
export function* writeOutcomes(outcomes: readonly Outcome[], by: Writer): Work<WrittenOutcome[]> {
  const given = outcomes.flatMap(({ entry }) => entry ?? []);
  const settled = yield* together(given.map(({ id, settlement }) => settle(id, settlement, by)));
  const written = outcomes.map(({ entry }) =>
    entry ? (settled[given.indexOf(entry)] as WrittenOutcome) : { isThere: true },
  );
  const there = outcomes.filter((_, i) => written[i]?.isThere);
  const snapshots = there.flatMap((one) => one.snapshots);
  if (snapshots.length > 0) yield* remember(snapshots, by.isDeferring);
  // Last, since whose they are may be known from the records.
  yield* index(
    there.flatMap(({ entry }) => entry?.id ?? []),
    by,
  );
  return written;
}

function* index(ids: readonly string[], { isDeferring }: Writer): Work<void> {
  if (!isDeferring) yield* indexEntries(ids);
  else for (const id of ids) yield* deferDocument('request', id);
}

const SET_OUTCOME = `
  UPDATE gw.money_requests
     SET state = :state, settled_at = :settledAt, status = :status, record_id = :recordId,
         message = :message`;
const SETTLE = `${SET_OUTCOME} WHERE id = :id AND resolution IS NULL`;
/** Of one that somebody resolved meanwhile; the line may be another's by now. */
const SETTLE_LATE = `${SET_OUTCOME}, superseded = (superseded OR :makesRoom) WHERE id = :id`;

/** What somebody has resolved meanwhile gets the outcome that its answer has, unless that says nothing. */
function* settle(id: string, settlement: Settlement, by: Writer): Work<WrittenOutcome> {
  const outcome = { ...outcomeOf(settlement), id, settledAt: yield* time() };
  if ((yield* change(SETTLE, outcome)) === 1) {
    yield* witness(id, settlement);
    return { isThere: true };
  }
  const [before] = yield* findEntries(`${ENTRIES} WHERE id = :id`, { id }, by.processes);
  if (!before) return { isThere: false };
  if (settlement.state === 'unknown') return { isThere: true };
  const again = sentAgain(before, yield* attemptsAtTheSame(before, true, by.processes));
  const makesRoom = again !== undefined && isOfSameLine(before, again);
  yield* run(SETTLE_LATE, { ...outcome, makesRoom });
  const { resolution, resolvedBy } = before;
  yield* witness(id, settlement, { resolution, resolvedBy });
  return { isThere: true, late: { before, state: settlement.state, again } };
}

function outcomeOf({ state, status, recordId, message }: Settlement) {
  return { state, status, recordId, message };
}

/** What a person says of an entry. */
export interface Resolution {
  id: string;
  settlement: Settlement;
  /** What they said. */
  resolution: string;
  /** As `Ledger.resolve`. */
  isSenderGone: boolean;
}

const RESOLVE = `
  UPDATE gw.money_requests
     SET state = :state, settled_at = :settledAt, status = coalesce(:status, status),
         record_id = coalesce(:recordId, record_id), message = coalesce(:message, message),
         resolution = :resolution, resolved_by = :resolvedBy
   WHERE id = :id AND state = :before`;

/**
 * What is resolved keeps what was known before.
 * @returns as `Ledger.resolve`; true as well where the same person has said the same before
 */
export function* resolve(
  { id, settlement, resolution, isSenderGone }: Resolution,
  by: Writer,
): Work<boolean> {
  const row = yield* rowOf(id);
  if (!row) return false;
  const resolvedBy = by.author?.operator ?? null;
  const said = { resolution, resolvedBy };
  if (row.resolution === resolution && row.resolvedBy === resolvedBy)
    return row.state === settlement.state;
  const sender = senderOf(row, by.processes);
  const isOver = sender ? isSenderGone && !sender.isRunning : row.state === 'sending';
  const known = isOver
    ? { ...settlement, message: settlement.message ?? SENDER_GONE.message }
    : settlement;
  const changed = yield* change(RESOLVE, {
    ...{ ...outcomeOf(known), ...said, id },
    settledAt: yield* time(),
    before: isOver ? 'sending' : 'unknown',
  });
  if (changed === 0) return false;
  const { state, status, recordId, message } = (yield* rowOf(id)) ?? row;
  yield* witness(id, { state: state as Settlement['state'], status, recordId, message }, said);
  yield* index([id], by);
  return true;
}

const WITNESS = `
  INSERT INTO gw.outcomes (entry, state, status, record_id, message, resolution, resolved_by)
  VALUES (:id, :state, :status, :recordId, :message, :resolution, :resolvedBy)`;

/**
 * On a server each outcome of an entry is a row that stays, whatever becomes of the entry; who wrote it, and
 * when, is the server's word.
 */
function* witness(
  id: string,
  settlement: Settlement,
  said: SqlValues = { resolution: null, resolvedBy: null },
): Work<void> {
  if ((yield* engine()) === 'postgres')
    yield* run(WITNESS, { id, ...outcomeOf(settlement), ...said });
}
