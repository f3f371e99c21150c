/**
 * A received event as a record of fields, from which its line, its table row and its panel are made.
 *
 * Tests: test/unit/commands/listen/event-line.test.ts, test/unit/events/event.test.ts
 */

import type { Json, JsonObject } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { amountOf, type Outcome, saysVoid } from '../../contract/normal.ts';
import { shownOutcome } from '../../things/what-counts.ts';
import {
  amountColumn,
  cuttable,
  extra,
  fieldColumn,
  idFromFields,
  type OwnView,
  timeColumn,
  VOIDED,
} from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';
import { type StoredEvent, trustOf } from '../event.ts';
import { type DeliveryContent, type EventOutcome, readDelivery } from '../read/read-delivery.ts';
import type { OutcomeWording } from './event-panel.ts';

/** The names of the fields of a received event, in their order. */
const EVENT_FIELDS = [
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
  'transaction_date',
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
  'trust',
] as const;

/** An event together with the content of its body. */
export interface ShownEvent {
  event: StoredEvent;
  content: DeliveryContent;
}

export const EVENT_VIEW: OwnView<ShownEvent> = {
  name: 'event',
  plural: 'events',
  fields: [],
  mayHave: EVENT_FIELDS,
  id: idFromFields(['id']),
  columns: [
    fieldColumn('id'),
    timeColumn('received_at', { header: 'received' }),
    fieldColumn('mode', extra),
    fieldColumn('event', cuttable),
    fieldColumn('who', cuttable),
    amountColumn,
    {
      header: 'outcome',
      text: (record) => trustedWording(record).asField,
      cuttable: true,
      tinted: true,
    },
    fieldColumn('duplicate_of', extra),
    fieldColumn('verification', extra),
    fieldColumn('authentication', extra),
  ],
  outcome: (record) => trustedWording(record).tint ?? 'unclear',
  panel: async (record) => {
    const { eventPanel } = await import('./event-panel.ts');
    return eventPanel(record, trustedWording(record));
  },
  record: ({ event, content }): Record<(typeof EVENT_FIELDS)[number], Json> => ({
    id: String(event.id),
    received_at: event.receivedAt,
    mode: event.mode,
    event: event.event,
    outcome: shownOutcome(event.outcome),
    message: content.message,
    who: content.who,
    customer: content.customer?.id ?? content.customer?.reference ?? null,
    subscription: content.subscription?.id ?? null,
    reference: content.subscription?.reference ?? null,
    purchase: content.purchase?.id ?? null,
    transaction_date: content.purchase?.transaction_date ?? null,
    ...moneyIn(content.purchase ?? {}),
    currency: content.purchase?.currency ?? null,
    elements: content.elements,
    authentication: event.authentication,
    verification: event.verification?.state ?? null,
    verification_reason: event.verification?.reason || null,
    duplicate_of: event.duplicateOf === null ? null : String(event.duplicateOf),
    fault: event.fault,
    status: event.status,
    masked: event.isMasked,
    profile: event.profile,
    trust: trustOf(event),
  }),
};

/** @returns the outcome, after a word for an event that was not confirmed: the end of a long cell is cut off */
function trustedWording(record: JsonObject): OutcomeWording {
  const wording = outcomeWording(record);
  const trust = textOf(record.trust) ?? 'confirmed';
  if (trust === 'confirmed') return wording;
  const word = trust === 'heard' ? 'unverified' : trust;
  return {
    text: `${capitalised(word)}, ${wording.text}`,
    asField: `${word}, ${wording.asField}`,
    tint: trust === 'heard' ? wording.tint : 'unclear',
  };
}

/** The decimal is that of the whole amount. */
function moneyIn(purchase: JsonObject): Record<'amount' | 'decimal_amount', Json> {
  const { amount = null, decimal_amount: decimal = null } = purchase;
  const counted = Number.isSafeInteger(amount) ? amountOf(purchase) : amount;
  return { amount: counted, decimal_amount: counted === amount ? decimal : null };
}

export function shownEvent(event: StoredEvent): ShownEvent {
  return { event, content: readDelivery(event.body) };
}

/** @returns the record with the event's headers, and its payload; for a bad delivery, its body as text */
export function wholeRecord(shown: ShownEvent): JsonObject {
  const { event, content } = shown;
  return {
    ...EVENT_VIEW.record(shown),
    headers: headersOf(event),
    payload: content.payload,
    body: content.kept.fault === null ? null : Buffer.from(content.kept.body).toString('utf8'),
  };
}

/** Joins a header that was sent several times, as HTTP defines it (RFC 9110, 5.3). */
function headersOf({ headers }: StoredEvent): JsonObject {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(joined);
}

const WORDS: Readonly<Record<EventOutcome, readonly [word: string, tint?: Outcome]>> = {
  pending: ['Queued'],
  approved: ['Approved', 'approved'],
  declined: ['DECLINED', 'declined'],
  abandoned: ['DECLINED', 'declined'],
  expiring: ['Card expires soon', 'unclear'],
  expired: ['CARD EXPIRED', 'declined'],
  unclear: ['UNCLEAR', 'unclear'],
  unknown: ['Unknown event', 'unclear'],
  bad: ['BAD DELIVERY', 'declined'],
};

/** @param record in the form of EVENT_VIEW */
export function outcomeWording({ outcome, fault, message }: JsonObject): OutcomeWording {
  const said = textOf(outcome) ?? 'unknown';
  const [word, tint] = WORDS[said as EventOutcome] ?? WORDS.unknown;
  if (saysVoid(message)) return { text: VOIDED, asField: VOIDED, tint };
  const reason = textOf(fault) ?? textOf(message) ?? '';
  const isNew = !['', said, word.toLowerCase()].includes(reason.toLowerCase());
  const withReason = (words: string) => (isNew ? `${words}: ${reason}` : words);
  return { text: withReason(word), asField: withReason(said), tint };
}
