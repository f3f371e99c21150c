/** Puts facts into words for panels: ages, dates, people, money, the state of a subscription. */
import { addDays, dayNumber } from '../../base/calendar.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { agoText, quantity } from '../../base/text.ts';
import { billingDatesOf } from '../../contract/billing-dates.ts';
import {
  formatExpiry,
  isExpired,
  isoMonth,
  lastValidDay,
  parseExpiry,
} from '../../contract/expiry.ts';
import { fullNameOf, isUnsuccessful } from '../../contract/normal.ts';
import { leftOf } from '../../journal/balance.ts';
import { isChargedAgain, type StopCause, stateOf } from '../../things/subscription-state.ts';
import type { Counts } from '../../things/what-counts.ts';
import { type PanelLine, tintOf } from '../columns.ts';
import { reasonBeside } from '../reason.ts';
import { amountText, textOf } from '../values.ts';
import type { Item, SeenRecord, UnpaidSum } from './ties.ts';

/** The clocks by which a panel is read. */
export interface Clocks {
  /** The time when the gateway was asked; anything seen since is current. ISO 8601, UTC. */
  since: string;
  /** This machine's time, from which ages are computed. */
  now: Date;
  /** The day by the gateway's clock, `YYYY-MM-DD`. */
  today: string;
}

/** A card that expires within this many days is pointed out. */
const SOON_DAYS = 60;

/** @returns for example `seen 3 days ago`; undefined for a current record */
export function ageOf(seenAt: string | null, { since, now }: Clocks): string | undefined {
  if (seenAt === null) return 'never seen';
  if (seenAt >= since) return undefined;
  return `seen ${agoText(seenAt, now)}`;
}

/** @param at ISO 8601 @returns `2026-04-01 09:00`, or a date alone, in the record's own time zone */
export function timeText(at: unknown): string | undefined {
  return typeof at === 'string' ? at.replace('T', ' ').slice(0, 16) : undefined;
}

export const dayOfInstant = (at: string) => at.slice(0, 10);

/** @returns the texts that are not empty, joined by the separator */
export function joinTexts(
  texts: readonly (string | null | undefined | false)[],
  by = ', ',
): string {
  return texts.filter((text) => text).join(by);
}

/** @returns the row of a value; no row without a value */
export function panelLines(label: string, value: Json | undefined): PanelLine[] {
  const text = textOf(value);
  return text === undefined || text === '' ? [] : [{ label, text }];
}

/** @returns `Ada Byron <ada@example.com>`, or the known part of it */
export function personText(record: JsonObject): string {
  const email = textOf(record.email);
  return joinTexts([fullNameOf(record), email !== undefined && `<${email}>`], ' ');
}

export function money(amount: number, currency: string | null): string {
  return amountText({ amount, currency }) ?? '';
}

/** @returns `6 charges, 24 tries`, or `1 charge` that was tried once */
export function triesText({ count, tries, paidSince = [] }: UnpaidSum): string {
  const charges = quantity(count, 'charge', 'charges');
  const said = tries > count ? `${charges}, ${tries} tries` : charges;
  return paidSince.length === 0 ? said : `${said}; perhaps paid since by ${paidSince.join(', ')}`;
}

/** @returns `expires 05/2031`, and whether that is near or past */
export function expiryText(expiry: unknown, today: string): string | undefined {
  const parsed = typeof expiry === 'string' ? parseExpiry(expiry) : undefined;
  if (!parsed) return undefined;
  const written = formatExpiry(parsed);
  const month = isoMonth(parsed);
  if (isExpired(month, today)) return `EXPIRED ${written}`;
  const days = dayNumber(lastValidDay(month)) - dayNumber(today);
  const soon = days <= SOON_DAYS ? ` (in ${quantity(days, 'day', 'days')})` : '';
  return `expires ${written}${soon}`;
}

/** @returns a line of a panel: money, day, id and reference of something that happened */
export function itemRow(item: Item, moment: Clocks): PanelLine {
  const { amount, currency, at, id, reference, subscription, outcome, message } = item;
  const { isRefund, operator, note } = item;
  const isPlain = outcome === 'approved';
  const words = isPlain
    ? undefined
    : joinTexts([outcome?.replace('-', ' ').toUpperCase(), reasonBeside(outcome, message)], ': ');
  return {
    text: joinTexts(
      [
        amount === null ? undefined : money(amount, currency),
        dayOfInstant(at),
        id,
        reference === subscription ? undefined : reference,
        isRefund && operator && `by ${operator}`,
        note && `“${note}”`,
        words,
        item.hearsay && 'unverified',
      ],
      '  ',
    ),
    outcome: tintOf(item.outcome),
    age: ageOf(item.seenAt, moment),
    name: id ?? undefined,
  };
}

export const ORDINALS = ['first', 'second', 'third'] as const;

