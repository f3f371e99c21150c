/**
 * Makes JSON of the facts that gw knows beside a record: those of its panel, by the same rules. Amounts are in
 * minor units, as in records, and a fact that is not known is null.
 *
 * Tests: test/scripts/commands/get-known.script, test/unit/view/panels/panel-of.test.ts
 */
import type { JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import { billingDatesOf } from '../../contract/billing-dates.ts';
import { cardExpiryOf, cardState } from '../../contract/expiry.ts';
import { paidOf } from '../../contract/normal.ts';
import type { RecordKind } from '../../contract/record.ts';
import { isChargedAgain, stateOf } from '../../things/subscription-state.ts';
import type { Shown } from './panel-of.ts';
import type { CurrencySums, Item, SeenRecord, ShownTies } from './ties.ts';
import { lastChargeOf, paidUntilDay, retryDay, sumOfRefunds } from './words.ts';

/** @returns the facts of the panel of a record (`panelContent`) */
export function knownFacts(kind: RecordKind, { record, ties, moment }: Shown): JsonObject {
  const { today } = moment;
  if (kind === 'purchase') return refundFacts(ties.items, paidOf(record));
  if (kind === 'refund')
    return { purchase: ties.purchase?.id ?? null, ...ofPurchase(ties, record) };
  const isOf = kind === 'subscription';
  const own = { record, stopCause: ties.stopCause };
  return {
    ...(isOf && subscriptionFacts(own, ties.items, today)),
    ...(kind !== 'plan' && {
      card: cardFacts(kind === 'card' ? record : ties.card?.record, today),
    }),
    sums: ties.sums.map(sumFacts),
    last_charge: chargeFacts(lastChargeOf(ties.items)),
    ...(!isOf && {
      subscriptions: ties.subscriptions.map((one) => ({
        reference: one.id,
        plan: textOrNull(one.plan?.record.name),
        ...subscriptionFacts(one, ofSubscription(ties.items, one), today),
      })),
    }),
    is_cut: ties.isCut,
  };
}

const ofSubscription = (items: readonly Item[], { id }: SeenRecord) =>
  items.filter(({ subscription }) => subscription === id);

function ofPurchase({ items, purchase }: ShownTies, { id }: JsonObject): JsonObject {
  const paid = items.find((item) => !item.isRefund && item.id === purchase?.id);
  const own = items.find((item) => item.isRefund && item.id === id);
  const amount = (purchase && paidOf(purchase.record)) ?? paid?.amount ?? null;
  return { reference: own?.reference ?? null, ...refundFacts(items, amount) };
}

/** @param paid of the purchase, in minor units; null if it is not known */
function refundFacts(items: readonly Item[], paid: number | null): JsonObject {
  const { refunded, uncertain, left } = sumOfRefunds(items, paid);
  const refunds = items.filter(({ isRefund }) => isRefund);
  return {
    refunded,
    perhaps_refunded: uncertain,
    left: left ?? null,
    refunds: refunds.map(({ id, at, amount, reference, outcome, operator, note }) => ({
      ...{ id, at, amount, reference, outcome, operator, note },
    })),
  };
}

function subscriptionFacts(
  { record, stopCause }: Pick<SeenRecord, 'record' | 'stopCause'>,
  items: readonly Item[],
  today: string,
): JsonObject {
  const state = stateOf(record, today) ?? null;
  const { next, end } = billingDatesOf(record);
  const isDue = state === 'active' && isChargedAgain({ next, end });
  return {
    state,
    next_billing_date: isDue ? next : null,
    retry_date: retryDay(record, lastChargeOf(items)) ?? null,
    paid_until: paidUntilDay(record) ?? null,
    stop_cause: state === 'stopped' ? (stopCause ?? null) : null,
  };
}

function cardFacts(record: JsonObject | undefined, today: string): JsonObject | null {
  if (!record) return null;
  const expiry = cardExpiryOf(record);
  return {
    card_number: record.card_number ?? null,
    card_holder: record.card_holder ?? null,
    card_expiry: record.card_expiry ?? null,
    state: expiry === null ? null : cardState(expiry, today),
  };
}

function chargeFacts(item: Item | undefined): JsonObject | null {
  if (!item) return null;
  const { id, at, amount, currency, reference, outcome, message } = item;
  return { id, at, amount, currency, reference, outcome, message };
}

function sumFacts({ currency, heard, notRefunded, ...sums }: CurrencySums): JsonObject {
  const { paid, refunded, unknown } = sums;
  const { paidSince, ...counted } = sums.unpaid;
  const unpaid = { ...counted, ...(paidSince && { paid_since: paidSince }) };
  const all = { paid, refunded, unpaid, unknown, not_refunded: notRefunded, unverified: heard };
  return { currency, ...all } as unknown as JsonObject;
}
