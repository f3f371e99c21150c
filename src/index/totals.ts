/**
 * Sums over the index, which count each thing once.
 *
 * A purchase may be known three times: as a record, by the request that made it, and by the event that reported it. The
 * record counts if there is one, whatever its date; otherwise the request, otherwise the first of its events. An event
 * that names no purchase counts for itself; a repeated event has no document.
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
  /** ISO 8601: the first instant after the range. */
  until: string;
  /** The property that groups declines: the gateway's message, the last four digits, or the name. */
  by: 'reason' | 'card' | 'customer';
  /**
   * Counts only requests of this operator, and the records that those made. So the sums of all operators, and of what
   * nobody sent, add up to the whole.
   */
  operator?: string | undefined;
  /**
   * Counts only events, when records and requests are in another ledger. It is the list of the purchases that the other
   * ledger counted (`SearchIndex.countedOf`).
   */
  eventsBeside?: readonly string[] | undefined;
}

/** The sum of documents that share these properties. */
export interface DocumentTotal {
  kind: Extract<DocumentKind, 'purchase' | 'refund' | 'request' | 'event'>;
  /** `Document.label`. */
  label: string | null;
  /** `Document.outcome`. */
  outcome: string | null;
  currency: string | null;
  /** The value that groups declines; null for other documents. */
  by: string | null;
  /** false if it belongs to another account, profile or environment. */
  isOurs: boolean;
  /** false if another document counts for the same thing. */
  isNew: boolean;
  count: number;
  /** Minor units without their sign. */
  amount: bigint;
  /** The number of them without an amount. */
  withoutAmount: number;
}

/** Sums are split at this value, since larger parts would not be exact numbers. */
const PART = 1_000_000_000;

/** The SQL expression of each property that groups declines. */
const BY = {
  reason: 'message',
  card: 'last_four',
  customer: 'coalesce(who, email, customer)',
} as const satisfies Record<TotalsQuery['by'], string>;

const CHARGED = "('approved', 'declined', 'abandoned')";

/** A request with an operation made the record of its answer; a request of the user's own may name any record. */
export const MADE_IT = `operation IN (${OPERATIONS.map(({ name }) => `'${name}'`).join(', ')})`;

/**
 * Ends a question about one document, so that each is looked up alone: a server would otherwise read the whole table.
 */
const ONCE = 'LIMIT 1 OFFSET 0';

const isSeen = (id: string) => `
  EXISTS (SELECT 1 FROM gw.records
           WHERE records.id = ${id} AND records.kind IN ('purchase', 'refund')
             AND records.account = ${SCOPE.account} ${ONCE})`;

/** @returns an SQL condition: a purchase is a record, or a request made it */
const isCounted = (purchase: string) => `
  (${isSeen(purchase)}
   OR EXISTS (
     SELECT 1 FROM gw.money_requests
      WHERE record_id = ${purchase} AND state IN ('done', 'declined') AND ${MADE_IT}
        AND (money_requests.account = ${SCOPE.account}
             OR money_requests.profile = ${SCOPE.profile}) ${ONCE}))`;

/** @param isElsewhere SQL condition: a document other than an event counts for the event's purchase */
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

/**
 * Events have no operator: the gateway charges subscriptions, and whatever an operator sent is counted without events.
 */
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
 * A comparison of a number with itself makes a server's planner expect one row. It then looks each row up by an index.
 * If it expected thousands, it would first compile the whole statement, which takes seconds.
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

/** @returns the purchases that charge events in a period name, without repeats */
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
 * @returns the newest charge event of each subscription, oldest first. A `charge:pending` has no date of its own and
 *   says no more than the event after it, so it counts as older than all others.
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