/**
 * Explains the `last_status` of a subscription (section 3.2). The number of a failed charge is that of the waiting
 * retry, so with `Failed (3), Pending` the second retry has failed.
 * @param last the last known charge: the status may tell of a later one, whose webhook did not arrive
 */
export function statusText(record: JsonObject, last: LastCharge | undefined): string | undefined {
  const status = textOf(record.last_status);
  const lastCharge = last && dayOfInstant(last.at);
  const [, number, state] = /^Failed \((\d)\), (Pending|Aborted)$/.exec(status ?? '') ?? [];
  const waiting = ORDINALS[Number(number) - 1];
  if (waiting === undefined) return plainStatus(record, last);
  const on = isOfStatus(record, last) ? ` on ${lastCharge}` : '';
  const failed = ORDINALS[Number(number) - 2];
  const what = failed === undefined ? `the charge failed${on}` : `the ${failed} retry failed${on}`;
  if (state === 'Pending') {
    const day = retryDay(record, last);
    const due = day && ` on ${day}`;
    return `${what}; the ${waiting}${waiting === 'third' ? ' and last' : ''} retry is due${due ?? ''}`;
  }
  if (record.is_active === false) return stoppedText(waiting, on);
  const then = isChargedAgain(billingDatesOf(record))
    ? 'the next charge is made as scheduled'
    : 'there is no further charge';
  return waiting === 'third'
    ? `given up: the third and last retry failed${on}; ${then}`
    : `given up: the ${waiting} retry is not made; ${then}`;
}

/**
 * The third retry ends in the same way whether it failed or was waiting when the subscription was stopped.
 * @param on the day on which the third one is known to have failed; empty if that is not known
 */
function stoppedText(waiting: (typeof ORDINALS)[number], on: string): string {
  if (waiting !== 'third')
    return `stopped while the ${waiting} retry was waiting, which is not made`;
  if (on !== '') return `given up: the third and last retry failed${on}`;
  return 'stopped while the third retry was waiting, or after it failed';
}

/** @returns the day after the last charge, if that failed and is tried again (section 8); undefined if it is not known */
export function retryDay(record: JsonObject, last: LastCharge | undefined): string | undefined {
  const isWaiting =
    record.is_active !== false && /, Pending$/.test(textOf(record.last_status) ?? '');
  return isWaiting && last && isOfStatus(record, last)
    ? addDays(dayOfInstant(last.at), 1)
    : undefined;
}

/** A charge: when it was, how it went, and the number of the retry, 0 if it is none. */
type LastCharge = Pick<Item, 'at' | 'retry' | 'outcome'>;

/** @returns whether the charge is the one of which the status tells */
function isOfStatus({ last_status: status }: JsonObject, last: LastCharge | undefined): boolean {
  const [, number, state] = /^Failed \((\d)\), (\w+)$/.exec(textOf(status) ?? '') ?? [];
  return last?.retry === Number(number) - (state === 'Pending' ? 1 : 0);
}

/** @returns the last payment that was made or tried */
export function lastChargeOf(items: readonly Item[]): Item | undefined {
  return items.findLast(({ isMoney, isRefund }) => isMoney && !isRefund);
}

/**
 * @param items may be others too @param paid of the purchase, in minor units; null if it is not known
 * @returns what its known refunds gave back, perhaps gave back, and leave
 */
export function sumOfRefunds(items: readonly Item[], paid: number | null) {
  const sum = (counts: Counts) =>
    items
      .filter((item) => item.isRefund && item.counts === counts)
      .reduce((total, item) => total + Math.abs(item.amount ?? 0), 0);
  const [refunded, uncertain] = [sum('refunds'), sum('unknown')];
  const left = paid === null ? undefined : leftOf({ paid, refunded, uncertain });
  return { refunded, uncertain, left };
}

/**
 * @param words before the next date
 * @returns the next billing date of a subscription, or its end if there is no further charge; undefined if it is stopped
 */
export function nextText(
  record: JsonObject,
  words: string,
  { today }: Pick<Clocks, 'today'>,
): string | undefined {
  const { next, end } = billingDatesOf(record);
  const state = stateOf(record, today);
  if (state === 'stopped') return undefined;
  if (state === 'ended') return `ended ${end}`;
  if (!isChargedAgain({ next, end })) return `ends ${end}`;
  return next === null ? undefined : `${words} ${next}`;
}

/** A subscription that was resumed is Scheduled again, and so is one that was never charged. A change shows neither. */
function plainStatus(record: JsonObject, last: LastCharge | undefined): string | undefined {
  const lastCharge = last && dayOfInstant(last.at);
  const status = textOf(record.last_status);
  if (status !== 'Scheduled') return SAID[status ?? ''] ?? status;
  if (last && isUnsuccessful(last.outcome))
    return `the last known charge, on ${lastCharge}, failed and is not tried again`;
  if (lastCharge !== undefined) return `the last known charge was on ${lastCharge}`;
  const [start = '', next = ''] = [record.start_date, record.next_billing_date].map(textOf);
  const wasDue = start !== '' && dayOfInstant(next) > dayOfInstant(start);
  if (!wasDue) return 'nothing was charged yet';
  return record.is_active === false ? 'no charge is known' : 'the next charge is scheduled';
}

