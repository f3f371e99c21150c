/** The view of a batch's line: its outcome, its request, and the message of the gateway or gw. */
import type { Outcome } from '../../contract/normal.ts';
import {
  amountColumn,
  cuttable,
  extra,
  fieldColumn,
  type RecordView,
  shortId,
} from '../../view/columns.ts';
import { reasonIn } from '../../view/reason.ts';
import { textOf } from '../../view/values.ts';

const TINTS: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  'not-started': 'unclear',
  'not-sent': 'unclear',
  elsewhere: 'unclear',
  unknown: 'unclear',
};

/** Its records are made safe to show when they are built. */
export const BATCH_LINE_VIEW: RecordView = {
  name: 'line',
  plural: 'lines',
  isPublished: true,
  columns: [
    fieldColumn('line', { align: 'right' }),
    fieldColumn('outcome', { tinted: true }),
    fieldColumn('reference', cuttable),
    amountColumn,
    fieldColumn('id'),
    fieldColumn('message', { ...cuttable, shorten: reasonIn }),
    fieldColumn('purchase_reference', extra),
    fieldColumn('customer', extra),
    fieldColumn('note', extra),
    fieldColumn('entry', { ...extra, shorten: shortId }),
  ],
  fields: [
    'line',
    'outcome',
    'earlier',
    'id',
    'reference',
    'amount',
    'currency',
    'target',
    'purchase_reference',
    'customer',
    'note',
    'message',
    'next',
    'entry',
    'gw_reference',
  ],
  // A declined line has an id too, but no command can go on with it.
  id: ({ outcome, id }) => (outcome === 'done' ? textOf(id ?? null) : undefined),
  outcome: ({ outcome }) => TINTS[String(outcome)] ?? 'declined',
};
