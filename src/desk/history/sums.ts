/**
 * The sums of a history, by currency.
 *
 * Tests: test/unit/desk/history/timeline.test.ts, test/unit/desk/report/unpaid.test.ts
 */
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
  const charges = new UnpaidCharges();
  for (const item of items) charges.add(item);
  for (const one of charges.all) {
    const { unpaid } = sumOf(one.last.currency);
    unpaid.count++;
    unpaid.amount += one.amount;
    unpaid.tries += one.tries;
  }
  const owed = charges.all.map(({ last: { at, customer, currency }, amount }) => {
    return { customer, currency, amount, lastTry: at };
  });
  for (const { currency, reference, id } of salesSince(owed, items).values()) {
    const { unpaid } = sumOf(currency);
    unpaid.paidSince = [...(unpaid.paidSince ?? []), reference ?? id ?? ''];
  }
  return [...sums.values()].toSorted((one, other) =>
    (one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1,
  );
}

/** A charge that was declined and that no later try paid: its first and its last try. */
export interface Unpaid extends UnpaidSum {
  first: Item;
  last: Item;
}

/**
 * Collects charges that were declined and that no later try paid, each once however often it was tried. A charge of a
 * subscription and its retries ask for the same money, and so do attempts with one reference.
 */
export class UnpaidCharges {
  readonly #left: Unpaid[] = [];
  readonly #open = new Map<string, Unpaid>();

  /** @param item not older than the one before */
  add(item: Item): void {
    const isPaid = isPayment(item);
    if (isPaid === undefined || item.amount === null) return;
    const key = matterOf(item);
    const before = this.#open.get(key);
    const isNext = item.subscription !== null && item.retry === 0;
    if (before && isNext) this.#left.push(before);
    this.#open.delete(key);
    if (isPaid) return;
    const { tries = 0, first = item } = (isNext ? undefined : before) ?? {};
    const amount = Math.abs(item.amount);
    this.#open.set(key, { count: 1, amount, tries: tries + 1, first, last: item });
  }

  get all(): Unpaid[] {
    return [...this.#left, ...this.#open.values()];
  }
}

interface Owed extends Pick<Item, 'customer' | 'currency'> {
  amount: number;
  /** ISO 8601. */
  lastTry: string;
}

/**
 * @param items oldest first
 * @returns the sale that may have paid a charge: the first after its last try that took the same amount of the same
 *   customer. No sale is said of two charges. The gateway does not say what a sale was for.
 */
export function salesSince<One extends Owed>(
  owed: readonly One[],
  items: readonly Item[],
): Map<One, Item> {
  const sales = new Map<One, Item>();
  const left = new Map<string, Item[]>();
  for (const one of items) {
    if (!isPayment(one) || one.subscription !== null || one.customer === null) continue;
    const own = left.get(one.customer);
    if (own) own.push(one);
    else left.set(one.customer, [one]);
  }
  for (const one of owed) {
    const own = left.get(one.customer ?? '') ?? [];
    const at = own.findIndex(
      ({ currency, amount, at: paidAt }) =>
        currency === one.currency &&
        amount === one.amount &&
        Date.parse(paidAt) > Date.parse(one.lastTry),
    );
    const [sale] = at === -1 ? [] : own.splice(at, 1);
    if (sale) sales.set(one, sale);
  }
  return sales;
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
