/** What a refund's record does not say (section 2.4): its purchase, and the currency of that. */
import { SAME_ACCOUNT } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Destination } from '../ledger.ts';

type Owner = Pick<Destination, 'account' | 'profile' | 'host'>;

/** @param purchase its id. @returns ISO 4217 code that its record, or else its request, had */
export function currencyOfPurchase(
  queries: Queries,
  { account, profile, host }: Owner,
  purchase: string,
): string | undefined {
  const values = { purchase, account, profile, host };
  const seen = queries.get<{ record: string }>(
    `SELECT record FROM records_seen
      WHERE id = :purchase AND kind = 'purchase' AND ${SAME_ACCOUNT}
      ORDER BY account IS NULL LIMIT 1`,
    values,
  );
  const { currency } = seen ? (JSON.parse(seen.record) as JsonObject) : {};
  if (typeof currency === 'string') return currency;
  const asked = queries.get<{ currency: string }>(
    `SELECT currency FROM money_requests
      WHERE record_id = :purchase AND currency IS NOT NULL AND refund_of IS NULL AND ${SAME_ACCOUNT}
      LIMIT 1`,
    values,
  );
  return asked?.currency;
}

/** @param refund its id. @returns the purchase that it was made of, from here, and its currency */
export function refundTie(
  queries: Queries,
  { account, profile, host }: Owner,
  refund: string,
): { purchase?: string | undefined; currency?: string | undefined } {
  const made = queries.get<{ purchase: string }>(
    `SELECT refund_of AS purchase FROM money_requests
      WHERE record_id = :refund AND refund_of IS NOT NULL AND ${SAME_ACCOUNT} LIMIT 1`,
    { refund, account, profile, host },
  );
  if (!made) return {};
  const { purchase } = made;
  return { purchase, currency: currencyOfPurchase(queries, { account, profile, host }, purchase) };
}
