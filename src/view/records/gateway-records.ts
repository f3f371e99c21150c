/** How the gateway's records are shown: all kinds of them; records of gw's own have a file for each kind. */
import type { JsonObject } from '../../base/json.ts';
import { outcomeOf } from '../../contract/normal.ts';
import { fieldNames, type RecordFields } from '../../contract/record.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { cardRecord } from '../../contract/resources/card.ts';
import { customerRecord } from '../../contract/resources/customer.ts';
import { planRecord } from '../../contract/resources/plan.ts';
import { purchaseRecord } from '../../contract/resources/purchase.ts';
import { refundRecord } from '../../contract/resources/refund.ts';
import { subscriptionRecord } from '../../contract/resources/subscription.ts';
import {
  amountColumn,
  type Column,
  cardNumberColumn,
  cuttable,
  dayColumn,
  early,
  fieldColumn,
  firstOf,
  last,
  late,
  outcomeText,
  type RecordView,
  vital,
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
  /** Fields that gw shows, or many gateways send, though the interface does not name them. */
  mayHave?: readonly string[];
  /** Fields that may hold the id, the first that does counts. */
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
    id: firstOf(ids),
    card: async (record: JsonObject, now: Date) => {
      const { cardAlone } = await import('../cards/card-of.ts');
      return cardAlone(kind, record, now);
    },
  };
  if (!columns.some((column) => column.tinted)) return view;
  return { ...view, outcome: (record) => outcomeOf(kind, record) };
}

const card = viewOf('card', cardRecord, {
  ids: ['token'],
  columns: [
    fieldColumn('token', vital),
    outcomeColumn('card'),
    cardNumberColumn,
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
    fieldColumn('id', vital),
    outcomeColumn('purchase'),
    amountColumn,
    { ...cardNumberColumn, ...last },
    fieldColumn('reference', { ...cuttable, ...last }),
    dayColumn('transaction_date', { header: 'date', ...late }),
    fieldColumn('card_token', early),
    fieldColumn('source', early),
  ],
});

const refund = viewOf('refund', refundRecord, {
  ids: ['id'],
  mayHave: ['currency'],
  columns: [
    fieldColumn('id', vital),
    outcomeColumn('refund'),
    amountColumn,
    { ...cardNumberColumn, ...last },
    dayColumn('transaction_date', { header: 'date', ...late }),
    fieldColumn('authorization', early),
  ],
});

const plan = viewOf('plan', planRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id', vital),
    fieldColumn('name', cuttable),
    fieldColumn('reference', { ...cuttable, ...last }),
    amountColumn,
    fieldColumn('subscription_count', { header: 'subscriptions', align: 'right', ...late }),
  ],
});

const customer = viewOf('customer', customerRecord, {
  ids: ['id'],
  columns: [
    fieldColumn('id', vital),
    { header: 'name', text: fullName, cuttable: true },
    fieldColumn('email', { ...cuttable, ...last }),
    fieldColumn('reference', cuttable),
    dayColumn('created_at', { header: 'created', ...late }),
    fieldColumn('card_token', early),
  ],
});

const subscription = viewOf('subscription', subscriptionRecord, {
  // Not every answer has an id, and lookups take the reference (section 2.7, endpoint 15).
  ids: ['id', 'reference'],
  columns: [
    fieldColumn('id', vital),
    fieldColumn('reference', cuttable),
    { header: 'state', text: activity },
    fieldColumn('last_status', { header: 'status', ...cuttable, ...last }),
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
