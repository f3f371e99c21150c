/**
 * Finds a fee by which deposits are lower than what was settled: the same share of each, the same amount for each
 * transaction, or both, such as 2.9 % and 0.30. Banks take it of the net or of the payments alone, and round it once a
 * day or for each transaction.
 */
import type { SettledRecord } from './reconciled-row.ts';

/** A deposit that differs from what was settled. */
export interface Shortfall {
  /** The sum that was settled less the deposit, in minor units. */
  missing: number;
  records: readonly SettledRecord[];
}

const BASES = ['net', 'payments'] as const;

export interface Fee {
  of: (typeof BASES)[number];
  /** Hundredths of a percent; 0 for none. */
  share: number;
  /** Minor units for each transaction; 0 for none. */
  each: number;
}

const SHARES = 10_000;
/** Rounding once a day, at either side. */
const ROUNDING = 1;

/** The most deposits by which a fee is guessed: the largest show it best. */
const MAX_GUESSES = 20;
/** The shares that are tried around the one that deposits show best, because each was rounded. */
const NEARBY = [0, 1, -1, 2, -2, 3, -3];

/** @returns the fee that explains most of the deposits, and more than half of several; undefined if there is none */
export function feeOf(shortfalls: readonly Shortfall[], deposits: number): Fee | undefined {
  const largest = shortfalls
    .toSorted((one, other) => Math.abs(sumOf(other, 'net')) - Math.abs(sumOf(one, 'net')))
    .slice(0, MAX_GUESSES);
  const guesses = [
    ...BASES.flatMap((of) => largest.flatMap((one) => feesBy(one, of))),
    ...BASES.flatMap((of) => feesByAll(largest, of)),
  ];
  let best: Fee | undefined;
  let most = Math.max(1, Math.floor(deposits / 2));
  for (const fee of guesses) {
    const explained = shortfalls.filter((one) => isBy(fee, one)).length;
    // Two numbers explain any two deposits.
    const isShown = explained > 2 || fee.share === 0 || fee.each === 0;
    if (explained > most && isShown) [best, most] = [fee, explained];
  }
  return best;
}

/** @returns the fees of one number that would explain one deposit */
function feesBy(one: Shortfall, of: Fee['of']): Fee[] {
  const share = Math.round((one.missing * SHARES) / sumOf(one, of));
  const each = Math.round(one.missing / countOf(one, of));
  return [
    ...(share > 0 ? [{ of, share, each: 0 }] : []),
    ...(each > 0 ? [{ of, share: 0, each }] : []),
  ];
}

/** @returns fees of a share and an amount, by the line through the mean fees of mean transactions */
function feesByAll(shortfalls: readonly Shortfall[], of: Fee['of']): Fee[] {
  const means = shortfalls.map((one) => ({
    size: sumOf(one, of) / countOf(one, of),
    fee: one.missing / countOf(one, of),
  }));
  const slopes = means.flatMap((one, n) =>
    means.slice(n + 1).map((other) => (other.fee - one.fee) / (other.size - one.size)),
  );
  const slope = Math.round(median(slopes) * SHARES);
  return NEARBY.flatMap((by) => {
    const share = slope + by;
    const each = Math.round(median(means.map(({ size, fee }) => fee - (size * share) / SHARES)));
    return share > 0 && each > 0 ? [{ of, share, each }] : [];
  });
}

/** A few wrong deposits do not move it. @returns NaN for none */
function median(numbers: readonly number[]): number {
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** @returns whether a deposit is lower by just the fee */
export function isBy(fee: Fee, one: Shortfall): boolean {
  const { of, share, each } = fee;
  const left = one.missing - each * countOf(one, of);
  if (share === 0) return left === 0;
  const rate = share / SHARES;
  if (Math.abs(left - sumOf(one, of) * rate) <= ROUNDING) return true;
  const parts = recordsOf(one, of).map(({ amount }) => Math.round(amount * rate));
  return left === parts.reduce((sum, part) => sum + part, 0);
}

function recordsOf({ records }: Shortfall, of: Fee['of']): readonly SettledRecord[] {
  return of === 'net' ? records : records.filter(({ amount }) => amount > 0);
}

function sumOf(one: Shortfall, of: Fee['of']): number {
  return recordsOf(one, of).reduce((sum, { amount }) => sum + amount, 0);
}

function countOf(one: Shortfall, of: Fee['of']): number {
  return recordsOf(one, of).length;
}
