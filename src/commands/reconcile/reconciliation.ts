/**
 * A reconciliation in progress: takes rows in order with the gateway's answers, then the things of the period, and
 * counts both. It has no effects and knows no gateway.
 *
 * Only rows whose amounts were compared are in the totals of both sides, which so have the same rows. All others have
 * sums of their own, by their outcome.
 */
import type { JsonObject } from '../../base/json.ts';
import { amountOf, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Thing } from '../../things/thing.ts';
import { type BookRow, inCurrency, nameOf, refundedIn } from './book-row.ts';
import {
  type Comparison,
  type ComparisonRules,
  compareWithBooks,
  type DebitIs,
  type FoundRecord,
} from './compare.ts';
import {
  NOT_RECONCILED,
  RECONCILED_OUTCOMES,
  type Reconciled,
  type ReconciledOutcome,
} from './reconciled-row.ts';
import { signedBy } from './side.ts';
import { addSide, type ClassSums, netOf } from './totals.ts';

/** The result of a look-up: a record, no record, or the reason why gw could not ask. */
export type Answer =
  | {
      found: FoundRecord | undefined;
      /** Whether the row names no record at all (`OtherPayments`). */
      isForeign?: boolean;
      /** A sentence about the decline that this ledger knows, of a row without a record. */
      declined?: string | undefined;
    }
  | { error: JsonObject };

/** The facts of the account, and the rules of the comparison. */
export interface ReconciliationRules extends ComparisonRules {
  /** The account's currency, for amounts without a currency in file and record. */
  usualCurrency: string | undefined;
  /** Whether the file is of other sales alone, so that no charge of a subscription is missing in it. */
  isWithoutSubscriptions: boolean;
}

/** The source of a purchase that a subscription made (section 2.3). */
const RECURRING = 'Recurring';

/** The first and the last instant of the records that were found, in milliseconds. */
export interface FoundSpan {
  first: number;
  last: number;
}

export class Reconciliation {
  readonly tally = Object.fromEntries(RECONCILED_OUTCOMES.map((name) => [name, 0])) as Record<
    ReconciledOutcome,
    number
  >;
  readonly sums: ClassSums = new Map();
  /** The number of amounts that were compared. */
  compared = 0;
  /** The minor units that were refunded of the purchases that were compared, by currency. */
  readonly refunded = new Map<string, bigint>();
  /** The number of rows that no sum has, because they have no amount, or one of which nobody knows the side. */
  withoutAmount = 0;
  /** Charges of subscriptions, of which merchants have files of their own: in the file, and missing in it. */
  readonly charges = { found: 0, missing: 0 };
  /** The direction of a debit of the file; undefined until it is known. */
  debitIs: DebitIs | undefined;
  /** Whether the file has a column of refunds and none of payments, so that no payment is missing in it. */
  areRefunds = false;
  /** undefined until a record with a date was found. */
  span: FoundSpan | undefined;
  readonly #rules: ReconciliationRules;
  /** Lines of the records that were found, by kind and id. */
  readonly #found = new Map<string, Map<string, number>>();
  /** Names of rows without a record. */
  readonly #named = new Set<string>();

  constructor(rules: ReconciliationRules) {
    this.#rules = rules;
    this.debitIs = rules.debitIs;
  }

  /** @param line number of the row, from 1; rows come in order */
  take(line: number, said: BookRow, answer: Answer): Reconciled {
    const found = 'found' in answer ? answer.found : undefined;
    const row = signedBy(inCurrency(said, found?.currency), this.debitIs);
    const reconciled = this.#judge(line, row, answer);
    this.tally[reconciled.outcome]++;
    this.#count(row, answer, reconciled);
    return reconciled;
  }

