/** How an entry of the journal is shown, without the body of its request. */
import type { LedgerEntry } from '../../journal/ledger.ts';
import {
  amountColumn,
  cuttable,
  early,
  fieldColumn,
  last,
  ownView,
  timeColumn,
} from '../columns.ts';

export const ENTRY_VIEW = ownView<LedgerEntry>({
  name: 'entry',
  plural: 'entries',
  columns: [
    // `journal show` takes the beginning of an id.
    fieldColumn('id', { shorten: (text) => text.slice(0, 8) }),
    timeColumn('created_at', last),
    fieldColumn('state'),
    fieldColumn('operation', last),
    amountColumn,
    fieldColumn('reference', cuttable),
    fieldColumn('record_id', early),
    fieldColumn('profile', early),
    fieldColumn('operator', early),
  ],
  record: (entry) => ({
    id: entry.id,
    created_at: entry.createdAt,
    state: entry.state,
    operation: entry.operation,
    amount: entry.amount,
    currency: entry.currency,
    reference: entry.reference,
    target: entry.target,
    record_id: entry.recordId,
    message: entry.message,
    status: entry.status,
    profile: entry.profile,
    environment: entry.environment,
    host: entry.host,
    account: entry.account,
    settled_at: entry.settledAt,
    resolution: entry.resolution,
    batch: entry.batch,
    operator: entry.operator,
    machine: entry.machine,
    resolved_by: entry.resolvedBy,
  }),
});
