/** What a refund's record does not say (section 2.4): its purchase, and the currency of that. */
import { isOf } from '../../base/account.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RefundTie } from '../../index/document-of-record.ts';
import { all, type Work } from '../../store/sql.ts';
import type { Destination } from '../ledger.ts';

type SendingAccount = Pick<Destination, 'account' | 'profile' | 'host'>;

/** A purchase or a refund, and whose it is. */
type Owned = SendingAccount & { id: string };

/** @param purchase its id. @returns ISO 4217 code that its record, or else its request, had */
export function* currencyOfPurchase(
  owner: SendingAccount,
  purchase: string,
): Work<string | undefined> {
  return (yield* currenciesOfPurchases(owner, [purchase])).get(purchase);
}

/** As `currencyOfPurchase`, of many. @returns those that are known, by the ids of the purchases */
function* currenciesOfPurchases(
  owner: SendingAccount,
  purchases: readonly string[],
): Work<Map<string, string>> {
  const asked = [...new Set(purchases)].map((id) => ({ ...owner, id }));
  const currencies = yield* currenciesOf(asked);
  return new Map(
    asked.flatMap(({ id }, i) => {
      const currency = currencies[i];
      return currency === undefined ? [] : [[id, currency]];
    }),
  );
}

/** @param refund its id. @returns the purchase that it was made of, from here, and its currency */
export function* refundTie(owner: SendingAccount, refund: string): Work<RefundTie> {
  const [tie] = yield* refundTies([{ ...owner, id: refund }]);
  return tie ?? {};
}

/** As `refundTie`, of many. @returns for each what is known, in that order */
export function* refundTies(refunds: readonly Owned[]): Work<RefundTie[]> {
  if (refunds.length === 0) return [];
  const made = yield* all<Owned & { purchase: string }>(
    `SELECT account, profile, host, record_id AS id, refund_of AS purchase
       FROM gw.money_requests WHERE record_id = ANY (:ids) AND refund_of IS NOT NULL`,
    { ids: idsOf(refunds) },
  );
  const purchases = refunds.map((refund) => {
    const purchase = made.find((one) => isSame(one, refund))?.purchase;
    return purchase === undefined ? undefined : { ...refund, id: purchase };
  });
  const known = purchases.flatMap((purchase) => purchase ?? []);
  const currencies = yield* currenciesOf(known);
  return purchases.map((purchase) =>
    purchase ? { purchase: purchase.id, currency: currencies[known.indexOf(purchase)] } : {},
  );
}

/** @returns for each the currency of its record, or else of its request, in that order */
function* currenciesOf(purchases: readonly Owned[]): Work<(string | undefined)[]> {
  if (purchases.length === 0) return [];
  const seen = yield* all<Owned & { record: string }>(
    `SELECT account, profile, host, id, record FROM gw.records_seen
      WHERE id = ANY (:ids) AND kind = 'purchase' ORDER BY account IS NULL`,
    { ids: idsOf(purchases) },
  );
  const said = purchases.map((purchase) => {
    const known = seen.find((one) => isSame(one, purchase));
    const { currency } = known ? (JSON.parse(known.record) as JsonObject) : {};
    return typeof currency === 'string' ? currency : undefined;
  });
  const silent = purchases.filter((_, i) => said[i] === undefined);
  const asked = yield* currenciesAsked(silent);
  return purchases.map((purchase, i) => said[i] ?? asked.get(purchase));
}

function* currenciesAsked(purchases: readonly Owned[]): Work<Map<Owned, string>> {
  if (purchases.length === 0) return new Map();
  const rows = yield* all<Owned & { currency: string }>(
    `SELECT account, profile, host, record_id AS id, currency FROM gw.money_requests
      WHERE record_id = ANY (:ids) AND currency IS NOT NULL AND refund_of IS NULL`,
    { ids: idsOf(purchases) },
  );
  return new Map(
    purchases.flatMap((purchase) => {
      const currency = rows.find((one) => isSame(one, purchase))?.currency;
      return currency === undefined ? [] : [[purchase, currency]];
    }),
  );
}

const idsOf = (owned: readonly Owned[]) => [...new Set(owned.map(({ id }) => id))];

const isSame = (one: Owned, other: Owned) => one.id === other.id && isOf(one, other);
