/** Counts subscriptions over a period, by plan and currency. */
import { addDays } from '../../base/calendar.ts';
import type { Frequency } from '../../emulator/rules/schedule.ts';
import type { Thing } from '../../things/thing.ts';
import { byCurrency, compareValues, type RowFrame } from './report-row.ts';
import type { SubscriptionsRow } from './report-view.ts';
import type { Life, Span } from './subscription-lives.ts';

const TIMES_A_YEAR: Readonly<Record<Frequency, bigint>> = {
  Daily: 365n,
  Weekly: 52n,
  Fortnightly: 26n,
  Monthly: 12n,
  Quarterly: 4n,
  'Bi-Annually': 2n,
  Annually: 1n,
};

type Frame = Pick<RowFrame, 'period' | 'from' | 'until' | 'timeZone' | 'profile'>;
type Monthly = Omit<SubscriptionsRow, keyof Frame | 'churn'>;

interface Tally extends Omit<Monthly, 'amount'> {
  /** The sum that the active ones bring in a year, minor units; null if no amount is known. */
  yearly: bigint | null;
}

export class SubscriptionTally {
  readonly #tallies = new Map<string, Tally>();
  readonly #span: Span;
  /** Names of plans by the ids or references that subscriptions have. */
  readonly #plans = new Map<string, string>();

  constructor(span: Span, plans: readonly Thing[]) {
    this.#span = span;
    for (const { id, reference } of plans)
      for (const name of [id, reference ?? id]) this.#plans.set(name, reference ?? id);
  }

  add({ subscription, start, over, isMovedHere, successor }: Life): void {
    const { first, next } = this.#span;
    const isActiveOn = (day: string) => start <= day && (over === null || over > day);
    const isWithin = (day: string) => day >= first && day < next;
    const tally = this.#of(subscription);
    if (isActiveOn(addDays(first, -1))) tally.activeBefore++;
    if (isWithin(start)) tally[isMovedHere ? 'moved' : 'new']++;
    if (over !== null && isWithin(over)) {
      if (successor) tally.moved--;
      else tally.stopped++;
    }
    if (!isActiveOn(addDays(next, -1))) return;
    tally.active++;
    const { amount, frequency } = subscription;
    if (amount === null || frequency === null) return;
    tally.yearly = (tally.yearly ?? 0n) + BigInt(amount) * TIMES_A_YEAR[frequency];
  }

  /** @param charge a charge that was given up in the period */
  addGivenUp({ plan, currency }: Pick<Thing, 'plan' | 'currency'>): void {
    this.#of({ plan, currency }).givenUp++;
  }

  /** @returns all plans of a currency, then each plan */
  rowsOf(frame: Frame): SubscriptionsRow[] {
    const each = [...this.#tallies.values()].sort(
      (one, other) => byCurrency(one, other) || compareValues(one.plan ?? '~', other.plan ?? '~'),
    );
    const currencies = [...new Set(each.map(({ currency }) => currency))];
    return currencies.flatMap((currency) => {
      const plans = each.filter((one) => one.currency === currency).map(aMonth);
      return [summed(plans), ...plans.map((one) => ({ ...one, plan: one.plan ?? '?' }))].map(
        (tally) => ({
          ...frame,
          ...tally,
          churn: tally.activeBefore === 0 ? null : tally.stopped / tally.activeBefore,
        }),
      );
    });
  }

  #of({ plan, currency }: { plan: string | null; currency: string | null }): Tally {
    const name = plan === null ? null : (this.#plans.get(plan) ?? plan);
    const key = JSON.stringify([name, currency]);
    const tally = this.#tallies.get(key) ?? { ...NOTHING, plan: name, currency, yearly: null };
    this.#tallies.set(key, tally);
    return tally;
  }
}

const NOTHING = { activeBefore: 0, new: 0, moved: 0, stopped: 0, givenUp: 0, active: 0 };

const COUNTED = ['activeBefore', 'new', 'moved', 'stopped', 'givenUp', 'active'] as const;

function aMonth({ yearly, ...tally }: Tally): Monthly {
  return { ...tally, amount: yearly === null ? null : (yearly + 6n) / 12n };
}

/** @returns the sum of the rows as they are shown: amounts are rounded before they are added */
function summed(tallies: readonly Monthly[]): Monthly {
  const sum: Monthly = {
    ...NOTHING,
    plan: null,
    currency: tallies[0]?.currency ?? null,
    amount: null,
  };
  for (const one of tallies) {
    for (const field of COUNTED) sum[field] += one[field];
    if (one.amount !== null) sum.amount = (sum.amount ?? 0n) + one.amount;
  }
  return sum;
}
