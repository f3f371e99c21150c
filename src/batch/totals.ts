/** What the amounts of lines come to. */
import type { JsonObject } from '../base/json.ts';
import { asMoney } from '../session/guard.ts';

/** Minor units by currency; '' where a line names none. */
export type Totals = Map<string, bigint>;

export function addTotal(totals: Totals, { amount, currency }: JsonObject): void {
  if (typeof amount !== 'number') return;
  const code = typeof currency === 'string' ? currency : '';
  totals.set(code, (totals.get(code) ?? 0n) + BigInt(amount));
}

/** @param currency of the account, where it is known. @returns for example `25.00 AUD and 300 JPY` */
export function moneyOf(totals: ReadonlyMap<string, bigint>, currency: string | undefined): string {
  return [...totals]
    .map(([code, total]) => asMoney(total, code === '' ? currency : code))
    .join(' and ');
}
