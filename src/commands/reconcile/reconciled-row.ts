/**
 * The view of a row of a reconciliation.
 *
 * Tests: test/scripts/commands/reconcile.script, test/docs/output.test.ts
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import {
  amountColumn,
  type Column,
  dayColumn,
  extra,
  fieldColumn,
  ownView,
  type RecordView,
} from '../../view/columns.ts';
import { amountText, textOf } from '../../view/values.ts';

const TINTS: Readonly<Record<string, 'approved' | 'unclear'>> = {
  matches: 'approved',
  'after-fee': 'approved',
  late: 'unclear',
  'not-compared': 'unclear',
  ambiguous: 'unclear',
  'not-asked': 'unclear',
  unrelated: 'unclear',
};

/** The name by which an accountant knows the record, or what the bank wrote. */
const nameColumn: Column = {
  header: 'reference',
  text: ({ reference, id, text }) =>
    textOf(reference ?? null) ?? textOf(id ?? null) ?? textOf(text ?? null),
  cuttable: true,
};

/** The details of an outcome, in words. */
const detailColumn: Column = { header: 'details', text: detailOf, cuttable: true, wraps: true };

/** A result of which nothing is known yet. */
export const NOT_RECONCILED: Omit<Reconciled, 'line' | 'outcome'> = {
  kind: null,
  id: null,
  reference: null,
  amount: null,
  currency: null,
  date: null,
  message: null,
  text: null,
  differences: [],
  unchecked: [],
  repeats: null,
  error: null,
  days_apart: null,
  uncompared: null,
  settlement: null,
  amount_refunded: null,
};

const view = {
  name: 'row',
  plural: 'rows',
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
  outcome: ({ outcome }: JsonObject) => TINTS[String(outcome)] ?? 'declined',
} satisfies Omit<RecordView, 'fields' | 'id'>;

export const RECONCILED_VIEW = ownView<Reconciled>({
  ...view,
  mayHave: ['line', 'outcome', ...(Object.keys(NOT_RECONCILED) as (keyof typeof NOT_RECONCILED)[])],
});

/** The cells of a spreadsheet have no lists, so the words of a table say what differs. */
export const RECONCILED_SHEET = ownView({
  ...view,
  mayHave: [
    ...(['line', 'outcome', 'kind', 'id', 'reference', 'amount', 'currency', 'date'] as const),
    ...(['details', 'text'] as const),
  ],
  moments: { date: 'date' },
  computed: (one: Reconciled) => ({
    details: detailOf({ ...one } as unknown as JsonObject) ?? null,
  }),
});

function detailOf(record: JsonObject): string | undefined {
  return [outcomeText(record), refundedText(record)].filter(Boolean).join('; ') || undefined;
}

/** @returns for example `50.00 AUD of it refunded`; empty if nothing is known to be refunded */
function refundedText({ amount_refunded: amount, currency }: JsonObject): string {
  return typeof amount === 'number' ? `${moneyOf(amount, currency)} of it refunded` : '';
}

function outcomeText(record: JsonObject): string | undefined {
  const { outcome, kind, repeats, error, message, settlement } = record;
  if (outcome === 'differs' || outcome === 'after-fee')
    return [differencesText(record), apartText(record), settlementText(record)]
      .filter(Boolean)
      .join('; ');
  if (isObject(settlement)) return settlementText(record);
  if (outcome === 'missing-in-file') return missingText(record);
  if (outcome === 'late') return apartText(record);
  if (outcome === 'unrelated')
    return ['another payment of the account', bankText(record)].filter(Boolean).join(': ');
  if (outcome === 'not-compared') return textOf(record.uncompared);
  if (outcome === 'repeats')
    return `the same ${kind === 'deposit' ? kind : 'record'} as line ${repeats}`;
  if (outcome === 'not-found')
    return [textOf(message), bankText(record)].filter(Boolean).join('; ');
  return textOf(isObject(error) ? error.message : message);
}

/** @returns what the bank wrote, by which a person finds the line again, unless it stands in the place of a name */
function bankText({ reference, id, text }: JsonObject): string | undefined {
  return reference === null && id === null ? undefined : textOf(text);
}

/** @returns for example `fee 1.75% of the net; 2026-03-06 to 2026-03-08, 12 payments, 1 refund`; empty without deposits */
function settlementText({ settlement }: JsonObject): string {
  if (!isObject(settlement)) return '';
  const { days, fee, records } = settlement as unknown as Settlement;
  const refunds = records.filter(({ amount }) => amount < 0).length;
  const payments = records.length - refunds;
  const [first, last] = [days[0], days.at(-1)];
  const parts = [
    first === last ? first : `${first} to ${last}`,
    payments > 0 && quantity(payments, 'payment', 'payments'),
    refunds > 0 && quantity(refunds, 'refund', 'refunds'),
  ];
  return `${fee === null ? '' : `fee ${fee}; `}${parts.filter(Boolean).join(', ')}`;
}

