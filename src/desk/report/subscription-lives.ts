/**
 * Says from which day to which a subscription was active, by the gateway's own dates. A move to another plan or date
 * neither ends one nor begins one: the old one counts until the first day of the one that takes its place.
 *
 * Tests: test/unit/desk/report/subscription-tally.test.ts
 */
import { addDays } from '../../base/calendar.ts';
import type { KnownSubscription, SubscriptionChange } from './report-view.ts';

/** Days by the gateway's own dates, `YYYY-MM-DD`. */
export interface Span {
  first: string;
  /** The day after the last one. */
  next: string;
}

export interface Life {
  subscription: KnownSubscription;
  start: string;
  /** The first day on which it is not active; null if it goes on. */
  over: string | null;
  /** Whether it took the place of another one. */
  isMovedHere: boolean;
  /** The one that took its place; undefined if none did. */
  successor: KnownSubscription | undefined;
}

/** @returns those that were ever active, and of which that is known */
export function livesOf(known: readonly KnownSubscription[]): Life[] {
  const lives = known.flatMap((subscription): Life[] => {
    const days = daysOf(subscription);
    return days ? [{ subscription, ...days, isMovedHere: false, successor: undefined }] : [];
  });
  const all = new Map(known.map((one) => [one.name, one]));
  const living = new Map(lives.map((one) => [one.subscription.name, one]));
  for (const life of lives) {
    const next = nextOf(life, { all, living });
    if (!next) continue;
    next.isMovedHere = true;
    life.successor = next.subscription;
    life.over = [life.start, next.start].sort()[1] ?? next.start;
  }
  return lives;
}

/** @returns the one that took its place: one that was moved on before it began is passed over */
function nextOf(
  { subscription }: Life,
  { all, living }: { all: Map<string, KnownSubscription>; living: Map<string, Life> },
): Life | undefined {
  const passed = new Set([subscription.name]);
  let name = subscription.movedTo;
  while (name !== null && !passed.has(name)) {
    const next = living.get(name);
    if (next) return next;
    passed.add(name);
    name = all.get(name)?.movedTo ?? null;
  }
  return undefined;
}

/**
 * One that was stopped is over on the day of the stop, where gw sent that or was told of it, and otherwise on the day of
 * the first charge that it missed.
 */
function daysOf(known: KnownSubscription): Pick<Life, 'start' | 'over'> | undefined {
  const { start, end, next, isActive, stoppedOn } = known;
  const after = end === null ? null : addDays(end, 1);
  const missed = isActive ? null : (next ?? after ?? stoppedOn);
  // A subscription that was never active has missed its first charge.
  if (start === null || (!isActive && (missed === null || missed <= start))) return undefined;
  const stopped = isActive ? null : stoppedOn;
  if (stopped !== null && stopped < start) return undefined;
  const [over = null] = [stopped, missed, after].filter((day) => day !== null).sort();
  return { start, over };
}

/** A change of a subscription in a period. */
export interface LifeChange {
  day: string;
  what: SubscriptionChange['what'];
  life: Life;
}

/** @returns what began, was moved, stopped or ended in the days, in their order */
export function changesIn(lives: readonly Life[], { first, next }: Span): LifeChange[] {
  const changes = lives.flatMap((life): LifeChange[] => {
    const { start, over, isMovedHere, successor } = life;
    const begun = isMovedHere ? [] : [{ day: start, what: 'new', life } as const];
    return over === null ? begun : [...begun, { day: over, what: wordOf(life, successor), life }];
  });
  return changes
    .filter(({ day }) => day >= first && day < next)
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
}

function wordOf(
  { over, subscription: { end } }: Life,
  successor: Life['successor'],
): SubscriptionChange['what'] {
  if (successor) return 'moved';
  return end !== null && over === addDays(end, 1) ? 'ended' : 'stopped';
}
