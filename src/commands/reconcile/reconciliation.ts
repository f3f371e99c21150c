/**
 * A reconciliation in progress: takes rows in order with the gateway's answers, then the things of the period, and
 * counts both. It has no effects and knows no gateway.
 *
 * The totals of both sides have the same rows: those with an amount that gw could look up. A record that the gateway
 * lacks, or that was counted before, counts nothing on its side.
 */
import type { JsonObject } from '../../base/json.ts';
import { amountOf, isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Thing } from '../../things/thing.ts';
import { type BookRow, inCurrency, nameOf } from './book-row.ts';
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
import { addSide, netOf, type SideTotals } from './totals.ts';

/** The result of a look-up: a record, no record, or the reason why gw could not ask. */
export type Answer = { found: FoundRecord } | { found: undefined } | { error: JsonObject };

/** The facts of the account, and the rules of the comparison. */
export interface ReconciliationRules extends ComparisonRules {
  /** The account's currency, for amounts without a currency in file and record. */
  usualCurrency: string | undefined;
}

/** Rows that both totals leave out. */
export interface Uncounted {
  notAsked: number;
  withoutAmount: number;
}

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
  readonly totals: SideTotals = new Map();
  /** Totals of the gateway's records that are missing in the file. */
  readonly missing: SideTotals = new Map();
  readonly uncounted: Uncounted = { notAsked: 0, withoutAmount: 0 };
  /** The number of amounts that were compared, and their net totals by the file. */
  readonly compared: { count: number; totals: SideTotals } = { count: 0, totals: new Map() };
  /** The direction of a debit of the file; undefined until it is known. */
  debitIs: DebitIs | undefined;
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
    this.tally['missing-in-file']++;
    const isUnclear = thing.outcome === 'unclear';
    const net = netOf(kind === 'refund' ? 'refund' : 'purchase', amount ?? 0, isUnclear);
    addSide(this.missing, 'gateway', { currency: currency ?? this.#rules.usualCurrency, net });
    const { at: date, message } = thing;
    const said = { kind, id, reference, amount, currency, date, message };
    return { ...NOT_RECONCILED, ...said, line: null, outcome: 'missing-in-file' };
  }

  #judge(line: number, row: BookRow, answer: Answer): Reconciled {
    const found = 'found' in answer ? answer.found : undefined;
    const none = { ...NOT_RECONCILED, ...saidBy(row), line };
    if (!found) {
      for (const name of [row.id, row.reference]) if (name) this.#named.add(name);
      if (!('error' in answer)) return { ...none, outcome: 'not-found' };
      const { error } = answer;
      const outcome = error.code === 'reference-ambiguous' ? 'ambiguous' : 'not-asked';
      return { ...none, outcome, error };
    }
    const shown = { ...none, ...shownOf(row, found) };
    this.#spread(found.record.transaction_date);
    const first = this.#firstOf(found.kind, shown.id ?? nameOf(row), line);
    if (first !== undefined) return { ...shown, outcome: 'repeats', repeats: first };
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

  /** @returns the line that had the record before, if any */
  #firstOf(kind: string, id: string, line: number): number | undefined {
    const lines = this.#found.get(kind) ?? new Map<string, number>();
    this.#found.set(kind, lines);
    const first = lines.get(id);
    if (first === undefined) lines.set(id, line);
    return first;
  }

  #count(row: BookRow, answer: Answer, { repeats, uncompared }: Reconciled): void {
    if ('error' in answer) {
      this.uncounted.notAsked++;
      return;
    }
    const { found } = answer;
    const kind = found?.kind ?? row.kind;
    const isOpen = row.side !== undefined && this.debitIs === undefined;
    if (row.amount === undefined || isOpen) {
      if (kind !== 'subscription') this.uncounted.withoutAmount++;
      return;
    }
    const isDeclined = row.outcome?.isApproved === false;
    const currency = row.currency ?? found?.currency ?? this.#rules.usualCurrency;
    const said = { currency, net: netOf(kind, row.amount, isDeclined) };
    addSide(this.totals, 'file', said);
    if (!found || repeats !== null) return;
    if (uncompared === null) {
      this.compared.count++;
      addSide(this.compared.totals, 'file', said);
    }
    const isApproved = outcomeOf(found.kind, found.record) === 'approved';
    const net = netOf(found.kind, amountOf(found.record) ?? 0, !isApproved);
    addSide(this.totals, 'gateway', { currency: found.currency ?? currency, net });
  }

  #spread(date: unknown): void {
    const at = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(at)) return;
    const { first, last } = this.span ?? { first: at, last: at };
    this.span = { first: Math.min(first, at), last: Math.max(last, at) };
  }
}

/** A difference says more than a late date, and nothing is only late whose amount was not compared. */
function outcomeOfRow({ differences, uncompared, daysApart }: Comparison): ReconciledOutcome {
  if (differences.length > 0) return 'differs';
  if (uncompared !== undefined) return 'not-compared';
  return daysApart === null ? 'matches' : 'late';
}

function saidBy({ kind, id, reference, amount, currency }: BookRow) {
  return {
    kind: kind ?? null,
    id: id ?? null,
    reference: reference ?? null,
    amount: amount ?? null,
    currency: currency ?? null,
  };
}

function shownOf(row: BookRow, { kind, record, currency, reference }: FoundRecord) {
  const said = saidBy(row);
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    kind,
    id: text(record.id) ?? said.id,
    reference: text(record.reference) ?? reference ?? said.reference,
    amount: amountOf(record) ?? said.amount,
    currency: currency ?? said.currency,
    date: text(record.transaction_date) ?? text(record.start_date),
    message: text(record.message) ?? text(record.last_status),
  };
}
