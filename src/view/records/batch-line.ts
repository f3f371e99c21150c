/** How a line of a batch is shown: what became of it, what it asked for, and what the gateway or gw said. */
import type { Outcome } from '../../contract/normal.ts';
import { amountColumn, cuttable, extra, fieldColumn, type RecordView } from '../columns.ts';
import { reasonIn } from '../reason.ts';
import { textOf } from '../values.ts';

const TINTS: Readonly<Record<string, Outcome>> = {
  done: 'approved',
  'not-started': 'unclear',
  'not-sent': 'unclear',
  elsewhere: 'unclear',
  unknown: 'unclear',
};

/** Its records are safe to show as they are made. */
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
    fieldColumn('entry', { ...extra, shorten: (text) => text.slice(0, 8) }),
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
    'message',
    'next',
    'entry',
  ],
  // What was declined has an id as well, and is nothing to go on with.
  id: ({ outcome, id }) => (outcome === 'done' ? textOf(id ?? null) : undefined),
  outcome: ({ outcome }) => TINTS[String(outcome)] ?? 'declined',
};
