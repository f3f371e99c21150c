/**
 * Finds the days that each deposit of a file pays out, in one currency. Both are in the order of time, so they are
 * aligned like two texts: a deposit pays one day, or several days in a row such as those of a weekend, or none; a day is
 * paid by one deposit or by none. The alignment with the lowest cost counts.
 *
 * Deposits come some days after their days, mostly equally many, and a fee may be taken off, mostly the same share. All
 * numbers of days are tried, and the share by which most deposits could be lower than days near them. Another amount is
 * only considered if it is like the net, or comes after the usual number of days.
 */
import { dayNumber } from '../../base/calendar.ts';

/** Money on a day, in minor units. */
export interface Dated {
  day: string;
  amount: number;
}

/** One deposit with the days that it pays: places in the lists, from 0. */
export interface Paid {
  deposit: number;
  /** In the order of time. */
  days: readonly number[];
}

export interface Alignment {
  /** In the order of the deposits; those without a day are left out. */
  paid: readonly Paid[];
  /** The days from a settlement to its deposit, mostly. */
  usualLag: number;
  cost: number;
}

/** The calendar days of a long weekend, and the most that one deposit pays. */
export const MAX_DAYS = 5;

/** No gateway pays later than that as a rule. */
const MAX_USUAL_LAG = 10;
/** The cost of a deposit without a day, and of a day without a deposit. */
const ALONE = 10;
/** The cost of another amount: more than a day without a deposit, and less than that and a deposit without a day. */
const OTHER_AMOUNT = { least: 11, most: 18 };
/** The cost of an amount that is lower by the usual fee, and of one by a fee that was rounded for each transaction. */
const LESS_FEE = { once: 0.5, each: 1 };
/** The cost of each day by which a deposit comes earlier or later than usual. */
const UNUSUAL_DAY = 0.1;
/** The largest fee that is considered, as a share of the net. */
export const MAX_FEE = 0.1;
/** Fees are agreed in hundredths of a percent. */
const SHARE_STEP = 0.0001;
/** By how much of the net a fee may be another share, because it is rounded for each transaction. */
const FEE_ROUNDING = 0.001;

/**
 * @param deposits in the order of time
 * @param days in the order of time, each once and none with an amount of zero
 * @param withinDays how many days a deposit may be from its last day
 */
export function align(
  deposits: readonly Dated[],
  days: readonly Dated[],
  withinDays: number,
): Alignment {
  const plain = alignWith(deposits, days, { withinDays, feeShare: 0 });
  const feeShare = likelyShare(deposits, days, withinDays);
  if (feeShare === 0) return plain;
  const lower = alignWith(deposits, days, { withinDays, feeShare });
  return lower.cost < plain.cost ? lower : plain;
}

/** The ways in which a bank pays. */
interface Habits {
  withinDays: number;
  usualLag: number;
  /** Whether any amount may be that of the day whose deposit usually comes then. */
  takesAny: boolean;
  /** The fee as a share of the net; 0 for none. */
  feeShare: number;
}

function alignWith(
  deposits: readonly Dated[],
  days: readonly Dated[],
  habits: Pick<Habits, 'withinDays' | 'feeShare'>,
): Alignment {
  const most = Math.min(habits.withinDays, MAX_USUAL_LAG);
  // Only amounts that are like those of days show the usual lag.
  const all = Array.from({ length: most + 1 }, (_, usualLag) =>
    alignAfter(deposits, days, { ...habits, usualLag, takesAny: false }),
  );
  const { usualLag } = all.reduce((best, one) => (one.cost < best.cost ? one : best));
  return alignAfter(deposits, days, { ...habits, usualLag, takesAny: true });
}

/** @returns the share by which most deposits are lower than a day or a few days near them; 0 if no two agree */
function likelyShare(
  deposits: readonly Dated[],
  days: readonly Dated[],
  withinDays: number,
): number {
  const numbers = days.map(({ day }) => dayNumber(day));
  const counts = new Map<number, number>();
  // The same deposit twice does not agree with itself.
  const voters = deposits.filter(({ day, amount }, n) => {
    const before = deposits[n - 1];
    return before?.day !== day || before.amount !== amount;
  });
  for (const { day, amount } of voters) {
    const number = dayNumber(day);
    const end = placeOf(numbers, number + withinDays + 1);
    const shares = new Set<number>();
    for (let first = placeOf(numbers, number - withinDays - MAX_DAYS); first < end; first++)
      for (let [net, last] = [0, first]; last < Math.min(end, first + MAX_DAYS); last++) {
        net += days[last]?.amount ?? 0;
        shares.add(Math.round((1 - amount / net) / SHARE_STEP));
      }
    for (const share of shares) counts.set(share, (counts.get(share) ?? 0) + 1);
  }
  let [likely, most] = [0, 1];
  for (const [share, n] of counts)
    if (n > most && share > 0 && share * SHARE_STEP <= MAX_FEE) [likely, most] = [share, n];
  return likely * SHARE_STEP;
}

