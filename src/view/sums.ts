/** Sums of money in words, a line for each currency. */

import type { CurrencySums } from './cards/related-record.ts';
import { amountText } from './values.ts';

/** @returns for example `AUD: paid 75.00 AUD (3), refunded 5.00 AUD (1), net 70.00 AUD` */
export function sumsText({
  currency,
  paid,
  refunded,
  net,
  declined,
  unknown,
}: CurrencySums): string {
  const money = (amount: number) => amountText({ amount, currency }) ?? '';
  const counted = (name: string, { count, amount }: CurrencySums['paid']) =>
    `${name} ${money(amount)} (${count})`;
  const parts = [counted('paid', paid), counted('refunded', refunded), `net ${money(net)}`];
  if (declined.count > 0) parts.push(counted('declined', declined));
  if (unknown.count > 0) parts.push(counted('of unknown outcome', unknown));
  return `${currency ?? 'Currency unknown'}: ${parts.join(', ')}`;
}
