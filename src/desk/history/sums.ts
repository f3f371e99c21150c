/** The sums of a history, by currency. */
import type { CurrencySums, Item } from '../../view/panels/ties.ts';

/** @returns a sum for each currency in which something was paid, refunded, declined or is unknown; by its code */
export function sumsOf(items: readonly Item[]): CurrencySums[] {
  const sums = new Map<string | null, CurrencySums>();
  for (const item of items) {
    const name = countedAs(item);
    if (name === undefined) continue;
    const known = sums.get(item.currency) ?? noSums(item.currency);
    sums.set(item.currency, known);
    const amount = Math.abs(item.amount ?? 0);
    known[name] = { count: known[name].count + 1, amount: known[name].amount + amount };
  }
  return [...sums.values()].toSorted((one, other) =>
    (one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1,
  );
}

/** @returns the sum to which it belongs; undefined if it moved no money */
function countedAs({
  isMoney,
  isRefund,
  outcome,
  amount,
  hearsay,
}: Item): Exclude<keyof CurrencySums, 'currency'> | undefined {
  if (!isMoney || amount === null) return undefined;
  if (hearsay) return outcome === 'approved' ? 'heard' : undefined;
  if (outcome === 'declined') return 'declined';
  if (outcome === 'unknown') return 'unknown';
  if (outcome !== 'approved') return undefined;
  return isRefund ? 'refunded' : 'paid';
}

function noSums(currency: string | null): CurrencySums {
  const none = { count: 0, amount: 0 };
  return { currency, paid: none, refunded: none, declined: none, unknown: none, heard: none };
}
