/** The charges and refunds of a period, one by one: the rows behind the sums of `moneyReport`. */
import { addDays, DAY_MS } from '../../base/calendar.ts';
import { openTimeZone, type TimeZone } from '../../base/time-zone.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { AmountFilter, SearchIndex } from '../../things/thing-index.ts';
import { isRefund, shownOutcome, whatCounts } from '../../things/what-counts.ts';
import { secondOf } from '../../things/words.ts';
import { formatInstant, utcText } from '../../view/columns.ts';
import { type Known, tiedTo } from '../query/named-things.ts';
import { compareValues, type RowFrame } from './report-row.ts';
import type { Movement } from './report-view.ts';

/** The time of movements, and what is wanted of them. */
export type MovementFrame = Pick<RowFrame, 'from' | 'until' | 'operator' | 'timeZone'> & {
  /** Set if nobody asks for the card, for which an event is read as a whole. */
  needs?: 'nothing' | 'card';
  /** Conditions of the amount of each. */
  amounts?: AmountFilter;
  /** `Thing.plan`, one of these; empty for any. */
  plans?: readonly string[];
  /** Only things that have one of these names or belong to one, which are few enough to be in memory. */
  names?: readonly string[] | undefined;
};

const KINDS = ['purchase', 'refund', 'request', 'event'] as const;
const WHAT = { purchases: 'purchase', charges: 'charge', refunds: 'refund' } as const;

/**
 * @param hasDeclines whether to include declined attempts, which moved no money
 * @returns the movements of the period, oldest first, as they are read: any number takes the same memory
 */
export async function* movementsIn(
  things: Pick<SearchIndex, 'each' | 'tied'>,
  scope: Owner,
  { from, until, operator, timeZone, names, amounts, plans, needs = 'card' }: MovementFrame,
  hasDeclines = false,
): AsyncGenerator<Movement> {
  const momentOf = localMoments(openTimeZone(timeZone));
  // Things come in the order of their seconds.
  let ofSecond: Movement[] = [];
  const time = { since: from, until, operator };
  const filter = { kinds: KINDS, scope, ...time, ...amounts, plans, needs } as const;
  const limit = Number.MAX_SAFE_INTEGER;
  const found = names ? (await things.tied(names, { ...filter, limit })).reverse() : undefined;
  for await (const thing of found ?? things.each(filter)) {
    const movement = movementOf(thing, momentOf);
    if (!movement || (movement.what === 'declined' && !hasDeclines)) continue;
    if (ofSecond[0] && secondOf(ofSecond[0].at) !== secondOf(movement.at)) {
      yield* oldestFirst(ofSecond);
      ofSecond = [];
    }
    ofSecond.push(movement);
  }
  yield* oldestFirst(ofSecond);
}

/** Parts of a second order them, and are not shown. */
function oldestFirst(some: Movement[]): Movement[] {
  return some
    .sort((one, other) => compareValues(Date.parse(one.at), Date.parse(other.at)))
    .map((one) => ({ ...one, at: utcText(one.at) }));
}

function movementOf(thing: Thing, momentOf: MomentOf): Movement | undefined {
  const counts = whatCounts(thing);
  const isMoney = counts === 'purchases' || counts === 'charges' || counts === 'refunds';
  if (!isMoney && counts !== 'declines') return undefined;
  const { amount, note, message } = thing;
  const isBack = isRefund(thing);
  return {
    ...thing,
    outcome: shownOutcome(thing.outcome),
    what: isMoney ? WHAT[counts] : 'declined',
    amount: amount !== null && isBack ? -Math.abs(amount) : amount,
    purchase: isBack ? thing.purchase : null,
    reason: isMoney ? note : message,
    card: cardDigits(thing),
    approvedBy: null,
    ...momentOf(thing.at),
  };
}

/**
 * @returns groups of payments with the same card and amount, each within a day of the one before; the last one of a
 *   group is in the period. A group stands where its second payment was made
 */
