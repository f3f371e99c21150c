/** What the amounts of lines come to. */
import type { JsonObject } from '../../../base/json.ts';

/** Minor units by currency; '' where that is not known. */
export type Totals = Map<string, bigint>;

/** @param code ISO 4217 code of the amount, where it is known */
export function addTotal(totals: Totals, { amount }: JsonObject, code = ''): void {
  if (typeof amount !== 'number') return;
  totals.set(code, (totals.get(code) ?? 0n) + BigInt(amount));
}
