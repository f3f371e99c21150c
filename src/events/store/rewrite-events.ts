/** Goes through all stored events, and changes what they say about a person. */
import { type AskedRows, type GoneOver, goOver } from '../../journal/rewrite.ts';
import { update, type Work } from '../../store/sql.ts';
import { deferSource } from '../../things/deferred.ts';
import type { StoredEvent } from '../event.ts';
import { EVENT_COLUMNS, type EventRow, eventOf } from './kept-events.ts';

/** A body may have 1 MiB. */
const AT_ONCE = 50;

export interface RewrittenEvent extends StoredEvent {
  /** true while it waits to be passed on. */
  isWaiting: boolean;
}

export function rewriteEvents(
  rewrite: (event: RewrittenEvent) => 'same' | RewrittenEvent,
  asked: AskedRows,
): Work<GoneOver> {
  const rows = `
    SELECT rowid AS "number", ${EVENT_COLUMNS},
           EXISTS (SELECT 1 FROM gw.event_forwards
                    WHERE event_forwards.event = events.id AND state = 'waiting') AS "isWaiting"
      FROM gw.events`;
  type Row = EventRow & { number: number; isWaiting: unknown };
  const change = function* ({ number: _, isWaiting, ...row }: Row): Work<boolean> {
    const becomes = rewrite({ ...eventOf(row), isWaiting: Boolean(isWaiting) });
    if (becomes === 'same') return false;
    if ('only' in asked) yield* changeEvent(row, becomes);
    return true;
  };
  return goOver(rows, asked, change, AT_ONCE);
}

function* changeEvent({ id }: EventRow, becomes: RewrittenEvent): Work<void> {
  const { verification, headers, body } = becomes;
  const changes = {
    source: becomes.source,
    body,
    headers: JSON.stringify(headers),
    verification: verification && JSON.stringify(verification),
    is_masked: true,
  };
  yield* update('events', changes, { id });
  yield* deferSource({ kind: 'event', account: null, id: String(id) });
}
