/**
 * Keeps deliveries, and the results of passing them on. `Repeats` (repeats.ts) recognises repeated ones.
 *
 *   forward: waiting ──► done        (an event that is never passed on has none)
 *                   └──► withheld    (the gateway was asked, and does not confirm it)
 *
 * Tests: test/unit/events/store/event-file.test.ts
 */
import { allRows, onlyRow, runSql } from '../../store/sql.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import { noteOfSource } from '../../things/deferred.ts';
import type { AppendResult, ForwardState, NewEvent, Verification } from '../event.ts';
import type { Repeats } from './repeats.ts';

export interface WaitingForward {
  id: number;
  source: string;
  attempts: number;
  /** The last verification; null if nobody asked. */
  verification: Verification | null;
}

export interface ForwardResult {
  target: string;
  id: number;
  state: 'waiting' | 'done' | 'withheld';
  attempts: number;
  error: string | null;
}

/** Selects the ids of events that are still to be passed on. */
export const WAITING = "SELECT event FROM event_forwards WHERE state = 'waiting'";

const KEPT = `
  INSERT INTO events
    (received_at, profile, mode, status, authentication, event, outcome, fault, source, identity, is_lasting,
     is_masked, is_passing, duplicate_of, verification, headers, body)
  VALUES
    (:receivedAt, :profile, :mode, :status, :authentication, :event, :outcome, :fault, :source, :identity, :isLasting,
     :isMasked, :isPassing, :duplicateOf, :verification, :headers, :body)
  RETURNING id`;
const FORWARD = `
  INSERT INTO event_forwards (target, event, state, attempts) VALUES (?, ?, 'waiting', 0)`;

/** Keeps one delivery. */
export function appendEvent(queries: Queries, repeats: Repeats, event: NewEvent): AppendResult {
  const { receivedAt, profile, mode, status, authentication, outcome, fault, source } = event;
  const { identity, isLasting, isMasked, isTransient = false, forwardTo } = event;
  const isWaiting = event.verification?.state === 'waiting';
  const duplicateOf = isWaiting ? null : repeats.find(queries, event);
  const differsFrom = duplicateOf === null ? repeats.findDelivery(queries, event) : undefined;
  const verification = event.verification && JSON.stringify(event.verification);
  const headers = JSON.stringify(event.headers);
  const values = [
    ...[receivedAt, profile, mode, status, authentication, event.event, outcome, fault, source],
    ...[identity, isLasting, isMasked, isTransient, duplicateOf, verification, headers, event.body],
  ];
  const { id } = queries.do(onlyRow<{ id: number }>(KEPT, values));
  repeats.add({ identity, isWaiting }, { id, duplicateOf });
  if (forwardTo !== null) queries.do(runSql(FORWARD, [forwardTo, id]));
  if (duplicateOf === null && !isTransient) deferEvent(queries, id);
  return { id, duplicateOf, differsFrom };
}

/** Notes an event that is new, changed or gone, so that the things that it tells of are written again. */
export function deferEvent(queries: Queries, id: number): void {
  queries.do(runSql(...noteOfSource({ kind: 'event', account: null, id: String(id) })));
}

/** @returns the deliveries that wait for an address, oldest first */
export function waitingForwards(queries: Queries, target: string): WaitingForward[] {
  const rows = queries.do(
    allRows<Omit<WaitingForward, 'verification'> & { verification: string | null }>(
      `SELECT id, source, attempts, verification
       FROM event_forwards JOIN events ON events.id = event_forwards.event
      WHERE target = ? AND state = 'waiting' ORDER BY id`,
      [target],
    ),
  );
  return rows.map(({ verification, ...row }) => {
    const known: Verification | null = verification === null ? null : JSON.parse(verification);
    return { ...row, verification: known };
  });
}

/** @returns the events in a state of passing on, each with the last reason; null if it has none */
export function forwardsIn(queries: Queries, state: ForwardState): Map<number, string | null> {
  const stored = { taken: 'done', refused: 'waiting', waiting: 'waiting', withheld: 'withheld' };
  const rows = queries.do(
    allRows<{ event: number; reason: string | null }>(
      `SELECT event, last_error AS reason FROM event_forwards WHERE state = ? AND attempts >= ?`,
      [stored[state], state === 'refused' ? 1 : 0],
    ),
  );
  return new Map(rows.map(({ event, reason }) => [event, reason]));
}

/** @returns the addresses to which events of a profile were passed on, or are to be */
export function forwardTargets(queries: Queries, profile: string): string[] {
  const rows = queries.do(
    allRows<{ target: string }>(
      `SELECT DISTINCT target FROM event_forwards JOIN events ON events.id = event_forwards.event
      WHERE profile = ? ORDER BY target`,
      [profile],
    ),
  );
  return rows.map(({ target }) => target);
}

/** Records the result of an attempt. A settled delivery stays settled. */
export function settleForward(queries: Queries, result: ForwardResult): void {
  const { target, id, state, attempts, error } = result;
  queries.do(
    runSql(
      `UPDATE event_forwards SET state = :state, attempts = :attempts, last_error = :error
      WHERE target = :target AND state = 'waiting' AND event = :id`,
      { target, state, attempts, error, id },
    ),
  );
  if (state === 'waiting') return;
  // An event that is not remembered loses its content when it no longer waits for any address.
  queries.do(
    runSql(
      `UPDATE events SET headers = '[]', body = :nothing
      WHERE id = :id AND is_passing = 1 AND id NOT IN (${WAITING} AND event = :id)`,
      { id, nothing: new Uint8Array() },
    ),
  );
}
