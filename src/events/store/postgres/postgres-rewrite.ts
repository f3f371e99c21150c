/**
 * Going over all events that a server keeps, and changing what they say of somebody, with their facts
 * (events/store/rewrite-events.ts does so in the file). The owner of the ledger alone may.
 */
import { dropFacts, putFacts } from '../../../index/postgres/postgres-write-facts.ts';
import type { RunStatement } from '../../../store/postgres/server.ts';
import { factsOfEvent, originsInRange } from '../index-events.ts';
import { changesOf, type RewrittenEvent } from '../rewrite-events.ts';

/** A body may have 1 MiB. */
const PAGE_ROWS = 50;

type InJson = 'subjects' | 'headers';
type Row = Omit<RewrittenEvent, InJson | 'verification'> &
  Record<InJson, string> & {
    verification: string | null;
    isPassing: boolean;
    duplicateOf: number | null;
  };

/**
 * @param run of a transaction where rows are changed
 * @param only ids of events that are changed; without them all are asked about, and none is changed
 * @returns ids of events that would be another, or were
 */
export async function rewriteEvents(
  run: RunStatement,
  rewrite: (event: RewrittenEvent) => 'same' | RewrittenEvent,
  only?: readonly number[],
): Promise<number[]> {
  const touched: number[] = [];
  for await (const row of eachEvent(run, only)) {
    const becomes = rewrite(eventOf(row));
    if (becomes === 'same') continue;
    touched.push(row.id);
    if (only) await changeEvent(run, row, becomes);
  }
  return touched;
}

async function* eachEvent(run: RunStatement, only?: readonly number[]): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const rows = await run<Row>(
      `SELECT id, received_at AS "receivedAt", profile, mode, event, subjects, source, verification,
              headers, body, is_passing AS "isPassing", duplicate_of AS "duplicateOf",
              EXISTS (SELECT 1 FROM gw.event_forwards
                       WHERE event_forwards.event = events.id AND state = 'waiting') AS "isWaiting"
         FROM gw.events WHERE id > $1 AND ($2::bigint[] IS NULL OR id = ANY ($2::bigint[]))
        ORDER BY id LIMIT ${PAGE_ROWS} ${only ? 'FOR UPDATE OF events' : ''}`,
      [after, only ?? null],
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

function eventOf({ isPassing: _, duplicateOf: __, ...row }: Row): RewrittenEvent {
  return {
    ...row,
    subjects: JSON.parse(row.subjects),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
  };
}

async function changeEvent(run: RunStatement, row: Row, becomes: RewrittenEvent): Promise<void> {
  const { id } = row;
  const { source, body, subjects, customers, headers, verification } = changesOf(becomes);
  await run(
    `UPDATE gw.events
        SET source = $2, body = $3, subjects = $4, customers = $5, headers = $6, verification = $7,
            is_masked = true
      WHERE id = $1`,
    [id, source, body, subjects, customers, headers, verification],
  );
  if (source !== row.source) await renameSource(run, row.source, source);
  await dropFacts(run, 'origin >= $1 AND origin < $2', originsInRange(id));
  if (row.duplicateOf === null && !row.isPassing) await putFacts(run, factsOfEvent(becomes));
}

/** Whoever holds the lease of a source that has another name now finds nothing more of it. */
async function renameSource(run: RunStatement, from: string, to: string): Promise<void> {
  await run(
    `INSERT INTO gw.event_sources (source, event, identity)
     SELECT $2, event, identity FROM gw.event_sources WHERE source = $1
     ON CONFLICT (source) DO UPDATE SET event = excluded.event, identity = excluded.identity`,
    [from, to],
  );
  await run('DELETE FROM gw.event_sources WHERE source = $1', [from]);
  await run('DELETE FROM gw.event_leases WHERE source = $1', [from]);
}
