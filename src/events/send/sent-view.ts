/** The view of a delivery that was sent from here. */
import { cuttable, fieldColumn, idFromFields, ownView } from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';

export interface SentDelivery {
  event: string | null;
  to: string;
  /** HTTP status of the answer. */
  status: number;
  /** true if the body was changed after it was received. */
  changed: boolean;
  /** Number of the event that was received; null for a sample. */
  id: string | null;
}

export const SENT_VIEW = ownView<SentDelivery>({
  name: 'delivery',
  plural: 'deliveries',
  fields: ['event', 'to', 'status', 'changed', 'id'],
  id: idFromFields(['event']),
  columns: [
    fieldColumn('event', cuttable),
    fieldColumn('to', cuttable),
    fieldColumn('status'),
    fieldColumn('id', { align: 'right' }),
  ],
  panel: async ({ event, to, status, changed, id }) => {
    const { panelLines } = await import('../../view/panels/words.ts');
    const isTaken = Number(status) >= 200 && Number(status) < 300;
    return {
      outcome: isTaken ? 'approved' : 'declined',
      head: `${isTaken ? 'Delivered' : 'NOT DELIVERED'}  ${textOf(event) ?? 'no event'}`,
      rows: [
        ...panelLines('id', id ?? undefined),
        ...panelLines('to', to),
        ...panelLines('answer', status),
        ...panelLines('body', changed === true ? 'changed by --set' : undefined),
      ],
      shown: ['event', 'to', 'status', 'changed', 'id'],
    };
  },
});
