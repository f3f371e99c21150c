/**
 * Caps: the most that a profile sends within an hour or a day, refunds and purchases apart. The ledger knows what was
 * sent. It decides in the transaction of the intent, so that a team that shares a ledger shares the cap.
 *
 * A number of requests counts all that may have left, also those that were declined. An amount counts what moved or may
 * have moved: an unknown outcome counts as sent. A request falls out of the count an hour, or 24 hours, after it was sent.
 *
 * Tests: test/unit/journal/caps.test.ts, test/unit/journal/more-ledger-cases.ts
 */
import { quantity } from '../base/text.ts';
import { currencyExponent } from '../contract/currency.ts';
import { MAX_AMOUNT, moneyText, parseDecimal } from '../contract/money.ts';
import { allRows, type Engine, type SqlQuery, type SqlValues, type Work } from '../store/sql.ts';
import { laterInstant } from './entries.ts';
import type { AppliedCap, Cap, CappedRequests, OverCap } from './rules.ts';

const PERIODS_MS = { hour: 60 * 60 * 1000, day: 24 * 60 * 60 * 1000 };

const FORM =
  /^(\d{1,15})(?:\.(\d+))?(?: ([a-z]{3}))?(?: (?:of )?(refund|purchase)s?)?( (?:by|each) operator)?$/i;

/**
 * @param text of a setting: `20`, `5000.00`, `50 refunds`, `500.00 AUD refunds by operator`. With decimals or a currency
 *   it is an amount; without a kind it stands for refunds and for purchases, each apart.
 * @param own ISO 4217 code of the profile, for an amount without one
 * @returns the caps; undefined if the text is none
 */
export function parseCaps(text: string, per: Cap['per'], own?: string): Cap[] | undefined {
  const [, whole = '', decimals, code, kind, each] = FORM.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  const isAmount = decimals !== undefined || code !== undefined;
  const currency = isAmount ? (code?.toUpperCase() ?? own) : undefined;
  if (isAmount && currency === undefined) return undefined;
  const exponent = currency === undefined ? 0 : currencyExponent(currency);
  if (exponent === undefined) return undefined;
  const most = parseDecimal(decimals === undefined ? whole : `${whole}.${decimals}`, exponent) ?? 0;
  if (most < 1 || most > MAX_AMOUNT) return undefined;
  const kinds: Cap['of'][] = kind
    ? [`${kind.toLowerCase() as 'refund' | 'purchase'}s`]
    : ['refunds', 'purchases'];
  return kinds.map((of) => ({
    per,
    most,
    of,
    ...(currency !== undefined && { currency }),
    ...(each !== undefined && { isEach: true as const }),
  }));
}

/** An amount with its currency, as the rules of a profile name it. */
export interface RuleAmount {
  /** Minor units; may be 0. */
  minor: number;
  /** ISO 4217 code. */
  currency: string;
}

/**
 * @param text `500.00`, `500 AUD` or `0`
 * @param own ISO 4217 code of the profile, for a text without one
 * @returns undefined if the text is no amount, or in no known currency
 */
export function parseAmount(text: string, own: string | undefined): RuleAmount | undefined {
  const [, number = '', code] = /^(\d{1,15}(?:\.\d+)?)(?: ([a-z]{3}))?$/i.exec(text.trim()) ?? [];
  const currency = code?.toUpperCase() ?? own;
  const exponent = currency === undefined ? undefined : currencyExponent(currency);
  const minor = exponent === undefined ? undefined : parseDecimal(number, exponent);
  return minor === undefined || currency === undefined ? undefined : { minor, currency };
}

/** @returns for example `20 refunds an hour`, or `500.00 AUD of refunds a day for each operator` */
export function capText({ per, most, currency, of, isEach }: Cap): string {
  const what =
    currency === undefined
      ? quantity(most, of.slice(0, -1), of)
      : `${moneyText(most, currency)} of ${of}`;
  return `${what} ${per === 'hour' ? 'an hour' : 'a day'}${isEach ? ' for each operator' : ''}`;
}

