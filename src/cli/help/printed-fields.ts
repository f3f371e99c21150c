/**
 * The names of the fields that a command prints, for its help and for `--json FIELDS`. The build writes them to
 * dist/help, so that no command loads a view before it prints.
 */
import { namedFields, PLAIN_VIEW, type RecordView } from '../../view/columns.ts';
import { ADVANCED_DAY_VIEW } from '../../view/records/advanced-day.ts';
import { BATCH_VIEW } from '../../view/records/batch.ts';
import { BATCH_LINE_VIEW } from '../../view/records/batch-line.ts';
import { CHECK_VIEW } from '../../view/records/check.ts';
import {
  DELIVERY_VIEW,
  HOOK_VIEW,
  SENT_VIEW,
  TEST_CARD_VIEW,
} from '../../view/records/embedded-gateway.ts';
import { EVENT_FIELDS } from '../../view/records/event-fields.ts';
import { VIEWS } from '../../view/records/gateway-records.ts';
import { GATEWAY_STATE_VIEW } from '../../view/records/gateway-state.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';
import { LEDGER_STATUS_VIEW } from '../../view/records/ledger-status.ts';
import { ERASED_VIEW } from '../../view/records/person.ts';
import { PROFILE_VIEW, WHOAMI_VIEW } from '../../view/records/profile.ts';
import { RECEIPT_VIEW } from '../../view/records/receipt.ts';
import { RECONCILED_VIEW } from '../../view/records/reconciled-row.ts';
import {
  AT_RISK_VIEW,
  CUSTOMERS_VIEW,
  DOUBLES_VIEW,
  MOVEMENTS_VIEW,
  REPORT_VIEW,
  SUBSCRIPTIONS_VIEW,
} from '../../view/records/report.ts';
import { thingView } from '../../view/records/search-result.ts';
import { itemView } from '../../view/records/timeline-item.ts';

/** Views by the names that definitions of commands give them. */
const PRINTED = {
  ...VIEWS,
  'advanced-day': ADVANCED_DAY_VIEW,
  'at-risk': AT_RISK_VIEW,
  batch: BATCH_VIEW,
  'batch-line': BATCH_LINE_VIEW,
  billing: SUBSCRIPTIONS_VIEW,
  check: CHECK_VIEW,
  delivery: DELIVERY_VIEW,
  double: DOUBLES_VIEW,
  erased: ERASED_VIEW,
  event: { ...PLAIN_VIEW, fields: EVENT_FIELDS },
  'gateway-state': GATEWAY_STATE_VIEW,
  hook: HOOK_VIEW,
  'journal-entry': ENTRY_VIEW,
  'ledger-status': LEDGER_STATUS_VIEW,
  movement: MOVEMENTS_VIEW,
  payer: CUSTOMERS_VIEW,
  profile: PROFILE_VIEW,
  receipt: RECEIPT_VIEW,
  'reconciled-row': RECONCILED_VIEW,
  report: REPORT_VIEW,
  sent: SENT_VIEW,
  'test-card': TEST_CARD_VIEW,
  thing: thingView({ year: '', things: [], self: '' }),
  'timeline-item': itemView([], ''),
  whoami: WHOAMI_VIEW,
} satisfies Readonly<Record<string, RecordView>>;

export type ViewName = keyof typeof PRINTED;

/** @returns the names of the fields of a view, in the order of a record; empty without a view */
export function printedFields(view: ViewName | undefined): readonly string[] {
  return view ? namedFields(PRINTED[view]) : [];
}
