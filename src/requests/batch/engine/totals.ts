/** Adds up the amounts of lines. */
import type { JsonObject } from '../../../base/json.ts';

/** Minor units by currency; '' for an unknown currency. */
export type Totals = Map<string, bigint>;

/** @param code ISO 4217 code of the amount, if it is known */
export function addTotal(totals: Totals, { amount }: JsonObject, code = ''): void {
  if (typeof amount !== 'number') return;
  totals.set(code, (totals.get(code) ?? 0n) + BigInt(amount));
}
