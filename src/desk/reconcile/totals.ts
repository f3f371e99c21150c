/** What both sides come to, by currency: what was charged, less what was given back. */
import type { RecordKind } from '../../contract/record-id.ts';

export interface Sides {
  file: bigint;
  gateway: bigint;
}

/** '' for a currency that nobody names. */
export type SideTotals = Map<string, Sides>;

/** What counts of one side: nothing of what was declined. @param amount minor units, in any sign */
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
