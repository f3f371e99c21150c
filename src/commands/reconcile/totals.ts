/** Net totals of both sides by currency: charges less refunds. */
import type { RecordKind } from '../../contract/record.ts';

export interface Sides {
  file: bigint;
  gateway: bigint;
}

/** '' for an unknown currency. */
export type SideTotals = Map<string, Sides>;

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
  totals: SideTotals,
  side: keyof Sides,
  { currency = '', net }: { currency: string | undefined; net: bigint },
): void {
  const sides = totals.get(currency) ?? { file: 0n, gateway: 0n };
  totals.set(currency, { ...sides, [side]: sides[side] + net });
}
