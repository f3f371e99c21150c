/**
 * What a ledger on a server knows before an intent is written: all that is asked for a group of them,
 * with their turns, in one statement, and so of one moment.
 *
 * What is unknown of a name is a condition of its own (`IS NULL`), since no index answers `IS NOT
 * DISTINCT FROM`; a statement has the arms that its group needs.
 */

import { sameAccount } from '../../base/account.ts';
import type { RunStatement } from '../../store/postgres/server.ts';
import type {
  Destination,
  IntentConditions,
  LedgerEntry,
  MoneyRequest,
  PurchaseBalance,
} from '../ledger.ts';
import { type Knowledge, SAME_WITHIN_MS } from '../requests/judge-intent.ts';
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './postgres-entries.ts';

/** A request, and under which conditions it is to be judged. */
export interface Asked {
  request: MoneyRequest;
  conditions: IntentConditions | undefined;
}

export interface Known {
  /** Of each that was asked, in that order. */
  knowledge: Knowledge[];
  /** By their numbers. */
  turns: ReadonlyMap<number, number>;
}

type What = 'attempt' | 'ended' | 'balance' | 'turn';

/** `nth` of what was asked; of a turn its number. */
type Row = EntryRow & {
  what: What;
  nth: number;
  turn: number | null;
  paid: number | null;
  refunded: number | null;
  uncertain: number | null;
};

/** What a request is known by. */
interface Names {
  hasTarget: boolean;
  hasReference: boolean;
  hasAmount: boolean;
}

const ASKED = {
  ...{ operation: 'text', account: 'text', profile: 'text', host: 'text', target: 'text' },
  ...{ reference: 'text', amount: 'bigint', refund_of: 'text', batch: 'text', line: 'text' },
  since: 'timestamptz',
  ...{ asks_attempts: 'boolean', asks_duplicate: 'boolean', asks_balance: 'boolean' },
} as const;
const COLUMNS = Object.keys(ASKED) as (keyof typeof ASKED)[];
const TURNS_AT = COLUMNS.length + 1;
const OWN_AT = TURNS_AT + 1;

/** Who asks. */
export interface Asking {
  /** Numbers of the turns that are wanted. */
  turns: readonly number[];
  /** Names under which this process sends. */
  senders: readonly string[];
}

/** @throws as `run` */
export async function askKnowledge(
  run: RunStatement,
  asked: readonly Asked[],
  { turns, senders }: Asking,
): Promise<Known> {
  const rows = asked.map(rowOf);
  const values = [...COLUMNS.map((name) => rows.map((row) => row[name])), turns];
  const sql = statementFor(rows);
  const found = await run<Row>(sql, sql.includes(`$${OWN_AT}`) ? [...values, senders] : values);
  return {
    knowledge: asked.map((_, nth) => knowledgeOf(found.filter((row) => isAbout(row, nth)))),
    turns: new Map(
      found.flatMap(({ what, nth, turn }) => (what === 'turn' ? [[nth, turn ?? 0]] : [])),
    ),
  };
}

const isAbout = (row: Row, nth: number) => row.what !== 'turn' && row.nth === nth;

function rowOf({ request, conditions }: Asked) {
  const { operation, account, profile, host, target, reference, amount, refundOf } = request;
  const { line, noDuplicate = false, noOverRefund = false } = conditions ?? {};
  return {
    ...{ operation, account, profile, host, target, reference, amount },
    refund_of: refundOf,
    batch: line?.batch ?? null,
    line: line?.line ?? null,
    since: line?.since ?? null,
    asks_attempts: line !== undefined,
    asks_duplicate: noDuplicate && line === undefined,
    asks_balance: noOverRefund && refundOf !== null,
  };
}

type AskedRow = ReturnType<typeof rowOf>;

function knowledgeOf(rows: readonly Row[]): Knowledge {
  const entries = (which: What) =>
    rows.flatMap((row) => (row.what === which ? [asEntry(row)] : []));
  return {
    attempts: () => entries('attempt'),
    ended: () => entries('ended').toReversed(),
    balance() {
      const sums = rows.find(({ what }) => what === 'balance');
      if (!sums || sums.paid === null) return undefined;
      return { paid: sums.paid, refunded: sums.refunded ?? 0, uncertain: sums.uncertain ?? 0 };
    },
  };
}

function asEntry({
  what: _what,
  nth: _nth,
  turn: _turn,
  paid: _paid,
  refunded: _refunded,
  uncertain: _uncertain,
  ...row
}: Row): LedgerEntry {
  return entryOf(row);
}

function statementFor(rows: readonly AskedRow[]): string {
  const asking = rows.filter((row) => row.asks_attempts || row.asks_duplicate);
  const arms = [
    ...armsFor(asking).map(attemptsArm),
    ...(rows.some(({ since }) => since !== null) ? [ENDED_ARM] : []),
    ...(rows.some(({ asks_balance }) => asks_balance) ? [BALANCE_ARM] : []),
    TURNS_ARM,
  ];
  // Numbered as they stand, since a statement must say once what each of them is.
  return `
    WITH a AS (
      SELECT * FROM unnest(${COLUMNS.map((name, i) => `$${i + 1}::${ASKED[name]}[]`)})
        WITH ORDINALITY AS a (${COLUMNS}, nth)
    ), found (what, nth, id, turn, paid, refunded, uncertain) AS (${arms.join(' UNION ALL ')})
    SELECT found.what, found.nth, found.turn, found.paid, found.refunded, found.uncertain,
           ${ENTRY_COLUMNS}
      FROM found LEFT JOIN gw.money_requests AS m ON m.id = found.id
                 LEFT JOIN gw.senders AS s ON s.id = m.sender
     ORDER BY m.created_at, m.number`;
}

