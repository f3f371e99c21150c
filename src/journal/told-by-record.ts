/** The values that a record of the gateway, as last seen, has for its thing. */
import type { JsonObject } from '../base/json.ts';
import { dateOrNull, textOrNull } from '../base/text.ts';
import { billingDatesOf } from '../contract/billing-dates.ts';
import { cardExpiryOf, shownCardOf } from '../contract/expiry.ts';
import { amountOf, numbersIn, outcomeOf } from '../contract/normal.ts';
import type { RecordKind } from '../contract/record.ts';
import { customerDelete } from '../contract/resources/customer.ts';
import type { SourceValues, ThingOutcome } from '../things/thing.ts';
import type { RememberedRecord } from './ledger.ts';

export function toldByRecord(seen: RememberedRecord): SourceValues {
  const { kind, id, profile, environment, host, reference, name, lastFour, currency } = seen;
  const { record, deeds } = seen;
  const source = textOrNull(record.source);
  return {
    profile,
    environment,
    host,
    at: dateOf(seen),
    seenAt: seen.lastSeenAt,
    outcome: outcomeIn(seen),
    amount: amountOf(record),
    currency,
    reference,
    who: name,
    email: textOrNull(record.email),
    lastFour,
    message: messageIn(kind, record),
    label: kind === 'subscription' ? textOrNull(record.frequency) : source,
    purchase: kind === 'purchase' ? id : null,
    customer: kind === 'customer' ? id : textOrNull(record.customer),
    subscription: subscriptionIn(seen, source),
    plan: kind === 'plan' ? id : textOrNull(record.plan),
    token: kind === 'card' ? id : textOrNull(record.card_token),
    ...(kind === 'subscription' && { dates: billingDatesOf(record) }),
    ...((kind === 'purchase' || kind === 'card') && { cardExpiry: cardExpiryOf(record) }),
    ...(kind === 'purchase' && { card: shownCardOf(record) }),
    ...((kind === 'purchase' || kind === 'refund') && {
      settledOn: textOrNull(record.settlement_date),
    }),
    note: deeds.findLast(({ note }) => note !== null)?.note ?? null,
    ...(deeds.length > 0 && { deeds }),
    ...(kind === 'customer' && { formerTokens: deeds.flatMap((one) => one.formerToken ?? []) }),
    keys: textsIn([record.alias]),
    words: [...textsIn([record.alias]), ...numbersIn(record)],
  };
}

/** The record's own date, else when it was first seen: ISO 8601, a date or a date-time. */
function dateOf({ record, firstSeenAt }: RememberedRecord): string {
  return dateOrNull(record.transaction_date) ?? dateOrNull(record.created_at) ?? firstSeenAt;
}

/** A charge of a subscription is a purchase with the subscription's reference (section 3.2). */
function subscriptionIn({ kind, id, reference }: RememberedRecord, source: string | null) {
  if (kind === 'subscription') return reference ?? id;
  return kind === 'purchase' && source === 'Recurring' ? reference : null;
}

function outcomeIn({ kind, record, seenBy }: RememberedRecord): ThingOutcome | null {
  if (seenBy === customerDelete.name) return 'deleted';
  if (kind === 'purchase' || kind === 'refund' || kind === 'card') return outcomeOf(kind, record);
  if (kind !== 'subscription' || typeof record.is_active !== 'boolean') return null;
  return record.is_active ? 'active' : 'stopped';
}

function messageIn(kind: RecordKind, record: JsonObject): string | null {
  if (kind === 'subscription') return textOrNull(record.last_status);
  return kind === 'plan' ? textOrNull(record.description) : textOrNull(record.message);
}

function textsIn(values: readonly (JsonObject[string] | undefined)[]): string[] {
  return values.flatMap((value) => textOrNull(value) ?? []);
}
