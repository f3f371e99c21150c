/** The view of a batch: its name, when and by whom it was run, and the outcomes of its lines. */
import type { JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { Batch } from '../../journal/batches.ts';
import {
  type Column,
  cuttable,
  extra,
  fieldColumn,
  ownView,
  timeColumn,
} from '../../view/columns.ts';

/** A digest is shown by its first digits. */
const DIGEST = /^[\da-f]{32}$/;
const SHOWN_DIGITS = 8;

export const BATCH_VIEW = ownView({
  name: 'batch',
  plural: 'batches',
  mayHave: [
    'id',
    'operation',
    'profile',
    'environment',
    'host',
    'started_at',
    'last_at',
    'operators',
    'lines',
    'done',
    'declined',
    'rejected',
    'not_sent',
    'unknown',
    'sending',
    'totals',
  ],
  columns: [
    fieldColumn('id', { shorten: (id) => (DIGEST.test(id) ? id.slice(0, SHOWN_DIGITS) : id) }),
    fieldColumn('operation', cuttable),
    timeColumn('last_at', { header: 'last run' }),
    countColumn('lines'),
    countColumn('done'),
    countColumn('declined', extra),
    countColumn('rejected', extra),
    countColumn('unknown'),
    { header: 'total done', text: totalsText, align: 'right' },
    fieldColumn('profile', extra),
    {
      header: 'by',
      text: ({ operators }) => (operators as string[]).join(', '),
      ...cuttable,
      ...extra,
    },
  ],
  computed: ({ batch, first, last, counts, done }: Batch) => ({
    id: batch,
    started_at: first,
    last_at: last,
    done: counts.done ?? 0,
    declined: counts.declined ?? 0,
    rejected: counts.rejected ?? 0,
    not_sent: (counts['not-sent'] ?? 0) + (counts['not-done'] ?? 0),
    unknown: counts.unknown ?? 0,
    sending: counts.sending ?? 0,
    totals: [...done].map(([code, amount]) => ({ amount, currency: code === '' ? null : code })),
  }),
});

function countColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, { align: 'right', ...options });
}

function totalsText({ totals }: JsonObject): string | undefined {
  const texts = (totals as { amount: number; currency: string | null }[]).map(
    ({ amount, currency }) => moneyText(amount, currency),
  );
  return texts.length === 0 ? undefined : texts.join(' and ');
}