/**
 * @param own ISO 4217 code for a request that names none
 * @returns whether a cap counts a request of its kind
 */
export function counts(
  { currency }: Pick<Cap, 'currency'>,
  request: { currency: string | null },
  own: string | null,
): boolean {
  return currency === undefined || currency === (request.currency ?? own);
}

/** @returns what a request adds to the count of a cap: requests or minor units */
export function addedTo(cap: Pick<Cap, 'currency'>, amount: number | null): number {
  return cap.currency === undefined ? 1 : Math.abs(amount ?? 0);
}

/**
 * @param caps those that hold for the request
 * @param used what was sent under each
 * @returns the refusal by the first cap that the request would go beyond
 */
export function overCap(
  caps: readonly AppliedCap[],
  used: readonly number[],
  amount: number | null,
): OverCap | undefined {
  for (const [i, cap] of caps.entries()) {
    const asked = addedTo(cap, amount);
    const sent = used[i] ?? 0;
    if (sent + asked > cap.most) return { kind: 'over-cap', cap, used: sent, asked };
  }
  return undefined;
}

/** An entry may be dated ahead by another clock, and then it counts too. */
const SINCE = {
  sqlite: 'created_at > :since',
  postgres: `created_at > now() - :period::interval`,
};
/** A server names the role of a login itself; GW_OPERATOR could be anything. */
const BY = {
  sqlite: '(:operator IS NULL OR operator = :operator)',
  postgres: '(:operator::text IS NULL OR entered_by = session_user)',
};
/** An entry without a currency may be in any. */
const counted = (store: Engine) => `
  FROM gw.money_requests
 WHERE ${SINCE[store]} AND account = :account AND operation = :operation AND ${BY[store]}
   AND CASE WHEN :currency::text IS NULL THEN state NOT IN ('not-sent', 'not-done')
            ELSE state IN ('sending', 'unknown', 'done') AND (currency = :currency OR currency IS NULL) END`;
/** A sum of reals cannot overflow. */
const ADDED = 'CASE WHEN :currency::text IS NULL THEN 1 ELSE coalesce(abs(amount), 0) + 0.0 END';
const usedText = (store: Engine) => `SELECT coalesce(sum(${ADDED}), 0) AS used ${counted(store)}`;
const eachText = (store: Engine) =>
  `SELECT created_at AS at, ${ADDED} AS added ${counted(store)} ORDER BY created_at, rowid`;

function valuesOf(
  store: Engine,
  now: string,
  { account, operation }: CappedRequests,
  { per, currency, operator }: AppliedCap,
): SqlValues {
  const period = PERIODS_MS[per];
  const asked = { account, operation, currency: currency ?? null, operator };
  return store === 'sqlite'
    ? { ...asked, since: laterInstant(now, -period) }
    : { ...asked, period: `${period} milliseconds` };
}

/** @returns the query of what was sent under a cap (`used`) */
export function usedUnder(
  { store, now }: { store: Engine; now: string },
  requests: CappedRequests,
  cap: AppliedCap,
): SqlQuery {
  return [usedText(store), valuesOf(store, now, requests, cap)];
}

/** @returns when so much was sent long enough ago that the request fits (ISO 8601, UTC); undefined if it never does */
export function* fitsAt(
  { store, now }: { store: Engine; now: string },
  requests: CappedRequests,
  { cap, asked }: OverCap,
): Work<string | undefined> {
  const sent = yield* allRows<{ at: string; added: number }>(
    eachText(store),
    valuesOf(store, now, requests, cap),
  );
  let used = sent.reduce((sum, { added }) => sum + Number(added), 0);
  for (const { at, added } of sent) {
    used -= Number(added);
    if (used + asked <= cap.most) return laterInstant(at, PERIODS_MS[cap.per]);
  }
  return undefined;
}
