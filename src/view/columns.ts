/**
 * How the records of each kind are shown: their columns, all their fields, and their id.
 *
 * Columns are for people and for tab-separated text; they may combine fields (amount and currency,
 * outcome and message). Fields are the interface's own, in its order, for CSV and for a record that
 * is shown whole. A list of something else (profiles, journal entries) brings its own RecordView.
 */
import type { JsonObject } from '../base/json.ts';
import { cardRecord } from '../contract/card.ts';
import { customerRecord } from '../contract/customer.ts';
import { type Outcome, outcomeOf } from '../contract/normal.ts';
import { planRecord } from '../contract/plan.ts';
import { purchaseRecord } from '../contract/purchase.ts';
import { fieldNames, type RecordFields } from '../contract/record.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { refundRecord } from '../contract/refund.ts';
import { subscriptionRecord } from '../contract/subscription.ts';
import { amountText, fieldAt, textOf } from './values.ts';

export interface Column {
  header: string;
  /** @returns undefined when the record does not say */
  text(record: JsonObject): string | undefined;
  /** Makes the text shorter for a cell of a table. */
  shorten?(text: string): string;
  align?: 'right';
  /** Free text that a table may cut. Ids, amounts and dates are shown whole or not at all. */
  cuttable?: true;
  /** Left out of a table: early before any text is cut, late when cutting text is not enough. */
  drop?: 'early' | 'late';
  /** Coloured by the record's outcome. */
  tinted?: true;
}

export interface RecordView {
  /** For example `plan`; `plans`. */
  name: string;
  plural: string;
  columns: readonly Column[];
  /** Dotted names of all fields that the interface names, in its order. */
  fields: readonly string[];
  /** What other commands take to find the record again. */
  id(record: JsonObject): string | undefined;
  /** Absent where records have no outcome. */
  outcome?(record: JsonObject): Outcome;
}

/** A column that shows one field as it is. */
export function fieldColumn(field: string, options: Partial<Column> = {}): Column {
  return {
    header: field.replaceAll('_', ' '),
    text: (record) => textOf(fieldAt(record, field)),
    ...options,
  };
}

const cuttable = { cuttable: true } as const;
const early = { drop: 'early' } as const;
const late = { drop: 'late' } as const;

const amount: Column = { header: 'amount', text: amountText, align: 'right' };

/** A date, or a date-time of which a table shows the date. */
function dayColumn(field: string, options: Partial<Column> = {}): Column {
  return fieldColumn(field, {
    shorten: (text) => text.replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1'),
    ...options,
  });
}

/**
 * @param record a record in normal form
 * @returns `Approved`, `DECLINED: Insufficient Funds`, or UNCLEAR, with the message where it adds
 *   something; undefined when the record has neither an outcome nor a message
 */
export function outcomeText(outcome: Outcome, record: JsonObject): string | undefined {
  const word = { approved: 'Approved', declined: 'DECLINED', unclear: 'UNCLEAR' }[outcome];
  const message = textOf(record.message) ?? '';
  if (message === '') {
    const silent = outcome === 'unclear' && textOf(record.successful) === undefined;
    return silent ? undefined : word;
  }
  return message.toLowerCase() === word.toLowerCase() ? word : `${word}: ${message}`;
}

function outcomeColumn(kind: RecordKind): Column {
  return {
    header: 'outcome',
    text: (record) => outcomeText(outcomeOf(kind, record), record),
    cuttable: true,
    tinted: true,
  };
}

interface ViewParts {
  /** Fields that a record in normal form does not have. */
  folded?: readonly string[];
  /** Fields that may hold the id, the first that does counts. */
  ids: readonly string[];
  columns: readonly Column[];
}

