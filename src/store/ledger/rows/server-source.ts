/**
 * The rows of a ledger on a server, page by page; in one transaction they are of one moment.
 *
 * This folder reads the rows of a ledger on a server, and writes them there.
 */

import type { RunStatement } from '../../postgres/server.ts';
import { unsettled } from './file-source.ts';
import {
  ENTRIES_A_PAGE,
  ENTRY_COLUMNS,
  type EntryRow,
  EVENT_COLUMNS,
  EVENTS_A_PAGE,
  type EventRow,
  type ForwardRow,
  originOf,
  RECORD_COLUMNS,
  type RecordRow,
  type RowSource,
} from './ledger-rows.ts';

/** @returns which ledger it is, for good */
export async function serverLedgerId(run: RunStatement): Promise<string> {
  const [ledger] = await run<{ id: string }>('SELECT id FROM gw.ledger');
  return ledger?.id ?? '';
}

export function serverSource(run: RunStatement, id: string): RowSource {
  return {
    entries: () => entries(run),
    records: () => records(run),
    events: () => events(run, id),
  };
}

/** In the order in which they are listed; times as the server has them, which is finer than ISO 8601 of gw. */
async function* entries(run: RunStatement): AsyncGenerator<EntryRow[]> {
  const columns = Object.keys(ENTRY_COLUMNS).map((name) => `m.${name}`);
  for (let after: [at: string, number: number] = ['-infinity', 0]; ; ) {
    const rows = await run<EntryRow & { at: string; number: number; is_held: boolean }>(
      `SELECT m.created_at::text AS at, m.number, ${columns},
              coalesce(s.lease_until >= now(), false) AS is_held
         FROM gw.money_requests AS m LEFT JOIN gw.senders AS s ON s.id = m.sender
        WHERE (m.created_at, m.number) > ($1::timestamptz, $2::bigint)
        ORDER BY m.created_at, m.number LIMIT ${ENTRIES_A_PAGE}`,
      after,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ at: _at, number: _number, is_held, ...row }) =>
      row.state === 'sending' ? unsettled(row, is_held) : row,
    );
    after = [last.at, last.number];
  }
}

/** By their ids, which have an index; of one id there are few. */
async function* records(run: RunStatement): AsyncGenerator<RecordRow[]> {
  const columns = Object.keys(RECORD_COLUMNS);
  const place = ['id', "coalesce(account, '')", 'profile', 'host', 'kind'];
  for (let after = place.map(() => ''); ; ) {
    const rows = await run<RecordRow>(
      `SELECT ${columns} FROM gw.records_seen
        WHERE id >= $1 AND (${place}) > ($1, $2, $3, $4, $5)
        ORDER BY ${place} LIMIT ${ENTRIES_A_PAGE}`,
      after,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = [last.id, last.account ?? '', last.profile, last.host, last.kind];
  }
}

interface ReadEvent extends Omit<EventRow, 'origin' | 'repeats' | 'forwards'> {
  number: number;
  origin: string | null;
  repeats: number | null;
  repeats_origin: string | null;
}

async function* events(run: RunStatement, ledger: string): AsyncGenerator<EventRow[]> {
  const columns = Object.keys(EVENT_COLUMNS).map((name) => `e.${name}`);
  for (let after = 0; ; ) {
    const rows = await run<ReadEvent>(
      `SELECT e.id AS number, e.origin, e.duplicate_of AS repeats,
              repeated.origin AS repeats_origin, ${columns}
         FROM gw.events AS e LEFT JOIN gw.events AS repeated ON repeated.id = e.duplicate_of
        WHERE e.id > $1 ORDER BY e.id LIMIT ${EVENTS_A_PAGE}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return;
    const forwards = await forwardsOf(
      run,
      rows.map(({ number }) => number),
    );
    yield rows.map(({ number, origin, repeats, repeats_origin, ...row }) => ({
      ...row,
      origin: origin ?? originOf(ledger, number),
      repeats: repeats === null ? null : (repeats_origin ?? originOf(ledger, repeats)),
      forwards: forwards.get(number) ?? [],
    }));
    after = last.number;
  }
}

async function forwardsOf(
  run: RunStatement,
  events: readonly number[],
): Promise<Map<number, ForwardRow[]>> {
  const rows = await run<ForwardRow & { event: number }>(
    `SELECT event, target, state, attempts, last_error FROM gw.event_forwards
      WHERE event = ANY ($1::bigint[]) ORDER BY event, target`,
    [events],
  );
  const found = new Map<number, ForwardRow[]>();
  for (const { event, ...row } of rows) found.set(event, [...(found.get(event) ?? []), row]);
  return found;
}
