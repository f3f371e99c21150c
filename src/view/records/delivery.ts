/** How a delivery of the embedded gateway is shown, and the answer to one that was sent from here. */
import type { LoggedDelivery } from '../../emulator/deliveries/queue.ts';
import {
  cuttable,
  early,
  eventColumn,
  fieldColumn,
  firstOf,
  ownView,
  timeColumn,
  vital,
} from '../columns.ts';
import { textOf } from '../values.ts';

const MINUTES = '2026-07-29 10:24'.length;

/** Of a delivery whose address has no username and password any more. */
export const DELIVERY_VIEW = ownView<LoggedDelivery>({
  name: 'delivery',
  plural: 'deliveries',
  columns: [
    fieldColumn('id', { align: 'right' }),
    timeColumn('created_at', {}, MINUTES),
    eventColumn,
    fieldColumn('state', vital),
    fieldColumn('attempts', { align: 'right' }),
    fieldColumn('result', cuttable),
    fieldColumn('customer', early),
    fieldColumn('hook', { align: 'right' }),
    timeColumn('due_at', early, MINUTES),
  ],
  record: (delivery) => ({ ...delivery, body: JSON.parse(delivery.body) }),
});

export interface SentDelivery {
  event: string | null;
  to: string;
  /** HTTP status of the answer. */
  status: number;
  /** true when the body was not as it was received. */
  changed: boolean;
}

export const SENT_VIEW = ownView<SentDelivery>({
  name: 'delivery',
  plural: 'deliveries',
  fields: ['event', 'to', 'status', 'changed'],
  id: firstOf(['event']),
  columns: [fieldColumn('event', cuttable), fieldColumn('to', cuttable), fieldColumn('status')],
  card: async ({ event, to, status, changed }) => {
    const { rowOf } = await import('../cards/words.ts');
    const isTaken = Number(status) >= 200 && Number(status) < 300;
    return {
      outcome: isTaken ? 'approved' : 'declined',
      head: `${isTaken ? 'Taken' : 'NOT TAKEN'}  ${textOf(event) ?? 'no event'}`,
      rows: [
        ...rowOf('to', to),
        ...rowOf('answer', status),
        ...rowOf('body', changed === true ? 'changed by --set' : undefined),
      ],
      shown: ['event', 'to', 'status', 'changed'],
    };
  },
  record: (sent) => ({ ...sent }),
});
