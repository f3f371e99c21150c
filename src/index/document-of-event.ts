/** Turns the objects of a received webhook event (section 6) into documents, one each. */
import type { JsonObject } from '../base/json.ts';
import { textOrNull } from '../base/text.ts';
import { decimalsOf } from './decimals.ts';
import type { IndexedDocument } from './document.ts';

/** The records of one object of a delivery; each may be missing. */
export interface EventParts {
  subscription: JsonObject | null;
  customer: JsonObject | null;
  /** The purchase in normal form. */
  purchase: JsonObject | null;
}

export interface ReceivedEvent {
  id: number;
  /** ISO 8601, UTC. */
  receivedAt: string;
  profile: string | null;
  environment: string | null;
  /** The event's name; null for a bad delivery. */
  event: string | null;
  /** The outcome that the event states; `bad` for a bad delivery, whose fault is in `message`. */
  outcome: string;
  message: string | null;
}

/** @param index the place of the object in the delivery, from 0 */
export const originOfEvent = (id: number, index: number) => `${originsOfEvent(id)}${index}`;

/** The beginning of the origins of all objects of an event. */
export const originsOfEvent = (id: number) => `event ${id} `;

export function documentOfEvent(event: ReceivedEvent, parts: EventParts): IndexedDocument {
  const { purchase, customer, subscription } = parts;
  const who = nameOf(customer) ?? textOrNull(purchase?.card_holder);
  const currency = textOrNull(purchase?.currency);
  const amount = Number.isSafeInteger(purchase?.amount) ? (purchase?.amount as number) : null;
  const ids = {
    purchase: textOrNull(purchase?.id),
    customer:
      textOrNull(customer?.id) ??
      textOrNull(customer?.reference) ??
      textOrNull(subscription?.customer),
    subscription: textOrNull(subscription?.reference) ?? textOrNull(subscription?.id),
    plan: textOrNull(subscription?.plan),
  };
  const email = textOrNull(customer?.email);
  const token = textOrNull(purchase?.card_token);
  const reference = textOrNull(purchase?.reference) ?? ids.subscription;
  const others = [textOrNull(customer?.reference), textOrNull(subscription?.id)];
  return {
    kind: 'event',
    id: String(event.id),
    at: dateOf(purchase) ?? event.receivedAt,
    seenAt: event.receivedAt,
    account: null,
    profile: event.profile,
    environment: event.environment,
    host: null,
    outcome: event.outcome,
    amount,
    currency,
    reference,
    who,
    email,
    lastFour: /(\d{4})$/.exec(textOrNull(purchase?.card_number) ?? '')?.[1] ?? null,
    message: messageOf(event, parts),
    label: event.event,
    ...ids,
    operator: null,
    keys: [...Object.values(ids), ...others, reference, email, token, who],
    words: [...others, token, decimalsOf(amount, currency)],
    names: [who],
  };
}

function messageOf({ message }: ReceivedEvent, { purchase, subscription }: EventParts) {
  const words = [textOrNull(purchase?.message), textOrNull(subscription?.last_status)];
  return message ?? (words.filter((word) => word !== null).join('; ') || null);
}

function nameOf(customer: JsonObject | null): string | null {
  const names = [textOrNull(customer?.first_name), textOrNull(customer?.last_name)];
  return names.filter((name) => name !== null).join(' ') || null;
}

function dateOf(purchase: JsonObject | null): string | null {
  const date = textOrNull(purchase?.transaction_date);
  return date !== null && !Number.isNaN(Date.parse(date)) ? date : null;
}
