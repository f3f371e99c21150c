/**
 * Decides the state of a subscription, for every row, screen, report and guard. What is known last counts: its record,
 * or a charge of which a webhook tells, since only active subscriptions are charged (section 3.2). Its customer stops it
 * too: one who is deleted (docs/interface-decisions.md, section 2.6), or whose card has expired (section 3.2). Then the
 * gateway sends nothing about the subscription itself.
 *
 * Tests: test/unit/things/subscription-state-cases.ts
 */
import type { JsonObject } from '../base/json.ts';
import { type BillingDates, billingDatesOf } from '../contract/billing-dates.ts';
import type { Deed } from './deed.ts';
import { newestEvent, noticeOf } from './sources.ts';
import type { CustomerStop, EventValues, Sources, Thing, ThingOutcome } from './thing.ts';

/** The reason for which a subscription is not billed. `person` stopped it with gw, `moved` is the first half of a move. */
export type StopCause = CustomerStop['cause'] | 'moved' | 'person';

/** `ended` is active at the gateway, but its last day has passed (docs/interface-decisions.md, section 2.7). */
export type SubscriptionState = 'active' | 'ended' | 'stopped';

/** @param customer the sources of a customer @returns how it stops its subscriptions; undefined if it does not */
export function stopOf(customer: Sources): CustomerStop | undefined {
  const { record } = customer;
  if (record?.outcome === 'deleted') {
    const { seenAt, deeds = [] } = record;
    const deed = deeds.findLast(({ what }) => what === 'deleted');
    return { cause: 'customer deleted', seenAt, on: deed ? dayOfDeed(deed) : seenAt.slice(0, 10) };
  }
  const notice = noticeOf(customer);
  return notice?.outcome === 'expired'
    ? { cause: 'card expired', seenAt: notice.seenAt, on: notice.at.slice(0, 10) }
    : undefined;
}

/** @returns the day by the clock of the gateway, `YYYY-MM-DD` */
function dayOfDeed({ at, dated = at }: Deed): string {
  return dated.slice(0, 'YYYY-MM-DD'.length);
}

/**
 * @param said the outcome that its own latest source states
 * @returns the outcome of the subscription, with what its customer did since
 */
export function outcomeWithStop(
  said: ThingOutcome | null,
  { stop, ...sources }: Sources,
): ThingOutcome | null {
  if (!stop) return said;
  const event = newestEvent(sources);
  const seen = Math.max(
    sources.record ? Date.parse(sources.record.seenAt) : 0,
    event ? toldAt(event) : 0,
  );
  return seen > Date.parse(stop.seenAt) ? said : 'stopped';
}

/** A webhook may arrive long after the charge of which it tells. */
function toldAt({ seenAt, date }: EventValues): number {
  const charged = Date.parse(date ?? seenAt);
  return Math.min(charged, Date.parse(seenAt));
}

/**
 * @param isActive as the gateway says, or as `Thing.outcome`; null if unknown
 * @param end the last day, `YYYY-MM-DD`; null if it has none
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns undefined if unknown
 */
export function subscriptionState(
  { isActive, end }: { isActive: boolean | null; end: string | null },
  today: string,
): SubscriptionState | undefined {
  if (isActive === null) return undefined;
  if (!isActive) return 'stopped';
  return end !== null && end < today ? 'ended' : 'active';
}

/** @param today `YYYY-MM-DD` @returns the state of a record on that day; undefined if the record does not say */
export function stateOf(record: JsonObject, today: string): SubscriptionState | undefined {
  const { is_active: active } = record;
  const isActive = typeof active === 'boolean' ? active : null;
  return subscriptionState({ isActive, end: billingDatesOf(record).end }, today);
}

/** The day on which subscriptions are judged, `YYYY-MM-DD`: the test gateway has a clock of its own. */
export interface Days {
  local: string;
  others: string;
}

/** @returns the outcome of a thing on the day; as in the table if the day is not known */
export function outcomeOn(
  { outcome, endsOn, environment }: Pick<Thing, 'outcome' | 'endsOn' | 'environment'>,
  days: Days | undefined,
): ThingOutcome | null {
  if (outcome !== 'active' || endsOn === null || !days) return outcome;
  const today = environment === 'local' ? days.local : days.others;
  return subscriptionState({ isActive: true, end: endsOn }, today) ?? outcome;
}

/** @returns whether the gateway calls a subscription with this outcome active: also after its last day */
export function isSaidActive({ outcome }: Pick<Thing, 'outcome'>): boolean {
  return outcome === 'active' || outcome === 'ended';
}

/** @returns the dates of a subscription, as its record says, or else an event */
export function datesOf({ record, event }: Sources): Partial<BillingDates> {
  return (record ?? event)?.dates ?? {};
}

/** @returns whether an active subscription is charged again: not if it has an end, and no date before that is due */
export function isChargedAgain({ next, end }: Pick<BillingDates, 'next' | 'end'>): boolean {
  return next !== null || end === null;
}

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`
 * @returns whether the customer may be charged for the subscription again, by its row
 */
export function isBilled({ outcome, sources }: Pick<Thing, 'outcome' | 'sources'>, today: string) {
  const { next = null, end = null } = datesOf(sources);
  const state = subscriptionState({ isActive: outcome === 'active', end }, today);
  return state === 'active' && isChargedAgain({ next, end });
}

/** @returns the reference of the one that is to take its place; undefined if it was not moved, or resumed since */
export function movedTo(deeds: readonly Deed[]): string | undefined {
  return deeds.findLast(({ what }) => what === 'moving' || what === 'resumed')?.to;
}

/** @returns why a subscription that is stopped was stopped, by its row; undefined if gw does not know */
export function stopCause({ sources }: Pick<Thing, 'sources'>): StopCause | undefined {
  if (movedTo(sources.record?.deeds ?? []) !== undefined) return 'moved';
  const { byPerson, byCustomer } = stopsOf(sources);
  if (!byPerson || !byCustomer) return byPerson ? 'person' : byCustomer?.cause;
  // A card that has expired cannot be told from one that expired after a person stopped the subscription.
  return byCustomer.cause === 'customer deleted' && byCustomer.seenAt < byPerson.at
    ? byCustomer.cause
    : 'person';
}

/**
 * @returns the day on which a subscription that is stopped was stopped, by the clock of the gateway, `YYYY-MM-DD`;
 *   undefined if gw neither sent the stop nor was told of it
 */
export function stoppedOn({ outcome, sources }: Pick<Thing, 'outcome' | 'sources'>) {
  if (outcome !== 'stopped') return undefined;
  const { byPerson, byCustomer } = stopsOf(sources);
  const days = [byPerson && dayOfDeed(byPerson), byCustomer?.on];
  return days.filter((day) => day !== undefined).sort()[0];
}

/** @param thing with its outcome on the day @returns the day of the stop, or the last day of one that has ended */
export function overOn(thing: Pick<Thing, 'outcome' | 'sources' | 'endsOn'>): string | null {
  return (thing.outcome === 'ended' ? thing.endsOn : stoppedOn(thing)) ?? null;
}

/** @returns how it was stopped since it was last resumed, by a person with gw and by its customer */
function stopsOf({ record, stop }: Sources) {
  const deeds = record?.deeds ?? [];
  const resumed = deeds.findLast(({ what }) => what === 'resumed')?.at ?? '';
  return {
    byPerson: deeds.find(({ what, at }) => what === 'stopped' && at > resumed),
    byCustomer: stop && stop.seenAt > resumed ? stop : undefined,
  };
}