const SAID: Readonly<Record<string, string>> = {
  Queued: 'a charge is under way',
  Successful: 'the last charge succeeded',
};

/** Why a subscription is stopped, if no person did it with gw. */
export const CAUSES: Readonly<Partial<Record<StopCause, string>>> = {
  'card expired': 'because the card expired',
  'customer deleted': 'because its customer was deleted',
};

/** @returns the day before the first charge that is not made, of a subscription that was stopped; otherwise undefined */
export function paidUntilDay(record: JsonObject): string | undefined {
  const { next } = billingDatesOf(record);
  if (record.is_active !== false || record.last_status !== 'Successful' || !next) return undefined;
  return addDays(next, -1);
}

/** @returns `paid until 2026-03-01` of a subscription that was stopped */
export function paidUntil(record: JsonObject): string | undefined {
  const day = paidUntilDay(record);
  return day && `paid until ${day}`;
}

/**
 * @param items what happened to it and others, oldest first
 * @returns a line about a subscription: its plan, active or stopped, the next date, and its state
 */
export function subscriptionRow(
  { id, record, seenAt, plan, stopCause: cause }: SeenRecord,
  moment: Clocks,
  items: readonly Item[] = [],
): PanelLine {
  const state = stateOf(record, moment.today);
  const { start } = billingDatesOf(record);
  const own = items.filter(({ subscription }) => subscription === id);
  const charge = lastChargeOf(own);
  const stop = state === 'stopped' ? own.findLast(({ label }) => label === 'stopped') : undefined;
  const isSaid = record.last_status !== 'Successful';
  const price = plan && joinTexts([textOf(plan.record.name), planPrice(plan)], ' ');
  return {
    text: joinTexts([
      id,
      price,
      joinTexts([textOf(record.frequency), start && `from ${start}`], ' '),
      state === 'stopped' ? 'STOPPED' : state === 'active' && state,
      paidUntil(record),
      state === 'stopped' && cause && CAUSES[cause],
      stop && joinTexts([`by ${stop.operator}`, stop.note && `“${stop.note}”`], ' '),
      state !== undefined && nextText(record, 'next', moment),
      isSaid && statusText(record, charge),
    ]),
    outcome: standingOf(record, cause),
    age: ageOf(seenAt, moment),
    name: id,
  };
}

/**
 * @param cause why it was stopped, if that is known
 * @returns the outcome whose sign stands for a subscription's state; undefined if the state is unknown, and for a stop
 *   that somebody wanted
 */
export function standingOf(
  { is_active: isActive, last_status: status }: JsonObject,
  cause: StopCause | null | undefined,
) {
  if (typeof isActive !== 'boolean') return undefined;
  if (!isActive) return cause && CAUSES[cause] ? 'declined' : undefined;
  return /^Failed/.test(textOf(status) ?? '') ? 'unclear' : 'approved';
}

/** @returns a line for a customer, with the id by which to look further */
export function customerRow(customer: SeenRecord, moment: Clocks): PanelLine {
  return {
    label: 'customer',
    text: joinTexts([customer.id, personText(customer.record)], ' '),
    age: ageOf(customer.seenAt, moment),
    name: customer.id,
  };
}

/** @returns the amount of a plan, in the currency in which it was listed if its record has none */
export function planPrice({ record, currency }: Pick<SeenRecord, 'record' | 'currency'>) {
  return amountText({ ...record, currency: record.currency ?? currency ?? null });
}

export function planRow(plan: SeenRecord, moment: Clocks): PanelLine {
  const { record } = plan;
  return {
    label: 'plan',
    text: joinTexts([plan.id, textOf(record.name), planPrice(plan)], ' '),
    age: ageOf(plan.seenAt, moment),
    name: plan.id,
  };
}

/** @returns a line about a card, from its record or from a purchase with it; it says whether the card has expired */
export function cardRow({ record, seenAt }: SeenRecord, moment: Clocks): PanelLine {
  const holder = textOf(record.card_holder);
  const expiry = parseExpiry(textOf(record.card_expiry) ?? '');
  const expires = expiryText(record.card_expiry, moment.today);
  return {
    label: 'card',
    text: joinTexts([
      joinTexts([textOf(record.card_number), holder && `of ${holder}`], ' '),
      expires,
    ]),
    outcome: expiry && isExpired(isoMonth(expiry), moment.today) ? 'declined' : undefined,
    age: ageOf(seenAt, moment),
  };
}
