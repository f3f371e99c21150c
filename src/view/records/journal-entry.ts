/** The view of an entry of the journal, without the body of its request. */
import type { Outcome } from '../../contract/normal.ts';
import type { LedgerEntry } from '../../journal/ledger.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  extra,
  fieldColumn,
  formatInstant,
  ownView,
  type RecordView,
  shortId,
  timeColumn,
} from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { sentBy, sentByText } from '../sent-by.ts';
import { textOf } from '../values.ts';

const FIELDS = [
  'id',
  'created_at',
  'state',
  'operation',
  'amount',
  'currency',
  'reference',
  'target',
  'record_id',
  'message',
  'status',
  'profile',
  'environment',
  'host',
  'account',
  'settled_at',
  'resolution',
  'batch',
  'operator',
  'machine',
  'resolved_by',
  'note',
] as const;

const MARK = '?';

/** Marks a time that differs from the server's. */
const createdColumn: Column = {
  header: 'created at',
  text: (record) => {
    const text = textOf(record.created_at);
    return text !== undefined && sentBy(record).enteredAt !== undefined ? `${text}${MARK}` : text;
  },
  shorten: (text, { clockAt }) => text.replace(/[^?]+/, (time) => formatInstant(time, clockAt)),
  explain: (cells) =>
    cells.some((cell) => cell.endsWith(MARK))
      ? '? By the clock of the machine. `gw journal show` has the time of the server.'
      : undefined,
};

export const ENTRY_VIEW = ownView<LedgerEntry>({
  name: 'entry',
  plural: 'entries',
  fields: FIELDS,
  mayHave: ['entered_by', 'entered_at', 'proposal', 'approved_by', 'body'],
  columns: [
    fieldColumn('id', { shorten: shortId }),
    createdColumn,
    fieldColumn('state'),
    fieldColumn('operation'),
    amountColumn,
    fieldColumn('reference', cuttable),
    fieldColumn('record_id', extra),
    fieldColumn('profile', extra),
    { ...fieldColumn('operator', extra), text: sentByText },
  ],
  panel: async (record) => (await import('../panels/entry-panel.ts')).entryPanel(record),
});

/** The view of an entry with its payer, as `gw get` shows it. */
export const PAID_ENTRY_VIEW: RecordView = {
  ...ENTRY_VIEW,
  mayHave: [...(ENTRY_VIEW.mayHave ?? []), 'customer', 'who', 'last_four'],
};

/** The same entry as a line of its batch, which states operation and profile only once. */
export const BATCH_ENTRY_VIEW: RecordView = {
  ...ENTRY_VIEW,
  name: 'line',
  plural: 'lines',
  columns: [
    fieldColumn('reference', cuttable),
    fieldColumn('state', { tinted: true }),
    amountColumn,
    fieldColumn('record_id'),
    fieldColumn('message', { ...cuttable, shorten: reasonIn }),
    timeColumn('created_at', extra),
    fieldColumn('id', { shorten: shortId }),
  ],
  outcome: ({ state }) => TINTS[String(state)] ?? 'unclear',
};

const TINTS: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  declined: 'declined',
  rejected: 'declined',
};
