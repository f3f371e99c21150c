/** How a row of a reconciliation is shown. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { amountColumn, type Column, dayColumn, extra, fieldColumn, ownView } from '../columns.ts';
import { amountText, textOf } from '../values.ts';

const TINTS: Readonly<Record<string, 'approved' | 'unclear'>> = {
  matches: 'approved',
  'not-asked': 'unclear',
};

/** By which whoever keeps the books knows it. */
const nameColumn: Column = {
  header: 'reference',
  text: ({ reference, id }) => textOf(reference ?? null) ?? textOf(id ?? null),
};

/** What is to be known beside the outcome, in words. */
const detailColumn: Column = { header: 'what (file / gateway)', text: detailOf, cuttable: true };

export const RECONCILED_VIEW = ownView<Reconciled>({
  name: 'row',
  plural: 'rows',
  mayHave: [
    'line',
    'outcome',
    'kind',
    'id',
    'reference',
    'amount',
    'currency',
    'date',
    'message',
    'differences',
    'unchecked',
    'repeats',
    'error',
  ],
  hasHeader: true,
  columns: [
    fieldColumn('line', { align: 'right' }),
    fieldColumn('outcome', { tinted: true }),
    nameColumn,
    amountColumn,
    detailColumn,
    fieldColumn('id', extra),
    dayColumn('date', extra),
    fieldColumn('kind', extra),
  ],
  outcome: ({ outcome }) => TINTS[String(outcome)] ?? 'declined',
  record: ({ line, outcome, kind, id, reference, amount, currency, date, message, ...others }) => ({
    line,
    outcome,
    kind,
    id,
    reference,
    amount,
    currency,
    date,
    message,
    differences: others.differences.map((difference) => ({ ...difference })),
    unchecked: [...others.unchecked],
    repeats: others.repeats,
    error: others.error,
  }),
});

function detailOf(record: JsonObject): string | undefined {
  const { outcome, repeats, error, message } = record;
  if (outcome === 'differs') return differencesText(record);
  if (outcome === 'repeats') return `the same record as line ${repeats}`;
  if (outcome === 'not-asked') return isObject(error) ? textOf(error.message) : undefined;
  return textOf(message);
}

/** @returns for example `amount 24.00 / 25.00 AUD; state Approved / Declined` */
function differencesText({ differences, currency }: JsonObject): string {
  return (differences as unknown as RowDifference[])
    .map(({ field, file, gateway }) => {
      if (field === 'amount')
        return `amount ${decimalOf(file, currency)} / ${moneyOf(gateway, currency)}`;
      return `${field} ${textOf(file)} / ${textOf(gateway) ?? 'unclear'}`;
    })
    .join('; ');
}

function moneyOf(amount: Json, currency: Json = null): string {
  return amountText({ amount, currency }) ?? 'none';
}

/** As `moneyOf`, where the currency is said beside it. */
function decimalOf(amount: Json, currency: Json = null): string {
  return moneyOf(amount, currency).replace(/ [A-Z]{3}$/, '');
}

export interface RowDifference {
  /** Named as in the file; `amount` for a decimal too. */
  field: string;
  file: Json;
  gateway: Json;
}

/**
 * `matches`: all that the row says is what the gateway has. `differs`: some of it is not. `repeats`: the
 * record is that of an earlier row. `not-found`: the gateway has no such record. `not-asked`: it could not
 * be asked, or no answer can be believed. `missing-in-file`: this ledger knows it, and no row is about it.
 */
export const RECONCILED_OUTCOMES = [
  'matches',
  'differs',
  'repeats',
  'not-found',
  'not-asked',
  'missing-in-file',
] as const;

export interface Reconciled {
  /** Of the row, from 1, the header included; null for what is missing. */
  line: number | null;
  outcome: ReconciledOutcome;
  kind: string | null;
  id: string | null;
  reference: string | null;
  /** The gateway's, in minor units; the file's where the gateway gave none. */
  amount: number | null;
  currency: string | null;
  /** As the record has it. */
  date: string | null;
  /** What the gateway says of the outcome. */
  message: string | null;
  differences: readonly RowDifference[];
  unchecked: readonly string[];
  /** Line of the first row about the same record. */
  repeats: number | null;
  /** Why it could not be asked. */
  error: JsonObject | null;
}

export type ReconciledOutcome = (typeof RECONCILED_OUTCOMES)[number];