/** The view of one kind of the interface's records. */
function viewOf(
  kind: RecordKind,
  fields: RecordFields,
  { ids, columns, folded = [] }: ViewParts,
): RecordView {
  const view = {
    name: kind,
    plural: `${kind}s`,
    columns,
    fields: fieldNames(fields).filter((field) => !folded.includes(field)),
    id: firstOf(ids),
  };
  if (!columns.some((column) => column.tinted)) return view;
  return { ...view, outcome: (record) => outcomeOf(kind, record) };
}

function firstOf(fields: readonly string[]): RecordView['id'] {
  return (record) => fields.map((field) => textOf(record[field])).find((text) => text);
}

const card = viewOf('card', cardRecord, {
  ids: ['token'],
  columns: [
    fieldColumn('token'),
    outcomeColumn('card'),
    fieldColumn('card_number', { header: 'card' }),
    fieldColumn('card_expiry', { header: 'expires' }),
    fieldColumn('card_type', { header: 'type', ...cuttable, ...late }),
    fieldColumn('card_holder', { header: 'holder', ...cuttable, ...early }),
    fieldColumn('alias', early),
  ],
});

const purchase = viewOf('purchase', purchaseRecord, {
  ids: ['id'],
  // The second name of `successful`.
  folded: ['authorized'],
  columns: [
    fieldColumn('id'),
    outcomeColumn('purchase'),
    amount,
    fieldColumn('card_number', { header: 'card' }),
    fieldColumn('reference', cuttable),
    dayColumn('transaction_date', { header: 'date', ...late }),
    fieldColumn('card_token', early),
    fieldColumn('source', early),
  ],
});

const refund = viewOf('refund', refundRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id'),
    outcomeColumn('refund'),
    amount,
    fieldColumn('card_number', { header: 'card' }),
    dayColumn('transaction_date', { header: 'date', ...late }),
    fieldColumn('authorization', early),
  ],
});

const plan = viewOf('plan', planRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id'),
    fieldColumn('name', cuttable),
    fieldColumn('reference', cuttable),
    amount,
    fieldColumn('subscription_count', { header: 'subscriptions', align: 'right', ...late }),
  ],
});

const customer = viewOf('customer', customerRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id'),
    { header: 'name', text: fullName, cuttable: true },
    fieldColumn('email', cuttable),
    fieldColumn('reference', cuttable),
    dayColumn('created_at', { header: 'created', ...late }),
    fieldColumn('card_token', early),
  ],
});

const subscription = viewOf('subscription', subscriptionRecord, {
  // Not every answer has an id, and lookups take the reference (section 2.7, endpoint 15).
  ids: ['id', 'reference'],
  columns: [
    fieldColumn('id'),
    fieldColumn('reference', cuttable),
    { header: 'state', text: activity },
    fieldColumn('last_status', { header: 'status', ...cuttable }),
    fieldColumn('plan', late),
    dayColumn('next_billing_date', { header: 'next', ...late }),
    fieldColumn('customer', early),
    fieldColumn('frequency', early),
  ],
});

export const VIEWS: Readonly<Record<RecordKind, RecordView>> = {
  card,
  purchase,
  refund,
  plan,
  customer,
  subscription,
};

function fullName(record: JsonObject): string | undefined {
  const names = [textOf(record.first_name), textOf(record.last_name)].filter((name) => name);
  return names.length > 0 ? names.join(' ') : undefined;
}

function activity(record: JsonObject): string | undefined {
  if (record.is_active === true) return 'active';
  return record.is_active === false ? 'stopped' : textOf(record.is_active);
}

/** For records of no known kind: they have no columns of their own, so all their fields are shown. */
export const PLAIN_VIEW: RecordView = {
  name: 'record',
  plural: 'records',
  columns: [],
  fields: [],
  id: firstOf(['id', 'token']),
};

/** @returns a column for each picked field, showing the interface's value as it is. */
export function pickedColumns(fields: readonly string[]): Column[] {
  return fields.map((field) =>
    fieldColumn(field, { header: field, ...(field === 'id' ? {} : cuttable) }),
  );
}
