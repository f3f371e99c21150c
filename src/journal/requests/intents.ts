/**
 * Intents: what is looked at before one is written, and writing it. All of it is for one transaction, so that
 * two processes never both find nothing.
 */
import { SAME_ACCOUNT } from '../../base/account.ts';
import { insert, one, run, type SqlValues, time, type Work } from '../../store/sql.ts';
import type {
  Author,
  BatchLine,
  Destination,
  IntentConditions,
  LedgerEntry,
  MoneyRequest,
  PurchaseBalance,
  Refused,
} from '../ledger.ts';
import { amountPaid } from '../records/snapshots.ts';
import { type Judgement, judgeIntent, SAME_WITHIN_MS } from './judge-intent.ts';
import { ENTRIES, findEntries } from './request-queries.ts';
import type { SendingProcesses } from './sending.ts';

/** Who asks and writes, and how. */
export interface Writer {
  processes: SendingProcesses;
  author: Author | undefined;
  /** How long what is written now may be sent; null where the name of the process tells. */
  leaseMs: number | null;
  /** The documents of what is settled are written later. */
  isDeferring: boolean;
}

export interface Intent {
  /** Of the entry that it becomes. */
  id: string;
  request: MoneyRequest;
  conditions: IntentConditions | undefined;
}

/** @returns why it is not written, or undefined when it is */
export function* intend(
  { id, request, conditions }: Intent,
  by: Writer,
): Work<Refused | undefined> {
  const { refused, retried } = yield* judge(request, conditions, by.processes);
  if (refused) return refused;
  // What is superseded makes room for what is sent in its place.
  if (retried)
    yield* run('UPDATE gw.money_requests SET superseded = true WHERE id = :id', { id: retried.id });
  const now = yield* time();
  yield* insert('money_requests', {
    id,
    created_at: now,
    account: request.account,
    profile: request.profile,
    environment: request.environment,
    host: request.host,
    operation: request.operation,
    target: request.target,
    refund_of: request.refundOf,
    amount: request.amount,
    currency: request.currency,
    reference: request.reference,
    body: JSON.stringify(request.body),
    state: 'sending',
    owner: by.processes.self,
    sends_until: by.leaseMs === null ? null : later(now, by.leaseMs),
    operator: by.author?.operator ?? null,
    machine: by.author?.machine ?? null,
    batch: conditions?.line?.batch ?? null,
    line: conditions?.line?.line ?? null,
  });
  return undefined;
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

/** @returns as `Ledger.foresee` */
export function* foresee(
  request: MoneyRequest,
  conditions: IntentConditions,
  processes: SendingProcesses,
): Work<Refused | undefined> {
  return (yield* judge(request, conditions, processes)).refused;
}

/** Asks no more than it needs: what is left of the purchase only where nothing else is in the way. */
function* judge(
  request: MoneyRequest,
  conditions: IntentConditions | undefined,
  processes: SendingProcesses,
): Work<Judgement> {
  if (!conditions) return {};
  const { line, noDuplicate, noOverRefund } = conditions;
  const attempts =
    line || noDuplicate ? yield* attemptsAtTheSame(request, line !== undefined, processes) : [];
  const known = { attempts: () => attempts, balance: () => undefined };
  const judgement = judgeIntent(request, conditions, known);
  if (judgement.refused || !noOverRefund || request.refundOf === null) return judgement;
  const balance = yield* balanceOf(request, request.refundOf, line);
  return judgeIntent(request, conditions, { ...known, balance: () => balance });
}

/** With the index by name, since SQLite would take that of refunds, which has many entries for one purchase. */
function attemptsSql(index: string, about: string): string {
  return `${ENTRIES} /*sqlite INDEXED BY ${index} */
    WHERE ${about} AND state IN ('sending', 'unknown', 'done')
      AND (state = 'done' OR superseded <= :superseded)
      AND operation = :operation AND ${SAME_ACCOUNT} ORDER BY created_at, rowid`;
}

/** Made once, since the text of a statement that is put together for each line is not found again at once. */
const ofReference = (target: string) =>
  attemptsSql('money_requests_by_content', `reference = :reference AND ${target}`);
const alike = (target: string, amount: string) =>
  attemptsSql(
    'money_requests_without_reference',
    `reference IS NULL AND ${target} AND ${amount} AND (state <> 'done' OR created_at > :since)`,
  );
const [TARGET, NO_TARGET] = ['target = :target', 'target IS NULL'];
const [AMOUNT, NO_AMOUNT] = ['amount = :amount', 'amount IS NULL'];
const OF_REFERENCE = { target: ofReference(TARGET), none: ofReference(NO_TARGET) };
const ALIKE = {
  amount: { target: alike(TARGET, AMOUNT), none: alike(NO_TARGET, AMOUNT) },
  none: { target: alike(TARGET, NO_AMOUNT), none: alike(NO_TARGET, NO_AMOUNT) },
};
const AT_ANY_TIME = '0001-01-01T00:00:00.000Z';

/**
 * With all amounts, or without a reference with the same: another one is no conflict then.
 * @param asLine as a line is known, for as long as there is a ledger
 * @returns as `Knowledge.attempts`
 */
export function* attemptsAtTheSame(
  request: MoneyRequest,
  asLine: boolean,
  processes: SendingProcesses,
): Work<LedgerEntry[]> {
  const { target, reference, amount, operation, account, profile, host } = request;
  const asked = { target, operation, account, profile, host, superseded: !asLine };
  const by = target === null ? 'none' : 'target';
  if (reference !== null)
    return yield* findEntries(OF_REFERENCE[by], { ...asked, reference }, processes);
  const since = asLine ? AT_ANY_TIME : later(yield* time(), -SAME_WITHIN_MS);
  const sql = ALIKE[amount === null ? 'none' : 'amount'][by];
  return yield* findEntries(sql, { ...asked, amount, since }, processes);
}

/** A real number, unlike a whole one, has none at which a sum fails: refunds may come to more than any amount. */
const givenBack = (others: string) => `
  SELECT coalesce(sum(CASE state WHEN 'done' THEN amount + 0.0 END), 0) AS refunded,
         coalesce(sum(CASE state WHEN 'done' THEN 0 ELSE amount + 0.0 END), 0) AS uncertain
    FROM gw.money_requests /*sqlite INDEXED BY money_requests_by_refund_of */
   WHERE state IN ('sending', 'unknown', 'done')
     AND refund_of = :purchase AND ${SAME_ACCOUNT} ${others}`;
const GIVEN_BACK = givenBack('');
const GIVEN_BACK_BY_OTHERS = givenBack('AND NOT coalesce(batch = :batch AND line = :line, false)');

/**
 * @param except a line whose own attempts do not count
 * @returns as `Ledger.balance`
 */
export function* balanceOf(
  { account, profile, host }: Destination,
  purchase: string,
  except?: BatchLine,
): Work<PurchaseBalance | undefined> {
  const of = { account, profile, host };
  const paid = yield* amountPaid(of, purchase);
  if (paid === undefined) return undefined;
  const values: SqlValues = { ...of, purchase };
  const sums = yield* except
    ? one<Sums>(GIVEN_BACK_BY_OTHERS, { ...values, batch: except.batch, line: except.line })
    : one<Sums>(GIVEN_BACK, values);
  return { paid, ...sums };
}

type Sums = Omit<PurchaseBalance, 'paid'>;
