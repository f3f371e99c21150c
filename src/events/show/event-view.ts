/** How a received event is shown, without its headers and body. */
import type { JsonObject } from '../../base/json.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import {
  amountColumn,
  cuttable,
  early,
  eventColumn,
  fieldColumn,
  last,
  late,
  ownView,
  timeColumn,
  VOIDED,
  vital,
} from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';
import type { StoredEvent } from '../event.ts';
import type { DeliveryContent } from '../read/read-delivery.ts';

export const EVENT_VIEW = ownView<ShownEvent>({
  name: 'event',
  plural: 'events',
  columns: [
    fieldColumn('id', vital),
    timeColumn('received_at', { header: 'received' }),
    fieldColumn('mode', late),
    eventColumn,
    fieldColumn('who', { ...cuttable, ...last }),
    amountColumn,
    { header: 'outcome', text: outcomeText, cuttable: true, tinted: true },
    fieldColumn('duplicate_of', early),
    fieldColumn('verification', early),
    fieldColumn('authentication', early),
  ],
  outcome: tintOf,
  card: async (record) => {
    const { eventCard } = await import('./event-card.ts');
    return eventCard(record, tintOf(record), outcomeText(record) ?? '');
  },
  record: ({ event, content: { purchase, subscription, customer, ...content } }) => ({
    id: String(event.id),
    received_at: event.receivedAt,
    mode: event.mode,
    event: event.event,
    outcome: event.outcome,
    message: content.message,
    who: content.who,
    customer: customer?.id ?? customer?.reference ?? null,
    subscription: subscription?.id ?? null,
    reference: subscription?.reference ?? null,
    purchase: purchase?.id ?? null,
    amount: purchase?.amount ?? null,
    decimal_amount: purchase?.decimal_amount ?? null,
    currency: purchase?.currency ?? null,
    elements: content.elements,
    authentication: event.authentication,
    verification: event.verification?.state ?? null,
    verification_reason: event.verification?.reason || null,
    duplicate_of: event.duplicateOf === null ? null : String(event.duplicateOf),
    fault: event.fault,
    status: event.status,
    masked: event.isMasked,
    profile: event.profile,
  }),
});

function outcomeText(record: JsonObject): string | undefined {
  if (saysVoid(record.message)) return VOIDED;
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

/** An event together with what its body says. */
export interface ShownEvent {
  event: StoredEvent;
  content: DeliveryContent;
}