export async function doublesIn(
  things: Pick<SearchIndex, 'each' | 'tied'>,
  scope: Owner,
  frame: MovementFrame,
): Promise<Movement[][]> {
  const begin = Date.parse(frame.from);
  const from = new Date(begin - DAY_MS).toISOString();
  const doubles: Movement[][] = [];
  // A payment may still join these groups of its card and amount.
  const open = new Map<string, Movement[][]>();
  for await (const one of movementsIn(things, scope, { ...frame, from })) {
    const { lastFour, amount, currency, what } = one;
    if (lastFour === null || amount === null || what === 'refund') continue;
    const key = JSON.stringify([lastFour, amount, currency]);
    const groups = (open.get(key) ?? []).filter((some) => isWithinDay(some.at(-1), one));
    const group = groups.find((some) => isSameCard(some.at(-1), one));
    if (group) group.push(one);
    else groups.push([one]);
    if (group?.length === 2) doubles.push(group);
    open.set(key, groups);
  }
  const isWithin = ({ at }: Movement) => Date.parse(at) >= begin;
  return doubles.filter((group) => group.some(isWithin));
}

/** A movement of a double, with the minor units that were refunded of it. */
export type RefundedMovement = Movement & { refunded: number };

/** @returns the doubles with what was refunded of each payment */
export async function refundedDoubles(
  known: Known,
  doubles: readonly (readonly Movement[])[],
): Promise<RefundedMovement[][]> {
  const ids = doubles.flat().map(({ id }) => id);
  const refunds = (await tiedTo(known, ['refund'], ids)).filter(
    ({ outcome }) => outcome === 'approved',
  );
  return doubles.map((group) =>
    group.map((movement) => {
      const back = refunds.filter(({ purchase }) => purchase === movement.id);
      const refunded = back.reduce((sum, { amount }) => sum + Math.abs(amount ?? 0), 0);
      return { ...movement, refunded };
    }),
  );
}

/** @returns whether more than one payment of a double was not wholly refunded */
export function isOpen(group: readonly RefundedMovement[]): boolean {
  return group.filter(({ amount, refunded }) => refunded < (amount ?? 0)).length > 1;
}

function isWithinDay(before: Movement | undefined, one: Movement): boolean {
  return before !== undefined && Date.parse(one.at) - Date.parse(before.at) < DAY_MS;
}

/** Four digits do not identify a card. Its token does, or else all that payments show of it, or else the payer. */
function isSameCard(before: Movement | undefined, one: Movement): boolean {
  if (!before) return false;
  const areStored = before.token !== null && one.token !== null;
  // A card that is typed gets a token each time. A charge has the token of a customer.
  const isCharge = before.what === 'charge' || one.what === 'charge';
  if (areStored && (isCharge || before.token === one.token)) return before.token === one.token;
  const [card, other] = [shownCard(before), shownCard(one)];
  return card && other ? card === other : !areStored && before.who === one.who;
}

/** @returns the first six and the last four digits of the card that paid, `512345*2346`; null if they are not known */
export function cardDigits(payment: Thing): string | null {
  const [first, last] = shownCard(payment)?.split(' ') ?? [];
  return first === undefined ? null : `${first}*${last}`;
}

/** @returns what the payment shows of its card (`shownCardOf`) */
function shownCard({ sources: { record, event, requests } }: Thing): string | undefined {
  const shown = record?.card ?? event?.card;
  return shown ?? Object.values(requests).find(({ card }) => card)?.card ?? undefined;
}

/** @param at a day or an instant, ISO 8601 */
type MomentOf = (at: string) => Pick<Movement, 'day' | 'time'>;

/** Instants in their order take little time: the zone is asked once for each day. */
function localMoments(zone: TimeZone): MomentOf {
  let [day, from, until] = ['', 0, 0];
  let time = '';
  const read = (instant: number) => {
    if (instant < from || instant >= until) {
      day = zone.dayOf(instant);
      [from, until] = [zone.startOf(day), zone.startOf(addDays(day, 1))];
    }
    // On a day on which clocks change, they do not show how much of it is over.
    const isEven = until - from === DAY_MS;
    time = isEven
      ? clockText(instant - from)
      : clockText(Date.parse(`${zone.clockAt(instant)}Z`) + (instant % 60_000));
    return day;
  };
  return (at) => {
    if (!at.includes('T')) return { day: at, time: null };
    return { day: formatInstant(at, read), time };
  };
}

/** @param ms since midnight of any day @returns `HH:MM:SS` */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (part: number) => (part < 10 ? `0${part}` : `${part}`);
  return `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