/** @returns each way in which some of them are known, once */
function armsFor(rows: readonly AskedRow[]): Names[] {
  const all = rows.map(({ target, reference, amount }) => ({
    hasTarget: target !== null,
    hasReference: reference !== null,
    hasAmount: amount !== null,
  }));
  return [...new Map(all.map((names) => [JSON.stringify(names), names])).values()];
}

const same = (column: string, isKnown: boolean) =>
  isKnown ? `m.${column} = a.${column}` : `m.${column} IS NULL AND a.${column} IS NULL`;

const LIVE = "m.state IN ('sending', 'unknown', 'done')";
const SAME_WITHIN = `interval '${SAME_WITHIN_MS} milliseconds'`;
const OF_OPERATION = `m.operation = a.operation AND ${sameAccount('m.', 'a.')}`;

/** With all amounts, or without a reference with the same: another one is no conflict then. */
function attemptsArm({ hasTarget, hasReference, hasAmount }: Names): string {
  // In so many words, for an index that has only such rows.
  const about = hasReference
    ? `${same('reference', true)} AND (m.reference IS NOT NULL OR m.state <> 'done')`
    : `${same('reference', false)} AND ${same('amount', hasAmount)}
       AND (a.asks_attempts OR m.state <> 'done' OR m.created_at > now() - ${SAME_WITHIN})`;
  // What has a reference is asked for with any amount, so one arm is enough.
  const once = hasReference ? `a.amount IS ${hasAmount ? 'NOT ' : ''}NULL` : 'true';
  return `
    SELECT 'attempt', a.nth - 1, m.id, NULL::bigint, NULL::float8, NULL::float8, NULL::float8
      FROM a JOIN gw.money_requests AS m ON ${same('target', hasTarget)} AND ${about}
     WHERE (a.asks_attempts AND (m.state = 'done' OR NOT m.superseded) OR a.asks_duplicate)
       AND ${once} AND ${LIVE} AND ${OF_OPERATION}`;
}

/** Times are told to people, and to whoever asks again, in milliseconds. */
const ENDED_ARM = `
  SELECT 'ended', a.nth - 1, m.id, NULL::bigint, NULL::float8, NULL::float8, NULL::float8
    FROM a JOIN gw.money_requests AS m ON m.line = a.line AND m.created_at > a.since
   WHERE m.state IN ('declined', 'rejected') AND m.batch IS NOT NULL
     AND date_trunc('milliseconds', m.created_at) > a.since
     AND coalesce(m.sender <> ALL ($${OWN_AT}::text[]), true) AND ${OF_OPERATION}`;

const TURNS_ARM = `
  SELECT 'turn', number, NULL::text, turn, NULL::float8, NULL::float8, NULL::float8
    FROM gw.turns WHERE number = ANY ($${TURNS_AT}::integer[])`;

/** What was paid, as it was seen, and what refunds of it come to; as numbers that have no end. */
const BALANCE = `
  SELECT paid.amount::float8 AS paid, sums.refunded, sums.uncertain
    FROM (SELECT r.amount FROM gw.records_seen AS r
           WHERE r.id = a.refund_of AND r.kind = 'purchase' AND r.amount > 0
             AND ${sameAccount('r.', 'a.')}
           ORDER BY r.account IS NULL LIMIT 1) AS paid
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(CASE m.state WHEN 'done' THEN m.amount END), 0)::float8 AS refunded,
            coalesce(sum(CASE m.state WHEN 'done' THEN 0 ELSE m.amount END), 0)::float8 AS uncertain
       FROM gw.money_requests AS m
      WHERE m.refund_of = a.refund_of AND ${LIVE} AND ${sameAccount('m.', 'a.')}
        AND NOT coalesce(m.batch = a.batch AND m.line = a.line, false)) AS sums`;

const BALANCE_ARM = `
  SELECT 'balance', a.nth - 1, NULL::text, NULL::bigint, b.paid, b.refunded, b.uncertain
    FROM a CROSS JOIN LATERAL (${BALANCE}) AS b WHERE a.asks_balance`;

/** @returns as `Ledger.balances` */
export async function askBalances(
  run: RunStatement,
  { account, profile, host }: Destination,
  purchases: readonly string[],
): Promise<Map<string, PurchaseBalance>> {
  const rows = await run<PurchaseBalance & { id: string }>(
    `SELECT a.refund_of AS id, b.*
       FROM (SELECT $1::text AS account, $2::text AS profile, $3::text AS host,
                    unnest($4::text[]) AS refund_of, NULL::text AS batch, NULL::text AS line) AS a
      CROSS JOIN LATERAL (${BALANCE}) AS b`,
    [account, profile, host, purchases],
  );
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}