  /** @returns the result for a thing of the period; undefined if the file has it, or no money moved */
  takeThing(thing: Thing): Reconciled | undefined {
    const { kind, id, reference, amount, currency } = thing;
    const names = [id, reference].filter((name) => name !== null);
    const isNamed = names.some((name) => this.#named.has(name));
    const isUntaken = isUnsuccessful(thing.outcome) || thing.outcome === 'authorised';
    if (isUntaken || isNamed || this.#found.get(kind)?.has(id)) return undefined;
    const isOfSubscription = thing.label === RECURRING;
    if (isOfSubscription && this.#rules.isWithoutSubscriptions) return undefined;
    if (this.areRefunds && kind !== 'refund') return undefined;
    this.tally['missing-in-file']++;
    if (isOfSubscription) this.charges.missing++;
    const isUnclear = thing.outcome === 'unclear';
    const net = netOf(kind === 'refund' ? 'refund' : 'purchase', amount ?? 0, isUnclear);
    const sum = { currency: currency ?? this.#rules.usualCurrency, net };
    addSide(this.sums, ['missing-in-file', 'gateway'], sum);
    const { at: date, message } = thing;
    const said = { kind, id, reference, amount, currency, date, message };
    return { ...NOT_RECONCILED, ...said, line: null, outcome: 'missing-in-file' };
  }

  #judge(line: number, row: BookRow, answer: Answer): Reconciled {
    const found = 'found' in answer ? answer.found : undefined;
    const none = { ...NOT_RECONCILED, ...saidBy(row, this.#rules.usualCurrency), line };
    if (!found) {
      for (const name of [row.id, row.reference]) if (name) this.#named.add(name);
      return { ...none, ...unfound(answer) };
    }
    const shown = { ...none, ...shownOf(saidBy(row, undefined), found) };
    this.#spread(found.record.transaction_date);
    if (found.kind === 'subscription' || found.record.source === RECURRING) this.charges.found++;
    const first = this.#firstOf(found.kind, shown.id ?? nameOf(row), line);
    if (first !== undefined) return { ...shown, outcome: 'repeats', repeats: first };
    this.#noteRefunds(row, found, line);
    const { uncompared, daysApart, ...compared } = compareWithBooks(row, found, {
      ...this.#rules,
      debitIs: this.debitIs,
    });
    return {
      ...shown,
      ...compared,
      outcome: outcomeOfRow({ uncompared, daysApart, ...compared }),
      days_apart: daysApart,
      uncompared: uncompared ?? null,
    };
  }

  /** A file with a column of what was refunded has those refunds. */
  #noteRefunds(
    row: BookRow,
    { currency, refunded, refunds = [] }: FoundRecord,
    line: number,
  ): void {
    if (refunded === undefined || refundedIn(row, currency) !== refunded) return;
    for (const id of refunds) this.#firstOf('refund', id, line);
  }

  /** @returns the line that had the record before, if any */
  #firstOf(kind: string, id: string, line: number): number | undefined {
    const lines = this.#found.get(kind) ?? new Map<string, number>();
    this.#found.set(kind, lines);
    const first = lines.get(id);
    if (first === undefined) lines.set(id, line);
    return first;
  }

  #count(row: BookRow, answer: Answer, { outcome, repeats, uncompared }: Reconciled): void {
    const found = 'found' in answer ? answer.found : undefined;
    const kind = found?.kind ?? row.kind;
    if (kind === 'subscription') return;
    const isOpen = row.side !== undefined && this.debitIs === undefined;
    if (row.amount === undefined || isOpen) {
      this.withoutAmount++;
      return;
    }
    const isDeclined = row.outcome?.isApproved === false;
    const currency = row.currency ?? found?.currency ?? this.#rules.usualCurrency;
    const said = { currency, net: netOf(kind, row.amount, isDeclined) };
    if (!found || repeats !== null || uncompared !== null) {
      addSide(this.sums, [outcome, 'file'], said);
      return;
    }
    this.compared++;
    addSide(this.sums, ['compared', 'file'], said);
    const isApproved = outcomeOf(found.kind, found.record) === 'approved';
    const net = netOf(found.kind, amountOf(found.record) ?? 0, !isApproved);
    addSide(this.sums, ['compared', 'gateway'], { currency: found.currency ?? currency, net });
    const code = found.currency ?? currency ?? '';
    if (found.refunded)
      this.refunded.set(code, (this.refunded.get(code) ?? 0n) + BigInt(found.refunded));
  }

  #spread(date: unknown): void {
    const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(at)) return;
    const { first, last } = this.span ?? { first: at, last: at };
    this.span = { first: Math.min(first, at), last: Math.max(last, at) };
  }
}

function unfound(answer: Answer): Pick<Reconciled, 'outcome' | 'error' | 'message'> {
  if ('error' in answer) {
    const { error } = answer;
    const outcome = error.code === 'reference-ambiguous' ? 'ambiguous' : 'not-asked';
    return { outcome, error, message: null };
  }
  const { isForeign, declined = null } = answer;
  return { outcome: isForeign ? 'unrelated' : 'not-found', error: null, message: declined };
}

/** A difference says more than a late date, and nothing is only late whose amount was not compared. */
function outcomeOfRow({ differences, uncompared, daysApart }: Comparison): ReconciledOutcome {
  if (differences.length > 0) return 'differs';
  if (uncompared !== undefined) return 'not-compared';
  return daysApart === null ? 'matches' : 'late';
}

function saidBy(
  { kind, id, reference, amount, currency, dates, texts = [] }: BookRow,
  usualCurrency: string | undefined,
) {
  return {
    kind: kind ?? null,
    id: id ?? null,
    reference: reference ?? null,
    amount: amount ?? null,
    currency: currency ?? (amount === undefined ? null : (usualCurrency ?? null)),
    date: dates?.[0] ?? null,
    text: texts.length === 0 ? null : texts.join(' '),
  };
}

function shownOf(
  said: ReturnType<typeof saidBy>,
  { kind, record, currency, reference, refunded }: FoundRecord,
) {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    kind,
    id: text(record.id) ?? said.id,
    reference: text(record.reference) ?? reference ?? said.reference,
    amount: amountOf(record) ?? said.amount,
    currency: currency ?? said.currency,
    date: text(record.transaction_date) ?? text(record.start_date),
    message: text(record.message) ?? text(record.last_status),
    amount_refunded: refunded ?? null,
  };
}
