/** How a received event is shown; the record is made where its body is read (webhooks/receive). */
import type { JsonObject } from '../../base/json.ts';
import type { Outcome } from '../../contract/normal.ts';
import {
  amountColumn,
  cuttable,
  early,
  fieldColumn,
  type RecordView,
  timeColumn,
} from '../columns.ts';
import { textOf } from '../values.ts';

export const EVENT_VIEW: RecordView = {
  name: 'event',
  plural: 'events',
  columns: [
    fieldColumn('id'),
    timeColumn('received_at', { header: 'received' }),
    fieldColumn('mode'),
    fieldColumn('event', cuttable),
    fieldColumn('who', cuttable),
    amountColumn,
    { header: 'outcome', text: outcomeText, cuttable: true, tinted: true },
    fieldColumn('duplicate_of', early),
    fieldColumn('verification', early),
    fieldColumn('authentication', early),
  ],
  fields: [],
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
