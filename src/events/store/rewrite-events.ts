/** Going over all events that are kept, and changing what they say of somebody, with their facts. */

import type { Header } from '../../host/http/post-event.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Verification } from '../event.ts';
import { readDelivery } from '../read/read-delivery.ts';
import { dropFactsOfEvent, indexEvent } from './index-events.ts';

const PAGE_ROWS = 100;

/** What of an event may say who somebody is. */
export interface RewrittenEvent {
  id: number;
  receivedAt: string;
  profile: string | null;
  mode: string | null;
  event: string | null;
  subjects: readonly string[];
  source: string;
  verification: Verification | null;
  headers: readonly Header[];
  body: Uint8Array;
  /** true while it waits to be passed on. */
  isWaiting: boolean;
}

type InJson = 'subjects' | 'headers';
type Row = Omit<RewrittenEvent, InJson | 'verification' | 'isWaiting'> &
  Record<InJson, string> & {
    verification: string | null;
    isWaiting: number;
    isPassing: number;
    duplicateOf: number | null;
  };

/**
 * @param only ids of events that are changed; without them all are asked about, and none is changed
 * @returns ids of events that would be another, or were
 */
export function rewriteEvents(
  queries: Queries,
  rewrite: (event: RewrittenEvent) => 'same' | RewrittenEvent,
  only?: readonly number[],
): number[] {
  const touched: number[] = [];
  for (const row of eachEvent(queries, only)) {
    const becomes = rewrite(eventOf(row));
    if (becomes === 'same') continue;
    touched.push(row.id);
    if (!only) continue;
    const { id, source } = becomes;
    queries.update('events', { ...changesOf(becomes), is_masked: 1 }, { id });
    if (source !== row.source)
      queries.run(
        'UPDATE OR REPLACE event_sources SET source = ? WHERE source = ?',
        source,
        row.source,
      );
    dropFactsOfEvent(queries, id);
    if (row.duplicateOf === null && row.isPassing === 0) indexEvent(queries, becomes);
  }
  return touched;
}

/** @returns the columns that say who somebody is, as they are stored */
export function changesOf({ subjects, source, verification, headers, body }: RewrittenEvent) {
  return {
    source,
    body,
    subjects: JSON.stringify(subjects),
    customers: JSON.stringify(readDelivery(body).kept.customers),
    headers: JSON.stringify(headers),
    verification: verification && JSON.stringify(verification),
  };
}

function* eachEvent(queries: Queries, only?: readonly number[]): Generator<Row> {
  const wanted = only === undefined ? null : JSON.stringify(only);
  for (let after = 0; ; ) {
    const rows = queries.all<Row>(
      `SELECT id, received_at AS receivedAt, profile, mode, event, subjects, source,
              verification, headers, body, is_passing AS isPassing, duplicate_of AS duplicateOf,
              EXISTS (SELECT 1 FROM event_forwards
                       WHERE event_forwards.event = events.id AND state = 'waiting') AS isWaiting
         FROM events WHERE id > ? AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))
        ORDER BY id LIMIT ${PAGE_ROWS}`,
      after,
      wanted,
      wanted,
    );
    for (const row of rows) {
      yield row;
      after = row.id;
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

function eventOf({ isPassing: _, duplicateOf: __, ...row }: Row): RewrittenEvent {
  return {
    ...row,
    subjects: JSON.parse(row.subjects),
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    isWaiting: row.isWaiting === 1,
  };
}
