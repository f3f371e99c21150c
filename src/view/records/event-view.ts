/** How received events are shown as rows. */
import type { JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import { fieldColumn, type RecordView } from '../columns.ts';
import { amountText, textOf } from '../values.ts';

const cuttable = { cuttable: true } as const;
const early = { drop: 'early' } as const;

export const EVENT_VIEW: RecordView = {
  name: 'event',
  plural: 'events',
  columns: [
    fieldColumn('id'),
    fieldColumn('received_at', {
      header: 'received',
      shorten: (text) => text.replace('T', ' ').slice(0, 19),
    }),
    fieldColumn('mode'),
    fieldColumn('event', cuttable),
    fieldColumn('who', cuttable),
    { header: 'amount', text: amountText, align: 'right' },
    { header: 'outcome', text: outcomeText, cuttable: true, tinted: true },
    { header: 'duplicate of', text: (record) => textOf(record.duplicate_of), ...early },
    fieldColumn('verification', early),
    fieldColumn('authentication', early),
  ],
  fields: [
    'id',
    'received_at',
    'mode',
    'event',
    'outcome',
    'message',
    'who',
    'customer',
    'subscription',
    'reference',
    'purchase',
    'amount',
    'decimal_amount',
    'currency',
    'elements',
    'authentication',
    'verification',
    'verification_reason',
    'duplicate_of',
    'fault',
    'status',
    'masked',
    'profile',
  ],
  id: (record) => textOf(record.id),
  outcome: tintOf,
};

function outcomeText(record: JsonObject): string | undefined {
  const said = textOf(record.fault) ?? textOf(record.message);
  const outcome = textOf(record.outcome) ?? '';
  const isNew = said !== undefined && said.toLowerCase() !== outcome;
  return isNew ? `${outcome}: ${said}` : outcome;
}

function tintOf(record: JsonObject): Outcome {
  if (record.outcome === 'approved') return 'approved';
  const isBad = ['declined', 'abandoned', 'expired', 'bad'].includes(String(record.outcome));
  return isBad ? 'declined' : 'unclear';
}

/** The answer to a delivery that was sent from here. */
export const SENT_VIEW: RecordView = {
  name: 'delivery',
  plural: 'deliveries',
  columns: [fieldColumn('event', cuttable), fieldColumn('to', cuttable), fieldColumn('status')],
  fields: ['event', 'to', 'status', 'changed'],
  id: (record) => textOf(record.event),
};
