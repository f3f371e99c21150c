/**
 * Finds a fee by which deposits are lower than what was settled: the same share of each, the same amount for each
 * transaction, or both, such as 2.9 % and 0.30. Banks take it of the payments alone or of the net, and round it once a
 * day or for each transaction, up or down. Several rates explain the same deposits then: fees are agreed in round
 * numbers, so the roundest rate counts.
 */
import type { SettledRecord } from './reconciled-row.ts';

/** A deposit that differs from what was settled. */
export interface Shortfall {
  /** The sum that was settled less the deposit, in minor units. */
  missing: number;
  records: readonly SettledRecord[];
}

const BASES = ['payments', 'net'] as const;

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
/** Agreed rates are multiples of 0.05 %, and of five minor units for each transaction. */
const ROUND = 5;

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
  let best: { fee: Fee; rank: number[] } | undefined;
  const least = Math.max(1, Math.floor(deposits / 2));
  for (const fee of guesses) {
    const explained = shortfalls.filter((one) => isBy(fee, one)).length;
    // Two numbers explain any two deposits.
    const isShown = explained > 2 || fee.share === 0 || fee.each === 0;
    if (explained <= least || !isShown) continue;
    const rank = rankOf(fee, explained, shortfalls);
    if (!best || isAbove(rank, best.rank)) best = { fee, rank };
  }
  return best?.fee;
}

/** @returns what makes a fee likely, the most important first: how many deposits it explains, and how simple it is */
function rankOf(fee: Fee, explained: number, shortfalls: readonly Shortfall[]): number[] {
  const { of, share, each } = fee;
  const isRound = share % ROUND === 0 && each % ROUND === 0;
  const apart = (one: Shortfall) =>
    isBy(fee, one) ? Math.abs(one.missing - each * countOf(one, of) - shareOf(fee, one)) : 0;
  const off = shortfalls.reduce((sum, one) => sum + apart(one), 0);
  return [
    explained,
    Number(isRound),
    Number(share === 0 || each === 0),
    Number(of === 'payments'),
    -off,
  ];
}

function isAbove(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, n) => value !== other[n]);
  return place !== -1 && (one[place] ?? 0) > (other[place] ?? 0);
}

const rounded = (number: number) => Math.round(number / ROUND) * ROUND;

/** @returns the fees of one number that would explain one deposit */
function feesBy(one: Shortfall, of: Fee['of']): Fee[] {
  const share = Math.round((one.missing * SHARES) / sumOf(one, of));
  const each = Math.round(one.missing / countOf(one, of));
  return [
    ...[share, rounded(share)].flatMap((some) => (some > 0 ? [{ of, share: some, each: 0 }] : [])),
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
  return [...NEARBY.map((by) => slope + by), rounded(slope)].flatMap((share) => {
    const each = Math.round(median(means.map(({ size, fee }) => fee - (size * share) / SHARES)));
    return [each, rounded(each)].flatMap((some) =>
      share > 0 && some > 0 ? [{ of, share, each: some }] : [],
    );
  });
}

/** A few wrong deposits do not move it. @returns NaN for none */
function median(numbers: readonly number[]): number {
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** @returns whether a deposit is lower by just the fee, however its parts were rounded */
export function isBy(fee: Fee, one: Shortfall): boolean {
  const { of, share, each } = fee;
  const left = one.missing - each * countOf(one, of);
  if (share === 0) return left === 0;
  if (Math.abs(left - shareOf(fee, one)) <= ROUNDING) return true;
  const parts = recordsOf(one, of).map(({ amount }) => (amount * share) / SHARES);
  const sum = (round: (part: number) => number) =>
    parts.reduce((all, part) => all + round(part), 0);
  return sum(Math.floor) <= left && left <= sum(Math.ceil);
}

/** @returns the share of a deposit that the fee takes, before it is rounded */
function shareOf({ of, share }: Fee, one: Shortfall): number {
  return (sumOf(one, of) * share) / SHARES;
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
