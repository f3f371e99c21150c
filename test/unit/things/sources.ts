/** Writes sources of things as the stores do, and notes them as due. */

import { insert, runSql, type SqlValues, type Work } from '../../../src/store/sql.ts';
import { type DueSource, deferSource } from '../../../src/things/deferred.ts';
import { newEvent } from '../events/support.ts';

export type Row = Readonly<Record<string, string | number | null>>;

const RECORD = { host: 'h', first_seen_at: '2026-03-01T00:00:00.000Z', seen_by: 'get' };
const ENTRY = {
  host: 'h',
  body: '{}',
  operator: 'ada@desk',
  created_at: '2026-03-01T00:00:00.000Z',
};
const COLUMNS = ['reference', 'name', 'last_four', 'amount'] as const;

/** @param row has `record` as JSON */
export function* putRecord(row: Row): Work<void> {
  const none = Object.fromEntries(COLUMNS.map((name) => [name, null]));
  const { kind = '', account = null, id = '' } = row;
  yield* runSql('DELETE FROM gw.records WHERE account = :account AND kind = :kind AND id = :id', {
    account,
    kind,
    id,
  });
  const { currency = null } = JSON.parse(String(row.record ?? '{}'));
  yield* insert('records', { ...none, ...RECORD, currency, ...row });
  yield* due({ kind, account, id } as DueSource);
}

export function* putEntry(row: Row): Work<void> {
  const { id = '' } = row;
  yield* runSql('DELETE FROM gw.money_requests WHERE id = :id', { id });
  yield* insert('money_requests', { ...ENTRY, ...row });
  yield* due({ kind: 'request', account: null, id: String(id) });
}

export interface SentEvent {
  id: number;
  body: object;
  receivedAt: string;
  profile: string | null;
  mode: string | null;
}

/** Writes an event; in place of an earlier one with its number, as when a person is forgotten. */
export function* putEvent({ id, body, receivedAt, profile, mode }: SentEvent): Work<void> {
  const { event, outcome, fault, source, ...sent } = newEvent(body);
  yield* runSql('DELETE FROM gw.events WHERE id = :id', { id });
  const row: SqlValues = {
    ...{ id, received_at: receivedAt, profile, mode, event, outcome, fault, source },
    ...{ status: 200, authentication: 'basic', identity: sent.identity, body: sent.body },
    ...{ headers: '[]', is_lasting: 1, is_masked: 0 },
  };
  yield* insert('events', row);
  yield* due({ kind: 'event', account: null, id: String(id) });
}

export function* contradict(id: number): Work<void> {
  const verification = JSON.stringify({ state: 'contradicted', reason: 'not found' });
  yield* runSql('UPDATE gw.events SET verification = :verification WHERE id = :id', {
    verification,
    id,
  });
  yield* due({ kind: 'event', account: null, id: String(id) });
}

export function* removeSource(source: DueSource): Work<void> {
  const { kind, account, id } = source;
  if (kind === 'event') yield* runSql('DELETE FROM gw.events WHERE id = :id', { id: Number(id) });
  else if (kind === 'request')
    yield* runSql('DELETE FROM gw.money_requests WHERE id = :id', { id });
  else
    yield* runSql('DELETE FROM gw.records WHERE account = :account AND kind = :kind AND id = :id', {
      account,
      kind,
      id,
    });
  yield* due(source);
}

function due(source: DueSource): Work<void> {
  return deferSource(source);
}
