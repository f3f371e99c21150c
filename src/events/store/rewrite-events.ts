/** Walks over all stored events, and changes what they say about a person. */

import type { Header } from '../../host/http/post-event.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Verification } from '../event.ts';
import { deferEvent } from './kept-events.ts';

/** A body may have 1 MiB. */
const PAGE_ROWS = 50;

/** The parts of an event that may identify a person. */
export interface RewrittenEvent {
  id: number;
  receivedAt: string;
  profile: string | null;
  mode: string | null;
  event: string | null;
  source: string;
  verification: Verification | null;
  headers: readonly Header[];
  body: Uint8Array;
  /** true while it waits to be passed on. */
  isWaiting: boolean;
}

type RewrittenRow = Omit<RewrittenEvent, 'headers' | 'verification'> & {
  headers: string;
  verification: string | null;
};

/**
 * @param only ids of events to change; without it, `rewrite` is asked about all, and none is changed
 * @returns ids of the events that would change, or did
 */
export function rewriteEvents(
  queries: Queries,
  rewrite: (event: RewrittenEvent) => 'same' | RewrittenEvent,
  only?: readonly number[],
): number[] {
  const touched: number[] = [];
  for (let after = 0; ; ) {
    const rows = rowsAfter(queries, after, only);
    for (const row of rows) {
      const becomes = rewrite(eventOf(row));
      if (becomes === 'same') continue;
      touched.push(row.id);
      if (only) change(queries, row, becomes);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return touched;
    after = last.id;
  }
}

function rowsAfter(queries: Queries, after: number, only?: readonly number[]): RewrittenRow[] {
  return queries.all<RewrittenRow>(
    `SELECT id, received_at AS "receivedAt", profile, mode, event, source, verification,
            headers, body,
            EXISTS (SELECT 1 FROM event_forwards
                     WHERE event_forwards.event = events.id AND state = 'waiting') AS "isWaiting"
       FROM events
      WHERE id > :after ${only ? 'AND id IN (SELECT value FROM json_each(:only))' : ''}
      ORDER BY id LIMIT ${PAGE_ROWS}`,
    { after, only: only ?? [] },
  );
}

function eventOf(row: RewrittenRow): RewrittenEvent {
  return {
    ...row,
    headers: JSON.parse(row.headers),
    verification: row.verification === null ? null : JSON.parse(row.verification),
    isWaiting: Boolean(row.isWaiting),
  };
}

function change(queries: Queries, row: RewrittenRow, becomes: RewrittenEvent): void {
  const { id } = row;
  queries.update('events', { ...columnsOf(becomes), is_masked: 1 }, { id });
  if (becomes.source !== row.source) renameSource(queries, row.source, becomes.source);
  deferEvent(queries, id);
}

/** @returns the stored form of the columns that may identify a person */
function columnsOf({ source, verification, headers, body }: RewrittenEvent) {
  return {
    source,
    body,
    headers: JSON.stringify(headers),
    verification: verification && JSON.stringify(verification),
  };
}

/** A mark that is there already is the same text, for a person without a name. */
function renameSource(queries: Queries, from: string, to: string): void {
  queries.run('UPDATE OR REPLACE event_marks SET mark = ? WHERE mark = ?', to, from);
}
