/** How a day that the embedded gateway has run is shown. */
import { EVENT_NAMES } from '../../contract/webhook-events.ts';
import type { AdvancedDay } from '../../emulator/billing/advance.ts';
import { fieldColumn, firstOf, ownView } from '../columns.ts';

/** A column is named by what is after the colon of the event's name. */
const eventColumn = (event: string) =>
  fieldColumn(`events.${event}`, { header: event.slice(event.indexOf(':') + 1), align: 'right' });

export const ADVANCED_DAY_VIEW = ownView<AdvancedDay>({
  name: 'day',
  plural: 'days',
  hasHeader: true,
  id: firstOf(['day']),
  columns: [
    fieldColumn('day'),
    ...EVENT_NAMES.map(eventColumn),
    fieldColumn('delivered', { align: 'right' }),
    fieldColumn('failed', { header: 'not delivered', align: 'right' }),
    fieldColumn('abandoned', { align: 'right' }),
  ],
  record: (day) => ({ ...day }),
});
