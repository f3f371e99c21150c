/**
 * The values that a webhook event (section 6) has for each record that it names.
 *
 * Tests: test/unit/things/hard-cases.test.ts, test/unit/things/one-row.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { dateOrNull, textOrNull } from '../../base/text.ts';
import { billingDatesOf } from '../../contract/billing-dates.ts';
import { lastFourOf } from '../../contract/cards/card-number.ts';
import { cardExpiryOf, shownCardOf } from '../../contract/expiry.ts';
import { amountOf, fullNameOf, numbersIn } from '../../contract/normal.ts';
import type { Owner } from '../../things/owner.ts';
import type { ThingNews } from '../../things/read-sources.ts';
import type { EventValues, Sources, SourceValues, ThingOutcome } from '../../things/thing.ts';

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
  /** The time of an event without a date of its own (`timeOfEvent`). */
  at: string;
  /** The owner of the things of the event. */
  owner: Omit<Owner, 'host'>;
  /** The event's name; null for a bad delivery. */
  event: string | null;
  /**
   * The outcome that the event states; `bad` for a bad delivery, whose fault is in `message`; `contradicted` or `sample`
   * for an event that says nothing of its records
   */
  outcome: ThingOutcome;
  /** true if nobody confirmed it. */
  isHeard: boolean;
  message: string | null;
}

const NOT_BELIEVED = ['bad', 'contradicted', 'sample'];
const CHARGED = ['approved', 'declined', 'abandoned', 'unclear'];

/**
 * @returns what one object of an event says: of the purchase, the subscription and the customer that it names by id
 *   (each event of section 6 does), or of the event itself if it names no purchase that was made, or is not to be believed
 */
export function newsOf(event: ReceivedEvent, parts: EventParts): ThingNews[] {
  const { outcome } = event;
  if (NOT_BELIEVED.includes(outcome)) return [aboutItself(event, parts)];
  const news = [
    ...aboutPurchase(event, parts),
    ...aboutSubscription(event, parts),
    ...aboutCustomer(event, parts),
  ];
  const isCharge = CHARGED.includes(outcome) && textOrNull(parts.purchase?.id) === null;
  // A charge without an id cannot be looked up, so nothing else can tell of it.
  return isCharge || news.length === 0 ? [aboutItself(event, parts), ...news] : news;
}

function aboutPurchase(event: ReceivedEvent, parts: EventParts): ThingNews[] {
  const id = textOrNull(parts.purchase?.id);
  if (id === null) return [];
  return [
    { kind: 'purchase', id, owner: event.owner, told: byEvent(event, chargeTold(event, parts)) },
  ];
}

function chargeTold(
  event: ReceivedEvent,
  { purchase, customer, subscription }: EventParts,
): EventValues {
  const ofSubscription = textOrNull(subscription?.reference) ?? textOrNull(subscription?.id);
  return {
    ...toldBy(event, dateOrNull(purchase?.transaction_date)),
    outcome: event.outcome,
    amount: purchase && amountOf(purchase),
    currency: textOrNull(purchase?.currency),
    reference: textOrNull(purchase?.reference) ?? ofSubscription,
    who: fullNameOf(customer ?? {}) ?? textOrNull(purchase?.card_holder),
    email: textOrNull(customer?.email),
    lastFour: lastFourOf(purchase?.card_number),
    message: textOrNull(purchase?.message),
    label: textOrNull(purchase?.source) ?? (subscription ? 'Recurring' : null),
    purchase: textOrNull(purchase?.id),
    customer: customerNamed(customer, subscription),
    subscription: ofSubscription,
    plan: textOrNull(subscription?.plan),
    token: textOrNull(purchase?.card_token),
    cardExpiry: purchase && cardExpiryOf(purchase),
    card: purchase && shownCardOf(purchase),
    settledOn: textOrNull(purchase?.settlement_date),
    keys: textsIn([subscription?.id, customer?.reference]),
    words: [...numbersIn(purchase ?? {}), ...textsIn([subscription?.last_status])],
  };
}

