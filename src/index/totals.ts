/**
 * Sums over the index, each thing counted once.
 *
 * A purchase may be known three times: as a record, as the request that made it, and by the event that
 * told of it. The record counts where there is one, wherever in time; else the request, else the first
 * of its events. An event that names no purchase counts for itself: one that repeats another is no document.
 */
import { OPERATIONS } from '../contract/operations.ts';
import { all, type Work } from '../store/sql.ts';
import type { DocumentKind, FoundDocument } from './document.ts';
import { DOCS_A_SECOND } from './document.ts';
import { DOCUMENT_COLUMNS } from './document-columns.ts';
import { documentIsOurs, namedValues, SCOPE, type SearchScope } from './scope.ts';
import { secondOf } from './words.ts';

export interface TotalsQuery {
  scope: SearchScope;
  /** ISO 8601: the first instant. */
  from: string;
  /** ISO 8601: the first instant after it. */
  until: string;
  /** What declined ones are told apart by: what the gateway said, last four digits, name. */
  by: 'reason' | 'card' | 'customer';
  /**
   * Counts only what this operator sent: requests of theirs, and the records that those made. So the
   * sums of all operators, and of what nobody sent, are the sum of all.
   */
  operator?: string | undefined;
  /**
   * Counts events alone, where records and requests are in another ledger: that one has counted these purchases
   * (`SearchIndex.countedOf`).
   */
  eventsBeside?: readonly string[] | undefined;
}

/** Documents that are alike, and their sum. */
export interface DocumentTotal {
  kind: Extract<DocumentKind, 'purchase' | 'refund' | 'request' | 'event'>;
  /** As `Document.label`. */
  label: string | null;
  /** As `Document.outcome`. */
  outcome: string | null;
  currency: string | null;
  /** What it is told apart by; of declined ones only. */
  by: string | null;
  /** false where it is of another account, profile or environment. */
  isOurs: boolean;
  /** false where the same is counted elsewhere. */
  isNew: boolean;
  count: number;
  /** Minor units without their sign. */
  amount: bigint;
  /** How many of them say no amount. */
  withoutAmount: number;
}

/** Sums of larger parts would be no exact numbers. */
const PART = 1_000_000_000;

/** What declined ones are told apart by, as an expression of SQL. */
const BY = {
  reason: 'message',
  card: 'last_four',
  customer: 'coalesce(who, email, customer)',
} as const satisfies Record<TotalsQuery['by'], string>;

const CHARGED = "('approved', 'declined', 'abandoned')";

/** Of requests that were answered with a record those that made it: one of the user's own may name any. */
export const MADE_IT = `operation IN (${OPERATIONS.map(({ name }) => `'${name}'`).join(', ')})`;

/** The end of a question about one document, so that each is looked up by itself: a server would else read all. */
const ONCE = 'LIMIT 1 OFFSET 0';

const isSeen = (id: string) => `
  EXISTS (SELECT 1 FROM gw.records
           WHERE records.id = ${id} AND records.kind IN ('purchase', 'refund')
             AND records.account = ${SCOPE.account} ${ONCE})`;

/** @returns whether a purchase is a record, or a request made it */
const isCounted = (purchase: string) => `
  (${isSeen(purchase)}
   OR EXISTS (
     SELECT 1 FROM gw.money_requests
      WHERE record_id = ${purchase} AND state IN ('done', 'declined') AND ${MADE_IT}
        AND (money_requests.account = ${SCOPE.account}
             OR money_requests.profile = ${SCOPE.profile}) ${ONCE}))`;

/** @param isElsewhere whether a purchase of an event is counted for another document than an event */
const isNew = (isElsewhere: string) => `
  CASE kind
    WHEN 'request' THEN NOT EXISTS (
      SELECT 1 FROM gw.money_requests
       WHERE money_requests.id = documents.id AND record_id IS NOT NULL
         AND ${isSeen('record_id')} ${ONCE})
    WHEN 'event' THEN purchase IS NULL OR outcome NOT IN ${CHARGED} OR NOT (
      ${isElsewhere}
      OR EXISTS (
        SELECT 1 FROM gw.document_keys /*sqlite CROSS */ JOIN gw.documents AS other ON other.doc = document_keys.doc
         WHERE document_keys.key = lower(documents.purchase) AND document_keys.doc < documents.doc
           AND other.kind = 'event' AND other.purchase = documents.purchase
           AND other.profile IS NOT DISTINCT FROM documents.profile
           AND other.outcome IN ${CHARGED} ${ONCE}))
    ELSE true END`;

