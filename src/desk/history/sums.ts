/** The sums of a history, by currency. */
import type { Counts } from '../../things/what-counts.ts';
import type { CurrencySums, Item, UnpaidSum } from '../../view/panels/ties.ts';

/**
 * @param items oldest first
 * @returns a sum for each currency in which something was paid, refunded, declined or is unknown; by its code
 */
export function sumsOf(items: readonly Item[]): CurrencySums[] {
  const sums = new Map<string | null, CurrencySums>();
  const sumOf = (currency: string | null) => {
    const known = sums.get(currency) ?? noSums(currency);
    sums.set(currency, known);
    return known;
  };
  for (const item of items) {
    const isTry = item.counts === 'declines' && !item.isRefund;
    const name = item.counts && !isTry ? SUMS[item.counts] : undefined;
    if (name === undefined || item.amount === null) continue;
    const sum = sumOf(item.currency)[name];
    sum.count++;
    sum.amount += Math.abs(item.amount);
  }
  for (const { currency, ...one } of unpaidOf(items)) {
    const { unpaid } = sumOf(currency);
    unpaid.count++;
    unpaid.amount += one.amount;
    unpaid.tries += one.tries;
  }
  return [...sums.values()].toSorted((one, other) =>
    (one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1,
  );
}

type Charge = Pick<UnpaidSum, 'amount' | 'tries'> & Pick<Item, 'currency'>;

/**
 * A charge of a subscription and its retries ask for the same money, and so do attempts with one reference.
 * @returns what was declined and not paid by a later try, once however often it was tried
 */
function unpaidOf(items: readonly Item[]): Charge[] {
  const unpaid: Charge[] = [];
  const open = new Map<string, Charge>();
  for (const item of items) {
    const { amount, retry, currency } = item;
    const isPaid = isPayment(item);
    if (isPaid === undefined || amount === null) continue;
    const key = matterOf(item);
    const before = open.get(key);
    const isNext = item.subscription !== null && retry === 0;
    if (before && isNext) unpaid.push(before);
    open.delete(key);
    const tries = (isNext ? 0 : (before?.tries ?? 0)) + 1;
    if (!isPaid) open.set(key, { currency, amount: Math.abs(amount), tries });
  }
  return [...unpaid, ...open.values()];
}

/** @returns what the tries of one payment have in common; a payment without a reference is one by itself */
function matterOf(item: Item): string {
  const { subscription, reference, id, at, account, currency } = item;
  return JSON.stringify([subscription, subscription ?? reference ?? [id, at], account, currency]);
}

/** @returns whether a payment was made or declined; undefined for everything else */
function isPayment({ counts, isRefund }: Item): boolean | undefined {
  if (counts === 'purchases' || counts === 'charges') return true;
  return counts === 'declines' && !isRefund ? false : undefined;
}

/** The sum to which an item belongs. */
const SUMS: Partial<Record<Counts, 'paid' | 'refunded' | 'notRefunded' | 'unknown' | 'heard'>> = {
  purchases: 'paid',
  charges: 'paid',
  refunds: 'refunded',
  declines: 'notRefunded',
  unknown: 'unknown',
  heard: 'heard',
};

function noSums(currency: string | null): CurrencySums {
  const none = () => ({ count: 0, amount: 0 });
  return {
    ...{ currency, paid: none(), refunded: none(), notRefunded: none() },
    ...{ unpaid: { ...none(), tries: 0 }, unknown: none(), heard: none() },
  };
}