/** @returns what tells the record from others of its reference: `2026-03-06, 071-P-TESM1B3H` */
function missingText({ date, reference, id, message }: JsonObject): string {
  const isUsual = /^approved$/i.test(textOf(message) ?? '');
  // The id stands in the place of a reference that is not known.
  const parts = [
    textOf(date)?.slice(0, 10),
    reference !== null && textOf(id),
    !isUsual && textOf(message),
  ];
  return parts.filter(Boolean).join(', ');
}

/** @returns for example `9 days after the record`; empty if the dates are near each other */
function apartText({ days_apart: days }: JsonObject): string {
  if (typeof days !== 'number') return '';
  return `${quantity(Math.abs(days), 'day', 'days')} ${days < 0 ? 'before' : 'after'} the record`;
}

/** @returns for example `amount: file 24.00, gateway 25.00 AUD; state: file Approved, gateway Declined` */
function differencesText({ differences, currency }: JsonObject): string {
  return (differences as unknown as RowDifference[])
    .map(({ field, file, gateway }) => {
      if (field === 'amount' || field === 'amount_refunded')
        return `${field}: file ${moneyOf(file, currency).replace(CODE, '')}, gateway ${moneyOf(gateway, currency)}`;
      return `${field}: file ${textOf(file) ?? 'none'}, gateway ${textOf(gateway) ?? 'unclear'}`;
    })
    .join('; ');
}

function moneyOf(amount: Json, currency: Json = null): string {
  return amountText({ amount, currency }) ?? 'none';
}

/** The currency stands beside the other amount. */
const CODE = / [A-Z]{3}$/;

export interface RowDifference {
  /** The name in the file; `amount` or `amount_refunded` for a decimal too. */
  field: string;
  file: Json;
  gateway: Json;
}

/**
 * `matches`: the gateway agrees with the row and its amount. `after-fee`: a deposit is lower by the fee that explains all
 * deposits. `differs`: it disagrees with a part. `late`: it agrees, and
 * the dates are too far apart. `not-compared`: it agrees with what was compared, which was not the amount. `repeats`: an
 * earlier row has the same record. `not-found`: the gateway has no such record. `ambiguous`: the row names several
 * records. `not-asked`: the gateway could not be asked, or no answer can be trusted. `unrelated`: a payment
 * of the account that has nothing to do with the gateway. `missing-in-file`: this ledger knows the record, and no row has it.
 */
export const RECONCILED_OUTCOMES = [
  'matches',
  'after-fee',
  'differs',
  'late',
  'not-compared',
  'repeats',
  'not-found',
  'ambiguous',
  'not-asked',
  'unrelated',
  'missing-in-file',
] as const;

/** The results that a terminal only counts, because nobody has to look at them. */
export const BRIEF: readonly ReconciledOutcome[] = ['matches', 'after-fee'];

/** Those after which a reconciliation is right. */
export const NO_FAULTS: readonly ReconciledOutcome[] = ['matches', 'after-fee', 'unrelated'];

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
  /** The date in the record, or in the file if there is no record. */
  date: string | null;
  /** The gateway's message about the outcome; of a row without a record, the decline that this ledger knows. */
  message: string | null;
  /** The words of the row in which names of records may stand. */
  text: string | null;
  differences: readonly RowDifference[];
  /** Fields that were not compared: those that the gateway lacks, and an amount that either side lacks. */
  unchecked: readonly string[];
  /** The line of the first row with the same record. */
  repeats: number | null;
  /** The reason why the gateway could not be asked. */
  error: JsonObject | null;
  /** The days from the record to the row if that is too many, negative if the row is earlier. */
  days_apart: number | null;
  /** The reason why the amount was not compared: `the row has no amount`. */
  uncompared: string | null;
  /** The days that a deposit pays out; null for a row that is compared with a record. */
  settlement: Settlement | null;
  /** The minor units of a purchase that were refunded, as this ledger knows; null if it knows of none. */
  amount_refunded: number | null;
}

/** The payments and refunds that were settled on the days of a deposit. */
export interface Settlement {
  /** `YYYY-MM-DD`, the oldest first. */
  days: readonly string[];
  /** Minor units: payments less refunds. */
  net: number;
  /** The fee that explains why the deposit is lower: `1.75% of the net`. */
  fee: string | null;
  records: readonly SettledRecord[];
}

/** One of the payments and refunds of a day. */
export interface SettledRecord {
  kind: string;
  id: string;
  reference: string | null;
  /** Minor units; below zero for a refund. */
  amount: number;
}

export type ReconciledOutcome = (typeof RECONCILED_OUTCOMES)[number];
