/**
 * The view of a row of a reconciliation.
 *
 * Tests: test/scripts/commands/reconcile.script, test/docs/output.test.ts
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { amountColumn, type Column, dayColumn, extra, fieldColumn, ownView } from '../columns.ts';
import { amountText, textOf } from '../values.ts';

const TINTS: Readonly<Record<string, 'approved' | 'unclear'>> = {
  matches: 'approved',
  'not-asked': 'unclear',
};

/** The name by which an accountant knows the record. */
const nameColumn: Column = {
  header: 'reference',
  text: ({ reference, id }) => textOf(reference ?? null) ?? textOf(id ?? null),
};

/** The details of an outcome, in words. */
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
        return `amount ${moneyOf(file, currency).replace(CODE, '')} / ${moneyOf(gateway, currency)}`;
      return `${field} ${textOf(file)} / ${textOf(gateway) ?? 'unclear'}`;
    })
    .join('; ');
}

function moneyOf(amount: Json, currency: Json = null): string {
  return amountText({ amount, currency }) ?? 'none';
}

/** The currency stands beside the other amount. */
const CODE = / [A-Z]{3}$/;

export interface RowDifference {
  /** The name in the file; `amount` for a decimal too. */
  field: string;
  file: Json;
  gateway: Json;
}

/**
 * `matches`: the gateway agrees with the whole row. `differs`: it disagrees with a part. `repeats`: an earlier row has
 * the same record. `not-found`: the gateway has no such record. `not-asked`: it could not be asked, or no answer can be
 * trusted. `missing-in-file`: this ledger knows the record, and no row has it.
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
  /** The line of the row, from 1. The header counts. Null for a record that is missing in the file. */
  line: number | null;
  outcome: ReconciledOutcome;
  kind: string | null;
  id: string | null;
  reference: string | null;
  /** The gateway's amount in minor units, or the file's if the gateway gave none. */
  amount: number | null;
  currency: string | null;
  /** The date in the record. */
  date: string | null;
  /** The gateway's message about the outcome. */
  message: string | null;
  differences: readonly RowDifference[];
  unchecked: readonly string[];
  /** The line of the first row with the same record. */
  repeats: number | null;
  /** The reason why the gateway could not be asked. */
  error: JsonObject | null;
}

export type ReconciledOutcome = (typeof RECONCILED_OUTCOMES)[number];
