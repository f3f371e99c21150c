/** What is to be passed on, and what became of it. */
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Verification } from '../event.ts';
import type { ForwardResult, WaitingForward } from './event-store.ts';

/** Ids of events that are still to be passed on. */
export const WAITING = "SELECT event FROM event_forwards WHERE state = 'waiting'";

/** What waits for an address, oldest first. */
export function waitingForwards(queries: Queries, target: string): WaitingForward[] {
  const rows = queries.all<Omit<WaitingForward, 'verification'> & { verification: string | null }>(
    `SELECT id, source, attempts, verification
       FROM event_forwards JOIN events ON events.id = event_forwards.event
      WHERE target = ? AND state = 'waiting' ORDER BY id`,
    target,
  );
  return rows.map(({ verification, ...row }) => {
    const known: Verification | null = verification === null ? null : JSON.parse(verification);
    return { ...row, verification: known };
  });
}

/** What is done with stays so. */
export function settleForwards(queries: Queries, results: readonly ForwardResult[]): void {
  for (const { target, id, state, attempts, error } of results) {
    queries.run(
      `UPDATE event_forwards SET state = :state, attempts = :attempts, last_error = :error
        WHERE target = :target AND state = 'waiting' AND event = :id`,
      { target, state, attempts, error, id },
    );
    if (state === 'waiting') continue;
    // Of an event that is only passing, what nobody waits for any more.
    queries.run(
      `UPDATE events SET headers = '[]', body = :nothing
        WHERE id = :id AND is_passing = 1 AND id NOT IN (${WAITING} AND event = :id)`,
      { id, nothing: new Uint8Array() },
    );
  }
}