/** The best way to a place: all deposits and days before it are aligned. */
interface Step {
  cost: number;
  /** The days that the last deposit pays; undefined if the last step passes a day, 0 if the deposit pays none. */
  pays: number | undefined;
}

/** The steps for one more deposit, by the number of days before them, from `first` on. */
interface Front {
  first: number;
  steps: Step[];
}

function alignAfter(deposits: readonly Dated[], days: readonly Dated[], habits: Habits): Alignment {
  const numbers = days.map(({ day }) => dayNumber(day));
  const fronts: Front[] = [{ first: 0, steps: [{ cost: 0, pays: undefined }] }];
  for (const deposit of deposits) {
    const number = dayNumber(deposit.day);
    const reach = { from: number - habits.withinDays - MAX_DAYS, to: number + habits.withinDays };
    const before = fronts.at(-1) as Front;
    const first = Math.max(before.first, placeOf(numbers, reach.from));
    const front: Front = { first, steps: [] };
    for (let place = first; place <= Math.max(first, placeOf(numbers, reach.to + 1)); place++) {
      const passed = front.steps.at(-1);
      let step: Step = { cost: costAt(before, place) + ALONE, pays: 0 };
      if (passed && passed.cost + ALONE < step.cost)
        step = { cost: passed.cost + ALONE, pays: undefined };
      for (let pays = 1; pays <= MAX_DAYS && place - pays >= before.first; pays++) {
        const cost =
          costAt(before, place - pays) + costOf(deposit, days.slice(place - pays, place), habits);
        if (cost < step.cost) step = { cost, pays };
      }
      front.steps.push(step);
    }
    fronts.push(front);
  }
  const cost = costAt(fronts.at(-1) as Front, days.length);
  return { cost, usualLag: habits.usualLag, paid: paidIn(fronts, days.length) };
}

/** @returns the place of the first number that is not below the limit */
function placeOf(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places after the last step are reached by passing days. */
function costAt({ first, steps }: Front, place: number): number {
  const at = Math.min(place - first, steps.length - 1);
  const step = steps[at];
  return step ? step.cost + (place - first - at) * ALONE : Number.POSITIVE_INFINITY;
}

function costOf({ day, amount }: Dated, days: readonly Dated[], habits: Habits): number {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return Number.POSITIVE_INFINITY;
  const lag = dayNumber(day) - dayNumber(last.day);
  const span = dayNumber(last.day) - dayNumber(first.day);
  if (Math.abs(lag) > habits.withinDays || span >= MAX_DAYS) return Number.POSITIVE_INFINITY;
  const net = days.reduce((sum, one) => sum + one.amount, 0);
  const unusual = UNUSUAL_DAY * Math.abs(lag - habits.usualLag);
  if (net === amount) return unusual;
  const size = Math.abs(net || 1);
  const offFee = Math.abs(net * (1 - habits.feeShare) - amount);
  if (offFee <= 1) return LESS_FEE.once + unusual;
  // No amount that is right is given up to take in a day without a deposit.
  const further = unusual + ALONE * (days.length - 1);
  if (offFee <= size * FEE_ROUNDING) return LESS_FEE.each + further;
  const share = Math.abs(net - amount) / size;
  const isOnTime = habits.takesAny && days.length === 1 && lag === habits.usualLag;
  if (Math.sign(net) !== Math.sign(amount) || (share > MAX_FEE && !isOnTime))
    return Number.POSITIVE_INFINITY;
  const { least, most } = OTHER_AMOUNT;
  return least + (most - least) * Math.min(1, share) + further;
}

function paidIn(fronts: readonly Front[], end: number): Paid[] {
  const paid: Paid[] = [];
  let place = end;
  for (let deposit = fronts.length - 2; deposit >= 0; deposit--) {
    const { first, steps } = fronts[deposit + 1] as Front;
    place = Math.min(place, first + steps.length - 1);
    while (steps[place - first]?.pays === undefined) place--;
    const { pays = 0 } = steps[place - first] ?? {};
    place -= pays;
    if (pays > 0) paid.push({ deposit, days: Array.from({ length: pays }, (_, n) => place + n) });
  }
  return paid.reverse();
}
