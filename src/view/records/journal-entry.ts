/** How an entry of the journal is shown, without the body of its request. */
import type { Outcome } from '../../contract/normal.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import {
  amountColumn,
  cuttable,
  early,
  fieldColumn,
  last,
  ownView,
  type RecordView,
  recordOf,
  timeColumn,
  vital,
} from '../columns.ts';
import { reasonIn } from '../reason.ts';

const FIELDS = [
  ...['id', 'created_at', 'state', 'operation', 'amount', 'currency', 'reference', 'target'],
  ...['record_id', 'message', 'status', 'profile', 'environment', 'host', 'account', 'settled_at'],
  ...['resolution', 'batch', 'operator', 'machine', 'resolved_by'],
] as const;

export const ENTRY_VIEW = ownView<LedgerEntry>({
  name: 'entry',
  plural: 'entries',
  fields: FIELDS,
  mayHave: ['outcomes', 'body'],
  columns: [
    // `journal show` takes the beginning of an id.
    fieldColumn('id', { shorten: (text) => text.slice(0, 8) }),
    timeColumn('created_at', last),
    fieldColumn('state', vital),
    fieldColumn('operation', last),
    amountColumn,
    fieldColumn('reference', cuttable),
    fieldColumn('record_id', early),
    fieldColumn('profile', early),
    fieldColumn('operator', early),
  ],
  card: async (record) => (await import('../cards/entry-card.ts')).entryCard(record),
  record: (entry) => recordOf(entry, FIELDS),
});

/** The same as a line of its batch, of which operation and profile are said once. */
export const BATCH_ENTRY_VIEW: RecordView = {
  ...ENTRY_VIEW,
  name: 'line',
  plural: 'lines',
  columns: [
    fieldColumn('reference', cuttable),
    fieldColumn('state', { tinted: true }),
    amountColumn,
    fieldColumn('record_id', vital),
    fieldColumn('message', { ...cuttable, shorten: reasonIn }),
    timeColumn('created_at', early),
    fieldColumn('id', { shorten: (text) => text.slice(0, 8) }),
  ],
  outcome: ({ state }) => TINTS[String(state)] ?? 'unclear',
};

const TINTS: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  declined: 'declined',
  rejected: 'declined',
};