/** Events are nobody's: the gateway charges subscriptions, and what somebody sent is counted without them. */
const IS_THEIRS = `
  CASE kind
    WHEN 'request' THEN operator = :operator
    WHEN 'event' THEN false
    ELSE EXISTS (
      SELECT 1 FROM gw.money_requests
       WHERE record_id = documents.id AND money_requests.operator = :operator AND ${MADE_IT}
         AND (money_requests.account IS NOT DISTINCT FROM documents.account
              OR money_requests.profile = documents.profile) ${ONCE}) END`;

const IS_OURS = documentIsOurs(SCOPE);

/**
 * That a number is itself has the planner of a server expect one row, which is as well looked up so; of
 * thousands it would compile the whole statement first, which takes seconds.
 * @returns sums of purchases, refunds, money requests and charges by events, in no order
 */
export function* totalsOf({
  scope,
  from,
  until,
  by,
  operator,
  eventsBeside,
}: TotalsQuery): Work<DocumentTotal[]> {
  const isElsewhere =
    eventsBeside === undefined
      ? isCounted('documents.purchase')
      : 'documents.purchase = ANY (:beside)';
  const kinds =
    eventsBeside === undefined ? "('purchase', 'refund', 'request', 'event')" : "('event')";
  const rows = yield* all<
    Omit<DocumentTotal, 'isOurs' | 'isNew' | 'amount'> &
      Record<'isOurs' | 'isNew', unknown> &
      Record<'high' | 'low', number | bigint>
  >(
    `SELECT kind, label, outcome, currency, "by", "isOurs", "isNew", count(*) AS count,
            coalesce(sum(amount / ${PART}), 0)::bigint AS high,
            coalesce(sum(amount % ${PART}), 0)::bigint AS low,
            count(*) - count(amount) AS "withoutAmount"
       FROM (SELECT kind, label, outcome, currency, abs(amount) AS amount,
                    CASE WHEN outcome IN ('declined', 'abandoned') THEN ${BY[by]} END AS "by",
                    ${IS_OURS} AS "isOurs", ${isNew(isElsewhere)} AS "isNew"
               FROM gw.documents
              WHERE doc >= :from AND doc < :until AND doc + 0 = doc
                AND kind IN ${kinds}
                ${operator === undefined ? '' : `AND ${IS_THEIRS}`}) AS counted
      GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    {
      ...namedValues(scope),
      ...(operator !== undefined && { operator }),
      ...(eventsBeside !== undefined && { beside: eventsBeside }),
      from: secondOf(from) * DOCS_A_SECOND,
      until: secondOf(until) * DOCS_A_SECOND,
    },
  );
  return rows.map(({ isOurs, isNew, high, low, ...row }) => ({
    ...row,
    isOurs: Boolean(isOurs),
    isNew: Boolean(isNew),
    amount: BigInt(high) * BigInt(PART) + BigInt(low),
  }));
}

/** @returns the purchases that charge events of a period name, each once */
export function* purchasesOfEvents({
  from,
  until,
}: Pick<TotalsQuery, 'from' | 'until'>): Work<string[]> {
  const rows = yield* all<{ purchase: string }>(
    `SELECT DISTINCT purchase FROM gw.documents
      WHERE doc >= :from AND doc < :until AND kind = 'event' AND purchase IS NOT NULL
        AND outcome IN ${CHARGED}`,
    { from: secondOf(from) * DOCS_A_SECOND, until: secondOf(until) * DOCS_A_SECOND },
  );
  return rows.map(({ purchase }) => purchase);
}

/** @returns those of the purchases that are records here, or that a request made */
export function* countedOf(purchases: readonly string[], scope: SearchScope): Work<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT named.value AS id FROM json_array_elements_text(:purchases::json) AS named (value)
      WHERE ${isCounted('named.value')}`,
    { ...namedValues(scope), purchases: JSON.stringify(purchases) },
  );
  return rows.map(({ id }) => id);
}

/**
 * @returns the newest charge event of each subscription that events told of, oldest first. A
 *   `charge:pending` has no date of its own and says no more than what comes after it, so it stands
 *   behind all others.
 */
export function newestChargesOf(scope: SearchScope): Work<FoundDocument[]> {
  return all(
    `SELECT ${DOCUMENT_COLUMNS}
       FROM (SELECT coalesce(max(doc) FILTER (WHERE outcome <> 'pending'), max(doc)) AS doc
               FROM gw.documents
              WHERE kind = 'event' AND subscription IS NOT NULL
                AND outcome IN ('pending', 'approved', 'declined', 'abandoned') AND ${IS_OURS}
              GROUP BY subscription) AS newest
       JOIN gw.documents ON documents.doc = newest.doc
      ORDER BY documents.doc`,
    namedValues(scope),
  );
}
