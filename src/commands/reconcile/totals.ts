/** Net totals of both sides by currency: charges less refunds. Rows that were compared are apart from all others. */
import type { RecordKind } from '../../contract/record.ts';
import type { ReconciledOutcome } from './reconciled-row.ts';

export interface Sides {
  file: bigint;
  gateway: bigint;
}

/** '' for an unknown currency. */
export type SideTotals = Map<string, Sides>;

/** The rows that have a sum of their own: those that were compared, or those of another outcome. */
export type SumClass = 'compared' | ReconciledOutcome;

/** The two sides of `compared` have the same rows, and every other class stands on one side alone. */
export type ClassSums = Map<SumClass, SideTotals>;

/**
 * @param amount minor units, of either sign
 * @returns the part of the net total; 0 if it was declined
 */
export function netOf(kind: RecordKind | undefined, amount: number, isDeclined: boolean): bigint {
  if (isDeclined || kind === 'subscription') return 0n;
  const size = BigInt(Math.abs(amount));
  return kind === 'refund' || amount < 0 ? -size : size;
}

export function addSide(
  sums: ClassSums,
  [name, side]: readonly [SumClass, keyof Sides],
  { currency = '', net }: { currency: string | undefined; net: bigint },
): void {
  const totals: SideTotals = sums.get(name) ?? new Map();
  sums.set(name, totals);
  const sides = totals.get(currency) ?? { file: 0n, gateway: 0n };
  totals.set(currency, { ...sides, [side]: sides[side] + net });
}
