/**
 * What is to be passed on, and what became of it; and who passes on what where several listeners share a
 * ledger.
 *
 * A source is one's own while its row of `event_leases` names one and its time, which is the server's, is
 * not over. It is taken by a statement that sees it free at its own `now()`; whoever had it before had
 * settled what it passed on before it let go, so that this is seen as well.
 */
import { all, change, run, type SqlStore, type Work } from '../../store/sql.ts';
import type { Verification } from '../event.ts';
import type { ForwardClaim, ForwardLeases, ForwardResult, WaitingForward } from './event-store.ts';

/** Ids of events that somebody is still to pass on. */
export const WAITING = "SELECT event FROM gw.event_forwards WHERE state = 'waiting'";

type WaitingRow = Omit<WaitingForward, 'verification'> & { verification: string | null };

/** What waits for an address, oldest first. */
export function* waitingForwards(target: string): Work<WaitingForward[]> {
  const rows = yield* all<WaitingRow>(
    `SELECT id, source, attempts, verification
       FROM gw.event_forwards AS waiting JOIN gw.events AS events ON events.id = waiting.event
      WHERE target = :target AND state = 'waiting' ORDER BY id`,
    { target },
  );
  return rows.map(waitingOf);
}

function waitingOf({ verification, ...row }: WaitingRow): WaitingForward {
  const known: Verification | null = verification === null ? null : JSON.parse(verification);
  return { ...row, verification: known };
}

/** What is done with stays so, whatever a listener that has lost its source still says of it. */
export function* settleForwards(results: readonly ForwardResult[]): Work<void> {
  for (const { target, state, attempts, error, ids } of alike(results))
    yield* run(
      `UPDATE gw.event_forwards SET state = :state, attempts = :attempts, last_error = :error
        WHERE target = :target AND state = 'waiting' AND event = ANY (:ids)`,
      { target, state, attempts, error, ids },
    );
  const ended = results.filter(({ state }) => state !== 'waiting').map(({ id }) => id);
  if (ended.length === 0) return;
  // Of an event that is only passing, what nobody waits for any more.
  yield* run(
    `UPDATE gw.events SET headers = '[]', body = :nothing
      WHERE id = ANY (:ended) AND is_passing AND id NOT IN (${WAITING})`,
    { ended, nothing: new Uint8Array() },
  );
}

/** @returns results that differ in nothing but the event, together */
function alike(results: readonly ForwardResult[]) {
  const groups = new Map<string, Omit<ForwardResult, 'id'> & { ids: number[] }>();
  for (const { id, ...result } of results) {
    const { target, state, attempts, error } = result;
    const key = JSON.stringify([target, state, attempts, error]);
    const group = groups.get(key) ?? { ...result, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return groups.values();
}

/** How long a listener that is gone keeps its sources from others. */
const LEASE_MS = 15_000;
/** Clocks run at different speeds, and an attempt takes a moment to be ended. */
const MARGIN_MS = 2_000;

const LEASE_END = `now() + ${LEASE_MS} * interval '1 millisecond'`;

const CLAIM = `
  WITH free AS (
    SELECT waiting.event, source, attempts, verification
      FROM gw.event_forwards AS waiting JOIN gw.events AS events ON events.id = waiting.event
     WHERE target = :target AND state = 'waiting' AND source <> ALL (:held::text[])
       AND (:isConfirming::boolean OR verification IS NULL
            OR verification LIKE '%"state":"verified"%')
       AND NOT EXISTS (
         SELECT 1 FROM gw.event_leases AS lease
          WHERE lease.target = waiting.target AND lease.source = events.source
            AND lease.holder <> :holder AND lease.lease_until > now())
     ORDER BY waiting.event LIMIT :limit
  ), taken AS (
    INSERT INTO gw.event_leases (target, source, holder, lease_until)
    SELECT DISTINCT :target, source, :holder, ${LEASE_END} FROM free ORDER BY source
    ON CONFLICT (target, source) DO UPDATE
       SET holder = excluded.holder, lease_until = excluded.lease_until
     WHERE event_leases.holder = excluded.holder OR event_leases.lease_until <= now()
    RETURNING source
  ), let_go AS (
    UPDATE gw.event_leases SET lease_until = now()
     WHERE target = :target AND holder = :holder AND source = ANY (:ended::text[])
       AND lease_until > now() AND source NOT IN (SELECT source FROM free)
  )
  SELECT event AS id, source, attempts, verification
    FROM free WHERE source IN (SELECT source FROM taken) ORDER BY event`;

const RENEW = `
  UPDATE gw.event_leases SET lease_until = ${LEASE_END}
   WHERE target = :target AND holder = :holder AND source = ANY (:held) AND lease_until > now()`;

/**
 * For a ledger on a server; whoever listens to a file is alone.
 * @param holder names who takes sources; nobody else has the same name
 */
export function leasesOf(store: Pick<SqlStore, 'write'>, holder: string): ForwardLeases {
  return {
    heldMs: LEASE_MS - MARGIN_MS,
    claim: async (claim: ForwardClaim) => {
      const rows = await store.write(() => all<WaitingRow>(CLAIM, { ...claim, holder }));
      return rows.map(waitingOf);
    },
    renew: async (target, held) =>
      (await store.write(() => change(RENEW, { target, holder, held }))) === held.length,
  };
}
