/** The columns in docs/output.md are those of the views. `npm run docs` writes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHECK_VIEW } from '../../src/commands/doctor/check.ts';
import { ADVANCED_DAY_VIEW } from '../../src/commands/emulator/advanced-day.ts';
import { TEST_CARD_VIEW } from '../../src/commands/emulator/cards.command.ts';
import { HOOK_VIEW } from '../../src/commands/emulator/hooks/list.command.ts';
import { DELIVERY_VIEW } from '../../src/commands/emulator/hooks/log.command.ts';
import { ERASED_VIEW } from '../../src/commands/forget/erased.ts';
import { LEDGER_STATUS_VIEW } from '../../src/commands/ledger/ledger-status.ts';
import { RECONCILED_VIEW } from '../../src/commands/reconcile/reconciled-row.ts';
import { EXPLANATION_VIEW } from '../../src/desk/explain/explanation.ts';
import { itemView } from '../../src/desk/history/timeline-item.ts';
import { AT_RISK_VIEW } from '../../src/desk/report/report-view.ts';
import { declinesView, forecastView, REPORT_VIEW } from '../../src/desk/report/sum-views.ts';
import { SENT_VIEW } from '../../src/events/send/sent-view.ts';
import { EVENT_VIEW } from '../../src/events/show/event-view.ts';
import { columnName, type RecordView } from '../../src/view/columns.ts';
import { VIEWS } from '../../src/view/records/gateway-records.ts';
import { ENTRY_VIEW } from '../../src/view/records/journal-entry.ts';
import { PROFILE_VIEW } from '../../src/view/records/profile.ts';
import { thingView } from '../../src/view/records/search-result.ts';
import { table, withPart } from './reference.ts';

const FILE = 'docs/output.md';

const wide = { year: '2026', things: [], self: '' };

const OWN: readonly (readonly [commands: string, view: RecordView])[] = [
  ['`find`', thingView(wide)],
  ['`history`', itemView([], '')],
  ['`explain`', EXPLANATION_VIEW],
  ['`journal list`, `show` and `resolve`', ENTRY_VIEW],
  ['`events list`, `get`', EVENT_VIEW],
  ['`events resend`, `trigger`', SENT_VIEW],
  ['`profile list`, `show`', PROFILE_VIEW],
  ['`emulator hooks list`', HOOK_VIEW],
  ['`emulator hooks log`', DELIVERY_VIEW],
  ['`emulator cards`', TEST_CARD_VIEW],
  ['`emulator advance`', ADVANCED_DAY_VIEW],
  ['`report day`, `week`, `month`', REPORT_VIEW],
  ['`report forecast`, and others by `--chart`', forecastView('day')],
  ['`report declines`', declinesView('reason')],
  ['`report at-risk`', AT_RISK_VIEW],
  ['`reconcile`', RECONCILED_VIEW],
  ['`doctor`', CHECK_VIEW],
  ['`ledger status`', LEDGER_STATUS_VIEW],
  ['`forget`', ERASED_VIEW],
];

test('the columns are fresh; `npm run docs` writes them', async () => {
  const fresh = withPart(readFileSync(FILE, 'utf8'), 'src/view', columns());
  await expect(fresh).toMatchFileSnapshot(path.resolve(FILE));
});

function columns(): string {
  const gateway = Object.values(VIEWS).map((view) => [view.name, view] as const);
  const rows = [...gateway, ...OWN].map(([name, view]) => [
    name,
    view.columns.map((column) => `\`${columnName(column)}\``).join(', '),
    view.hasHeader ? 'named' : '',
  ]);
  return table(['of', 'columns of `table` and `tsv`, in order', ''], rows);
}
