/** The view of a ledger. */
import { fieldColumn, ownView } from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';

export interface LedgerStatus {
  /** The path, or the address without its parameters. */
  label: string;
  /** The version of the server; undefined for a file. */
  version?: string;
  form: number;
  entries: number;
  records: number;
  /** The events in a file; undefined for a server, which has none. */
  events?: number;
  unresolved: number;
}

const FIELDS = ['ledger', 'version', 'form', 'entries', 'records', 'events', 'unresolved'] as const;

export const LEDGER_STATUS_VIEW = ownView({
  name: 'ledger',
  plural: 'ledgers',
  mayHave: FIELDS,
  hasHeader: true,
  id: (record) => textOf(record.ledger),
  columns: FIELDS.map((field) => fieldColumn(field)),
  panel: async (record) => (await import('../../view/panels/place-panel.ts')).ledgerPanel(record),
  computed: ({ label, version, events }: LedgerStatus) => ({
    ledger: label,
    version: version ?? null,
    events: events ?? null,
  }),
});
