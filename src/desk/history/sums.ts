/** The sums of a history, by currency. */
import type { Counts } from '../../things/what-counts.ts';
import type { CurrencySums, Item } from '../../view/panels/ties.ts';

/** @returns a sum for each currency in which something was paid, refunded, declined or is unknown; by its code */
export function sumsOf(items: readonly Item[]): CurrencySums[] {
  const sums = new Map<string | null, CurrencySums>();
  for (const item of items) {
    const name = item.counts && SUMS[item.counts];
    if (name === undefined || item.amount === null) continue;
    const known = sums.get(item.currency) ?? noSums(item.currency);
    sums.set(item.currency, known);
    const amount = Math.abs(item.amount);
    known[name] = { count: known[name].count + 1, amount: known[name].amount + amount };
  }
  return [...sums.values()].toSorted((one, other) =>
    (one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1,
  );
}

/** The sum to which an item belongs. */
const SUMS: Partial<Record<Counts, Exclude<keyof CurrencySums, 'currency'>>> = {
  purchases: 'paid',
  charges: 'paid',
  refunds: 'refunded',
  declines: 'declined',
  unknown: 'unknown',
  heard: 'heard',
};

function noSums(currency: string | null): CurrencySums {
  const none = { count: 0, amount: 0 };
  return { currency, paid: none, refunded: none, declined: none, unknown: none, heard: none };
}
