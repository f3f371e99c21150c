/**
 * What is passed on by several listeners that share a ledger: who takes which sources, and what became
 * of their events.
 *
 * A source is one's own while its row of `event_leases` names one and its time, which is the server's, is
 * not over. It is taken by a statement that sees it free at its own `now()`; whoever had it before had
 * settled what it passed on before it let go, so that this is seen as well.
 */
import type { Server } from '../../../store/postgres/server.ts';
import type { Verification } from '../../event.ts';
import type { ForwardClaim, ForwardLeases, ForwardResult, WaitingForward } from '../event-store.ts';

/** How long a listener that is gone keeps its sources from others. */
const LEASE_MS = 15_000;
/** Clocks run at different speeds, and an attempt takes a moment to be ended. */
const MARGIN_MS = 2_000;

/** `$5` in milliseconds from now. */
const LEASE = "now() + $5 * interval '1 millisecond'";

const CLAIM = `
  WITH free AS (
    SELECT waiting.event, source, attempts, verification
      FROM gw.event_forwards AS waiting JOIN gw.events AS events ON events.id = waiting.event
     WHERE target = $1 AND state = 'waiting' AND source <> ALL ($3::text[])
       AND ($6::boolean OR verification IS NULL OR verification LIKE '%"state":"verified"%')
       AND NOT EXISTS (
         SELECT 1 FROM gw.event_leases AS lease
          WHERE lease.target = waiting.target AND lease.source = events.source
            AND lease.holder <> $2 AND lease.lease_until > now())
     ORDER BY waiting.event LIMIT $4
  ), taken AS (
    INSERT INTO gw.event_leases (target, source, holder, lease_until)
    SELECT DISTINCT $1, source, $2, ${LEASE} FROM free ORDER BY source
    ON CONFLICT (target, source) DO UPDATE
       SET holder = excluded.holder, lease_until = excluded.lease_until
     WHERE event_leases.holder = excluded.holder OR event_leases.lease_until <= now()
    RETURNING source
  ), let_go AS (
    UPDATE gw.event_leases SET lease_until = now()
     WHERE target = $1 AND holder = $2 AND source = ANY ($7::text[]) AND lease_until > now()
       AND source NOT IN (SELECT source FROM free)
  )
  SELECT event AS id, source, attempts, verification
    FROM free WHERE source IN (SELECT source FROM taken) ORDER BY event`;

const RENEW = `
  UPDATE gw.event_leases SET lease_until = now() + $4 * interval '1 millisecond'
   WHERE target = $1 AND holder = $2 AND source = ANY ($3::text[]) AND lease_until > now()
  RETURNING source`;

/** What is done with stays so, whatever a listener that has lost its source still says of it. */
const SETTLE = `
  WITH result AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::integer[], $5::text[])
      AS result (target, event, state, attempts, error)
  ), settled AS (
    UPDATE gw.event_forwards AS forward
       SET state = result.state, attempts = result.attempts, last_error = result.error
      FROM result
     WHERE forward.target = result.target AND forward.event = result.event
       AND forward.state = 'waiting'
  )
  UPDATE gw.events SET headers = '[]', body = ''
   WHERE is_passing AND id IN (SELECT event FROM result WHERE state <> 'waiting')
     AND NOT EXISTS (
       SELECT 1 FROM gw.event_forwards AS other
        WHERE other.event = events.id AND other.state = 'waiting'
          AND NOT EXISTS (
            SELECT 1 FROM result
             WHERE result.target = other.target AND result.event = other.event
               AND result.state <> 'waiting'))`;

type WaitingRow = Omit<WaitingForward, 'verification'> & { verification: string | null };

/** What waits for an address, oldest first. */
export async function waitingForwards(server: Server, target: string): Promise<WaitingForward[]> {
  const rows = await server.runAgain<WaitingRow>(
    `SELECT id, source, attempts, verification
       FROM gw.event_forwards AS waiting JOIN gw.events AS events ON events.id = waiting.event
      WHERE target = $1 AND state = 'waiting' ORDER BY id`,
    [target],
  );
  return rows.map(waitingOf);
}

/** @param holder names who takes sources; nobody else has the same name */
export function leasesOf(server: Server, holder: string): ForwardLeases {
  return {
    heldMs: LEASE_MS - MARGIN_MS,
    async claim({ target, limit, isConfirming, held, ended }: ForwardClaim) {
      const values = [target, holder, held, limit, LEASE_MS, isConfirming, ended];
      return (await server.runAgain<WaitingRow>(CLAIM, values)).map(waitingOf);
    },
    async renew(target, held) {
      const rows = await server.runAgain(RENEW, [target, holder, held, LEASE_MS]);
      return rows.length === held.length;
    },
  };
}

/** @returns what writes results down; those that are given while one is under way go together */
export function forwardSettler(
  server: Server,
): (results: readonly ForwardResult[]) => Promise<void> {
  let waiting: readonly ForwardResult[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  return (results) => {
    waiting = [...waiting, ...results];
    next ??= last.then(async () => {
      const all = waiting;
      waiting = [];
      next = undefined;
      await settle(server, all);
    });
    const written = next;
    last = written.catch(() => undefined);
    return written;
  };
}

async function settle(server: Server, results: readonly ForwardResult[]): Promise<void> {
  await server.runAgain(SETTLE, [
    results.map(({ target }) => target),
    results.map(({ id }) => id),
    results.map(({ state }) => state),
    results.map(({ attempts }) => attempts),
    results.map(({ error }) => error),
  ]);
}

function waitingOf({ verification, ...row }: WaitingRow): WaitingForward {
  const known: Verification | null = verification === null ? null : JSON.parse(verification);
  return { ...row, verification: known };
}
