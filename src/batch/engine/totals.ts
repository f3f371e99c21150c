/** What the amounts of lines come to. */
import type { JsonObject } from '../../base/json.ts';

/** Minor units by currency; '' where a line names none. */
export type Totals = Map<string, bigint>;

export function addTotal(totals: Totals, { amount, currency }: JsonObject): void {
  if (typeof amount !== 'number') return;
  const code = typeof currency === 'string' ? currency : '';
  totals.set(code, (totals.get(code) ?? 0n) + BigInt(amount));
}
