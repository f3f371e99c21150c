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

/** Views by the id of a command, or by its first word. */
const PRINTED: Readonly<Record<string, RecordView>> = {
  ...VIEWS,
  tokenize: VIEWS.card,
  'emulator:advance': ADVANCED_DAY_VIEW,
  'emulator:cards': TEST_CARD_VIEW,
  'emulator:hooks:list': HOOK_VIEW,
  'emulator:hooks:log': DELIVERY_VIEW,
  'emulator:status': GATEWAY_STATE_VIEW,
  'events:resend': SENT_VIEW,
  'journal:batches': BATCH_VIEW,
  'ledger:status': LEDGER_STATUS_VIEW,
  'profile:list': PROFILE_VIEW,
  'report:at-risk': AT_RISK_VIEW,
  'report:charges': MOVEMENTS_VIEW,
  'report:customers': CUSTOMERS_VIEW,
  'report:doubles': DOUBLES_VIEW,
  'report:subscriptions': SUBSCRIPTIONS_VIEW,
  doctor: CHECK_VIEW,
  events: { ...PLAIN_VIEW, fields: EVENT_FIELDS },
  find: thingView({ year: '', things: [], self: '' }),
  forget: ERASED_VIEW,
  history: itemView([], ''),
  journal: ENTRY_VIEW,
  receipt: RECEIPT_VIEW,
  reconcile: RECONCILED_VIEW,
  report: REPORT_VIEW,
  trigger: SENT_VIEW,
  whoami: WHOAMI_VIEW,
};

/**
 * @param id oclif's id of a command, for example `purchase:get`
 * @returns the names, in the order of a record; empty if the command prints records of any kind, or none
 */
export function printedFields(id: string): readonly string[] {
  if (id.endsWith(':batch')) return BATCH_LINE_VIEW.fields;
  const view = PRINTED[id] ?? PRINTED[id.split(':')[0] ?? ''];
  return view ? namedFields(view) : [];
}
