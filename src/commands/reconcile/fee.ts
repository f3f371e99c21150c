/**
 * Finds a fee by which deposits are lower than what was settled: the same share of each, or the same amount for each
 * transaction. Banks take the share of the net or of the payments alone, and round it once a day or for each
 * transaction.
 */
import type { SettledRecord } from './reconciled-row.ts';

/** A deposit that differs from what was settled. */
export interface Shortfall {
  /** The sum that was settled less the deposit, in minor units. */
  missing: number;
  records: readonly SettledRecord[];
}

/** `share` in hundredths of a percent, or `each` in minor units for a transaction. */
export type Fee = {
  of: 'net' | 'payments';
} & ({ share: number } | { each: number });

const SHARES = 10_000;
/** Rounding once a day, at either side. */
const ROUNDING = 1;

/** The most deposits by which a fee is guessed: the largest show it best. */
const MAX_GUESSES = 20;

/** @returns the fee that explains most of the deposits, and more than half of several; undefined if there is none */
export function feeOf(shortfalls: readonly Shortfall[], deposits: number): Fee | undefined {
  const largest = shortfalls
    .toSorted((one, other) => Math.abs(sumOf(other, 'net')) - Math.abs(sumOf(one, 'net')))
    .slice(0, MAX_GUESSES);
  let best: Fee | undefined;
  let most = Math.max(1, Math.floor(deposits / 2));
  for (const fee of largest.flatMap(feesBy)) {
    const explained = shortfalls.filter((one) => isBy(fee, one)).length;
    if (explained > most) [best, most] = [fee, explained];
  }
  return best;
}

/** @returns the fees that would explain one deposit */
function feesBy(one: Shortfall): Fee[] {
  const fees = (['net', 'payments'] as const).flatMap((of): Fee[] => [
    { of, share: Math.round((one.missing * SHARES) / sumOf(one, of)) },
    { of, each: Math.round(one.missing / countOf(one, of)) },
  ]);
  return fees.filter((fee) => ('share' in fee ? fee.share : fee.each) > 0);
}

/** @returns whether a deposit is lower by just the fee */
export function isBy(fee: Fee, one: Shortfall): boolean {
  if ('each' in fee) return one.missing === fee.each * countOf(one, fee.of);
  const rate = fee.share / SHARES;
  const onceRounded = Math.abs(one.missing - sumOf(one, fee.of) * rate);
  if (onceRounded <= ROUNDING) return true;
  const parts = recordsOf(one, fee.of).map(({ amount }) => Math.round(amount * rate));
  return one.missing === parts.reduce((sum, part) => sum + part, 0);
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
