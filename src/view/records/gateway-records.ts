/**
 * The views of the gateway's records, all kinds in one file; gw's own records have a file for each kind.
 *
 * Tests: test/unit/view/formats/table.test.ts, test/unit/view/printer.test.ts, test/docs/output.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { fullNameOf, outcomeOf } from '../../contract/normal.ts';
import { fieldNames, type RecordFields, type RecordKind } from '../../contract/record.ts';
import { cardRecord } from '../../contract/resources/card.ts';
import { customerRecord } from '../../contract/resources/customer.ts';
import { planRecord } from '../../contract/resources/plan.ts';
import { purchaseRecord } from '../../contract/resources/purchase.ts';
import { refundRecord } from '../../contract/resources/refund.ts';
import { subscriptionRecord } from '../../contract/resources/subscription.ts';
import { stateOf } from '../../things/subscription-state.ts';
import {
  amountColumn,
  type Column,
  cardNumberColumn,
  cuttable,
  dayColumn,
  extra,
  fieldColumn,
  idFromFields,
  outcomeText,
  type RecordView,
} from '../columns.ts';
import { textOf } from '../values.ts';

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
  /** Fields that gw adds, or that many gateways send, though the interface does not name them. */
  mayHave?: readonly string[];
  /** Fields that may hold the id; the first one with a value counts. */
  ids: readonly string[];
  columns: readonly Column[];
}

/** The view of one kind of the interface's records. */
function viewOf(
  kind: RecordKind,
  fields: RecordFields,
  { ids, columns, folded = [], mayHave = [] }: ViewParts,
): RecordView {
  const view = {
    name: kind,
    plural: `${kind}s`,
    columns,
    fields: fieldNames(fields).filter((field) => !folded.includes(field)),
    mayHave,
    id: idFromFields(ids),
    panel: async (record: JsonObject, now: Date) => {
      const { panelAlone } = await import('../panels/panel-of.ts');
      return panelAlone(kind, record, now);
    },
  };
  if (!columns.some((column) => column.tinted)) return view;
  return { ...view, outcome: (record) => outcomeOf(kind, record) };
}

const card = viewOf('card', cardRecord, {
  ids: ['token'],
  columns: [
    fieldColumn('token'),
    outcomeColumn('card'),
    cardNumberColumn,
    fieldColumn('card_expiry', { header: 'expires' }),
    fieldColumn('card_type', { header: 'type', ...cuttable }),
    fieldColumn('card_holder', { header: 'holder', ...cuttable, ...extra }),
    fieldColumn('alias', extra),
  ],
});

const purchase = viewOf('purchase', purchaseRecord, {
  ids: ['id'],
  // The second name of `successful`.
  folded: ['authorized'],
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'response_code', 'captured', 'captured_amount', 'transaction_id', 'card_type', 'card_category',
    'card_subcategory', 'rrn', 'cvv_match', 'metadata', 'addendum_data',
  ],
  columns: [
    fieldColumn('id'),
    outcomeColumn('purchase'),
    amountColumn,
    cardNumberColumn,
    fieldColumn('reference', cuttable),
    dayColumn('transaction_date', { header: 'date', ...extra }),
    fieldColumn('card_token', extra),
    fieldColumn('source', extra),
  ],
});

const refund = viewOf('refund', refundRecord, {
  ids: ['id'],
  mayHave: ['currency', 'transaction_id', 'settlement_date', 'standalone', 'rrn', 'metadata'],
  columns: [
    fieldColumn('id'),
    outcomeColumn('refund'),
    amountColumn,
    cardNumberColumn,
    dayColumn('transaction_date', { header: 'date', ...extra }),
    fieldColumn('authorization', extra),
  ],
});

const plan = viewOf('plan', planRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id'),
    fieldColumn('name', cuttable),
    fieldColumn('reference', cuttable),
    amountColumn,
    // The gateway counts those that were stopped too.
    fieldColumn('subscription_count', { header: 'ever subscribed', align: 'right', ...extra }),
  ],
});

const customer = viewOf('customer', customerRecord, {
  ids: ['id'],
  mayHave: ['card_number', 'bank_account', 'metadata'],
  columns: [
    fieldColumn('id'),
    { header: 'name', text: (record) => fullNameOf(record) ?? undefined, cuttable: true },
    fieldColumn('email', cuttable),
    fieldColumn('reference', cuttable),
    dayColumn('created_at', { header: 'created', ...extra }),
    fieldColumn('card_token', extra),
  ],
});

/**
 * @param today by the gateway's own dates, `YYYY-MM-DD`; an end is compared with it
 * @returns the view of subscriptions on that day
 */
export function subscriptionView(today: string): RecordView {
  return viewOf('subscription', subscriptionRecord, {
    // Not every answer has an id, and look-ups take the reference (section 2.7, endpoint 15).
    ids: ['id', 'reference'],
    columns: [
      fieldColumn('id'),
      fieldColumn('reference', cuttable),
      { header: 'state', text: (record) => stateOf(record, today) ?? textOf(record.is_active) },
      fieldColumn('last_status', { header: 'status', ...cuttable }),
      fieldColumn('plan', extra),
      dayColumn('next_billing_date', { header: 'next', ...extra }),
      fieldColumn('customer', extra),
      fieldColumn('frequency', extra),
    ],
  });
}

export const VIEWS: Readonly<Record<RecordKind, RecordView>> = {
  card,
  purchase,
  refund,
  plan,
  customer,
  // Nothing has ended before any day.
  subscription: subscriptionView(''),
};
