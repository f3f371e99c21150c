/** Says the state of a subscription by its record. */
import type { JsonObject } from '../base/json.ts';
import { billingDatesOf } from '../contract/billing-dates.ts';
import { type SubscriptionState, subscriptionState } from '../things/subscription-state.ts';

/** @returns the state on that day; undefined if the record does not say */
export function stateOf(record: JsonObject, today: string): SubscriptionState | undefined {
  const { is_active: active } = record;
  const isActive = typeof active === 'boolean' ? active : null;
  return subscriptionState({ isActive, end: billingDatesOf(record).end }, today);
}
