/** How a ledger is shown, and who is at it. */
import { fieldColumn, late, ownView, recordOf, timeColumn } from '../columns.ts';
import { textOf } from '../values.ts';

export interface LedgerStatus {
  /** Path, or address without its parameters. */
  label: string;
  /** Of the server; undefined for a file. */
  version?: string;
  form: number;
  bytes: number;
  latencyMs?: number;
  /** How far this machine's clock is ahead of the server's. */
  aheadMs?: number;
  /** On how many servers a commit is that was answered; 0 when a crash may forget it. */
  durableHosts?: number;
  entries: number;
  records: number;
  /** Of a file; undefined for a server, which has none. */
  events?: number;
  isEstimated: boolean;
  unresolved: number;
  active?: readonly ActiveSender[];
}

export interface ActiveSender {
  operator: string;
  machine: string;
  since: string;
  unresolved: number;
}

export const LEDGER_STATUS_VIEW = ownView<LedgerStatus>({
  name: 'ledger',
  plural: 'ledgers',
  hasHeader: true,
  id: (record) => textOf(record.ledger),
  columns: [
    ...['ledger', 'version', 'form', 'size_bytes', 'latency_ms'].map((field) => fieldColumn(field)),
    ...['entries', 'records', 'events', 'unresolved'].map((field) => fieldColumn(field)),
    { header: 'active', text: ({ active }) => String(Array.isArray(active) ? active.length : 0) },
  ],
  card: async (record) => (await import('../cards/place-card.ts')).ledgerCard(record),
  record: (status) => ({
    ledger: status.label,
    version: status.version ?? null,
    form: status.form,
    size_bytes: status.bytes,
    latency_ms: status.latencyMs === undefined ? null : Math.round(status.latencyMs * 10) / 10,
    clock_ahead_ms: status.aheadMs ?? null,
    durable_hosts: status.durableHosts ?? null,
    entries: status.entries,
    records: status.records,
    events: status.events ?? null,
    counts_are_estimates: status.isEstimated,
    unresolved: status.unresolved,
    active: status.active?.map((one) => ACTIVE_SENDER_VIEW.record(one)) ?? null,
  }),
});

export const ACTIVE_SENDER_VIEW = ownView<ActiveSender>({
  name: 'sender',
  plural: 'senders',
  hasHeader: true,
  id: (record) => textOf(record.operator),
  columns: [
    fieldColumn('operator'),
    fieldColumn('machine', late),
    timeColumn('since'),
    fieldColumn('unresolved', { align: 'right' }),
  ],
  record: (sender) => recordOf(sender, ['operator', 'machine', 'since', 'unresolved']),
});
