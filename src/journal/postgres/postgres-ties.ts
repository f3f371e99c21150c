/** As journal/records/refund-currency.ts, on a server: what a refund's record does not say (section 2.4). */

import { sameAccount } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RefundTie } from '../../index/document-of-record.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type { Destination } from '../ledger.ts';

/** A refund, or a purchase itself. */
export interface Tied extends Pick<Destination, 'account' | 'profile' | 'host'> {
  /** Id of the refund, where it is one. */
  refund: string | null;
  /** Id of the purchase; where it is not known, that of the request that made the refund. */
  purchase: string | null;
}

/** @returns of each its purchase, where it was made from here, and the currency of that */
export async function tiesOf(run: RunStatement, asked: readonly Tied[]): Promise<RefundTie[]> {
  if (asked.length === 0) return [];
  const names = ['account', 'profile', 'host', 'refund', 'purchase'] as const;
  const rows = await run<{
    purchase: string | null;
    record: string | null;
    currency: string | null;
  }>(
    `SELECT p.id AS purchase, seen.record, asked.currency
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
              WITH ORDINALITY AS a (account, profile, host, refund, purchase, nth)
       LEFT JOIN LATERAL (
         SELECT m.refund_of FROM gw.money_requests AS m
          WHERE a.purchase IS NULL AND m.record_id = a.refund AND m.refund_of IS NOT NULL
            AND ${sameAccount('m.', 'a.')} LIMIT 1) AS made ON true
      CROSS JOIN LATERAL (SELECT coalesce(a.purchase, made.refund_of) AS id) AS p
       LEFT JOIN LATERAL (
         SELECT r.record FROM gw.records_seen AS r
          WHERE r.id = p.id AND r.kind = 'purchase' AND ${sameAccount('r.', 'a.')}
          ORDER BY r.account IS NULL LIMIT 1) AS seen ON true
       LEFT JOIN LATERAL (
         SELECT m.currency FROM gw.money_requests AS m
          WHERE m.record_id = p.id AND m.currency IS NOT NULL AND m.refund_of IS NULL
            AND ${sameAccount('m.', 'a.')} LIMIT 1) AS asked ON true
      ORDER BY a.nth`,
    names.map((name) => asked.map((one) => one[name])),
  );
  return rows.map(({ purchase, record, currency }) => {
    const said = record === null ? {} : (JSON.parse(record) as JsonObject);
    const known = typeof said.currency === 'string' ? said.currency : (currency ?? undefined);
    return { purchase: purchase ?? undefined, currency: known };
  });
}
