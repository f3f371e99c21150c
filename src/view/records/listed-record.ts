/**
 * The view of a thing in a list: its record as last seen, and what the table of things adds. A purchase gets its
 * customer's name, a refund its purchase and currency, a subscription its customer, plan and price.
 *
 * Tests: test/scripts/commands/lists.script, test/unit/requests/known/proven.test.ts
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { recordedExpiry } from '../../contract/expiry.ts';
import type { RecordKind } from '../../contract/record.ts';
import { isSaidActive, overOn } from '../../things/subscription-state.ts';
import { shownOutcome } from '../../things/what-counts.ts';
import {
  amountColumn,
  type Column,
  cardNumberColumn,
  cuttable,
  dayColumn,
  extra,
  fieldColumn,
  type RecordView,
} from '../columns.ts';
import { textOf } from '../values.ts';
import { VIEWS } from './gateway-records.ts';
import { type FoundThing, sourcesOf, WITH_SOURCES } from './search-result.ts';

export type ListedKind = Exclude<RecordKind, 'card'>;

/** Fields that the table of things adds to a record of each kind, besides `ALWAYS`. */
const ADDED: Readonly<Record<ListedKind, readonly string[]>> = {
  purchase: ['who', 'subscription'],
  // A look-up does not show a refund's reference (section 2.4).
  refund: ['reference', 'who', 'purchase', 'currency'],
  customer: [],
  plan: [],
  subscription: ['who', 'plan_name', 'amount', 'currency', 'stopped_on'],
};
const ALWAYS = ['outcome', 'seen_at', 'note'];
/** Fields of one kind that stand after these. */
const LAST: Partial<Record<ListedKind, readonly string[]>> = {
  refund: ['operator'],
  customer: ['card_expiry'],
  subscription: ['email'],
};

const who = fieldColumn('who', cuttable);
const TOLD_BY_WEBHOOKS: readonly ListedKind[] = ['purchase', 'customer', 'subscription'];
const told: Column = {
  header: 'told',
  text: ({ hearsay }) => (hearsay === true ? 'unverified' : undefined),
};
/** What a person wrote, who may be looking for it. */
const note = fieldColumn('note', cuttable);
const WITH_NOTES: readonly ListedKind[] = ['purchase', 'refund', 'subscription'];
const date = dayColumn('transaction_date', { header: 'date', ...extra });
/** A refund is asked about by who made it. */
const sender = fieldColumn('operator', { header: 'sent by', ...cuttable });
const expires = fieldColumn('card_expiry', { header: 'expires' });

/** Columns of a list that differ from those of single records. */
const COLUMNS: Partial<Record<ListedKind, readonly Column[]>> = {
  purchase: [
    ...columnsOf('purchase', ['id', 'outcome', 'amount']),
    who,
    ...columnsOf('purchase', ['reference']),
    date,
    { ...cardNumberColumn, ...extra },
    ...columnsOf('purchase', ['card token', 'source']),
  ],
  refund: [
    ...columnsOf('refund', ['id', 'outcome', 'amount']),
    who,
    fieldColumn('reference', cuttable),
    fieldColumn('purchase', extra),
    date,
    { ...cardNumberColumn, ...extra },
    ...columnsOf('refund', ['authorization']),
  ],
  subscription: [
    // The reference is enough: commands take it too.
    fieldColumn('id', extra),
    { header: 'reference', text: ({ reference, id }) => textOf(reference ?? id) },
    fieldColumn('outcome', { header: 'state' }),
    who,
    fieldColumn('plan_name', { header: 'plan', ...cuttable }),
    amountColumn,
    dayColumn('next_billing_date', { header: 'next' }),
    { header: 'over', text: ({ stopped_on: day }) => textOf(day) },
    ...columnsOf('subscription', ['frequency', 'customer']),
    fieldColumn('last_status', { header: 'status', ...cuttable, ...extra }),
  ],
};

function columnsOf(kind: ListedKind, headers: readonly string[]): Column[] {
  return headers.flatMap((name) => VIEWS[kind].columns.filter(({ header }) => header === name));
}

/** @param things that the list shows */
export function listView(kind: ListedKind, things: readonly FoundThing[]): RecordView {
  const view = VIEWS[kind];
  return {
    ...view,
    columns: [
      ...(COLUMNS[kind] ?? view.columns),
      ...(TOLD_BY_WEBHOOKS.includes(kind) ? [told] : []),
      ...(WITH_NOTES.includes(kind) ? [note] : []),
      ...(kind === 'customer' ? [expires] : []),
      ...(kind === 'refund' ? [sender] : []),
      ...(things.some(({ readAs }) => readAs) ? [fieldColumn('read_as')] : []),
    ],
    fields: [...new Set([...view.fields, ...ADDED[kind], ...ALWAYS, ...(LAST[kind] ?? [])])],
    mayHave: [...(view.mayHave ?? []), 'sources', 'hearsay', 'read_as'],
    nested: WITH_SOURCES,
  };
}

/**
 * @param record the record as it is known; undefined if only a request told of the thing
 * @param plan the name of a subscription's plan
 */
export function listedRecord(
  thing: FoundThing,
  record: JsonObject | undefined,
  plan: string | undefined,
): JsonObject {
  const { kind, id, reference, outcome, customer, seenAt } = thing;
  const row: JsonObject = {
    ...thing,
    ...sourcesOf(thing),
    outcome: shownOutcome(outcome),
    seen_at: seenAt,
    plan_name: plan ?? null,
    card_expiry: recordedExpiry(thing.cardExpiry ?? null),
    stopped_on: overOn(thing),
  };
  const listed = kind as ListedKind;
  const isCharge = kind === 'purchase' || kind === 'refund';
  const known = record ?? {
    id,
    ...(reference !== null && { reference }),
    ...(isCharge && { successful: outcome === 'approved', amount: thing.amount }),
    ...(kind === 'purchase' && { currency: thing.currency }),
  };
  return {
    ...known,
    // A webhook has the customer whole in its place.
    ...(kind === 'subscription' && isObject(known.customer) && { customer }),
    // The first charge that is not made is none that comes.
    ...(kind === 'subscription' && outcome === 'stopped' && { next_billing_date: null }),
    ...(kind === 'subscription' && !('is_active' in known) && { is_active: isSaidActive(thing) }),
    ...pick(row, [...ADDED[listed], ...ALWAYS, ...(LAST[listed] ?? []), 'sources', 'hearsay']),
    ...(thing.readAs !== undefined && { read_as: thing.readAs }),
  };
}

function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}