function aboutSubscription(event: ReceivedEvent, parts: EventParts): ThingNews[] {
  const { subscription, customer, purchase } = parts;
  const id = textOrNull(subscription?.id);
  if (id === null || !subscription) return [];
  const told: EventValues = {
    ...toldBy(event, dateOrNull(purchase?.transaction_date)),
    isPending: event.outcome === 'pending',
    // Only active subscriptions are charged (section 3.2).
    outcome: 'active',
    reference: textOrNull(subscription.reference),
    who: fullNameOf(customer ?? {}),
    email: textOrNull(customer?.email),
    message: textOrNull(subscription.last_status) ?? statusAfter(event.outcome),
    label: textOrNull(subscription.frequency),
    customer: customerNamed(customer, subscription),
    subscription: textOrNull(subscription.reference) ?? textOrNull(subscription.id),
    plan: textOrNull(subscription.plan),
    dates: billingDatesOf(subscription),
    keys: textsIn([subscription.id, customer?.reference]),
  };
  return [{ kind: 'subscription', id, owner: event.owner, told: byEvent(event, told) }];
}

function aboutCustomer(event: ReceivedEvent, { customer, purchase }: EventParts): ThingNews[] {
  const id = textOrNull(customer?.id);
  if (id === null || !customer) return [];
  const { outcome, receivedAt: seenAt, at, owner, isHeard } = event;
  const about = { kind: 'customer', id, owner } as const;
  const said = customerTold(event, customer, purchase);
  const news: ThingNews[] = [{ ...about, told: byEvent(event, said) }];
  if (outcome !== 'expiring' && outcome !== 'expired') return news;
  const { profile, environment } = owner;
  const notice = {
    ...({ event: event.id, outcome, seenAt, at, profile, environment } as const),
    ...(isHeard && ({ isHeard } as const)),
  };
  const told = { notice, ...numbered(event), since: seenAt };
  news.push({ ...about, told });
  const token = textOrNull(customer.card_token);
  if (token !== null) news.push({ kind: 'card', id: token, owner, told });
  return news;
}

function customerTold(
  event: ReceivedEvent,
  customer: JsonObject,
  purchase: JsonObject | null,
): EventValues {
  return {
    ...toldBy(event, dateOrNull(purchase?.transaction_date)),
    reference: textOrNull(customer.reference),
    who: fullNameOf(customer ?? {}),
    email: textOrNull(customer.email),
    customer: textOrNull(customer.id),
    token: textOrNull(customer.card_token) ?? textOrNull(purchase?.card_token),
  };
}

function aboutItself(event: ReceivedEvent, parts: EventParts): ThingNews {
  const { purchase, subscription } = parts;
  const said = textsIn([purchase?.message, subscription?.last_status]).join('; ') || null;
  const told: EventValues = {
    ...chargeTold(event, parts),
    message: event.message ?? said,
    label: event.event,
  };
  return { kind: 'event', id: String(event.id), owner: event.owner, told: byEvent(event, told) };
}

function byEvent(event: ReceivedEvent, told: EventValues): Partial<Sources> {
  const source = event.isHeard ? { heard: told } : { event: told };
  return { ...source, ...numbered(event), since: told.at ?? told.seenAt };
}

function numbered({ id, isHeard }: ReceivedEvent): Pick<Sources, 'events' | 'heardEvents'> {
  return { events: [id], ...(isHeard && { heardEvents: [id] }) };
}

function toldBy(
  { id, receivedAt, owner: { profile, environment } }: ReceivedEvent,
  date: string | null,
) {
  return {
    event: id,
    date,
    isPending: false,
    at: date ?? receivedAt,
    seenAt: receivedAt,
    profile,
    environment,
  } satisfies SourceValues & Partial<EventValues>;
}

/** The status that the interface gives a subscription after a charge (section 2.7). */
function statusAfter(outcome: ThingOutcome): string | null {
  return outcome === 'approved' ? 'Successful' : null;
}

function customerNamed(
  customer: JsonObject | null,
  subscription: JsonObject | null,
): string | null {
  return (
    textOrNull(customer?.id) ??
    textOrNull(customer?.reference) ??
    textOrNull(subscription?.customer)
  );
}

function textsIn(
  values: readonly JsonObject[string][] | readonly (JsonObject[string] | undefined)[],
): string[] {
  return [...new Set(values.flatMap((value) => textOrNull(value) ?? []))];
}
