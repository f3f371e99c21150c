/** The rules of the tests, and the tests of the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Source } from '../helpers/tidy.ts';
import { placeholderTitles, testlessFiles } from '../helpers/tidy-tests.ts';

const MOST_LINES = 100;

/** Which test tries a file, where it is not the one of its path. To be shortened. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'src/index/conditions.ts': 'test/unit/index/search.test.ts',
  'src/index/stored-documents.ts': 'test/unit/index/search.test.ts',
  'src/journal/judge-intent.ts': 'test/unit/journal/ledger-cases.ts',
  'src/journal/rewrite.ts': 'test/unit/desk/forget/erasure-cases.ts',
  'src/requests/asking.ts': 'test/scripts/endpoints/04-refund-create.script',
  'src/journal/postgres/postgres-queries.ts': 'test/unit/journal/ledger-cases.ts',
  'src/journal/sqlite/sqlite-queries.ts': 'test/unit/journal/ledger-cases.ts',
  'src/requests/batch/send-line.ts': 'test/system/batch.test.ts',
  'src/requests/submit/raw-request.ts': 'test/system/raw-writes.test.ts',
  'src/client/connection/plans.ts': 'test/unit/requests/look-up/run-plan-list.test.ts',
  'src/requests/known/named-record.ts': 'test/system/named-records.test.ts',
  'src/host/http/server.ts': 'test/hostile/servers.test.ts',
  'src/cli/completion/scripts.ts': 'test/packaging/completion.test.ts',
  'src/cli/completion/values.ts': 'test/unit/cli/completion/complete.test.ts',
  'src/client/ledger/place.ts': 'test/scripts/commands/ledger-of-a-profile.script',
  'src/contract/openapi.ts': 'test/unit/emulator/openapi.test.ts',
  'src/host/terminal/output.ts': 'test/unit/host/streams.test.ts',
  'src/index/document.ts': 'test/unit/index/index.test.ts',
  'src/requests/batch/engine/columns.ts': 'test/unit/requests/batch/engine/rows.test.ts',
  'src/view/records/reconciled-row.ts': 'test/scripts/commands/reconcile.script',
  'src/host/http/request-rules.ts': 'test/hostile/servers.test.ts',
  'src/cli/body/card-input.ts': 'test/unit/cli/body/build-body.test.ts',
  'src/contract/resources/customer.ts': 'test/unit/contract/operations.test.ts',
  'src/contract/resources/plan.ts': 'test/unit/contract/operations.test.ts',
  'src/contract/resources/subscription.ts': 'test/unit/contract/operations.test.ts',
  'src/cli/body/ask-card.ts': 'test/unit/cli/body/ask-fields.test.ts',
  'src/view/records/embedded-gateway.ts': 'test/unit/view/cards/own-cards.test.ts',
  'src/cli/completion/command-line.ts': 'test/unit/cli/completion/complete.test.ts',
  'src/cli/completion/names-in-files.ts': 'test/unit/cli/completion/complete.test.ts',
  'src/cli/dispatch/synonyms.ts': 'test/unit/cli/dispatch/find-command.test.ts',
  'src/emulator/billing/advance.ts': 'test/unit/emulator/billing/billing-run.test.ts',
  'src/emulator/billing/store-charges.ts': 'test/unit/contract/webhooks/payload.test.ts',
  'src/emulator/deliveries/hooks.ts': 'test/unit/emulator/deliveries/deliver.test.ts',
  'src/emulator/deliveries/queue.ts': 'test/unit/emulator/deliveries/deliver.test.ts',
  'src/emulator/initial-contents.ts': 'test/unit/emulator/seed.test.ts',
  'src/emulator/resources/record-lookup.ts': 'test/unit/emulator/dialects.test.ts',
  'src/emulator/resources/validation.ts': 'test/unit/emulator/request-body.test.ts',
  'src/emulator/sample-event.ts': 'test/unit/contract/webhooks/payload.test.ts',
  'src/emulator/schema.ts': 'test/unit/emulator/state.test.ts',
  'src/events/store/append-events.ts': 'test/unit/events/store/event-file.test.ts',
  'src/index/with-own-events.ts': 'test/unit/index/server-index.test.ts',
  'src/events/store/kept-events.ts': 'test/unit/events/store/event-file.test.ts',
  'src/events/store/rewrite-events.ts': 'test/unit/desk/forget/erase.test.ts',
  'src/requests/batch/engine/batch.ts': 'test/unit/requests/batch/engine/batch-run.test.ts',
  'src/failure.ts': 'test/unit/view/errors.test.ts',
  'src/cli/flags/operation-flags.ts': 'test/scripts/commands/help.script',
  'src/view/formats/rows.ts': 'test/unit/view/printer.test.ts',
  'src/cli/flags/global-flags.ts': 'test/scripts/commands/help.script',
  'src/index/document-of-record.ts': 'test/unit/index/index.test.ts',
  'src/index/totals.ts': 'test/unit/desk/reports/money-report.test.ts',
  'src/desk/reports/known-subscriptions.ts': 'test/unit/desk/reports/forecast.test.ts',
  'src/cli/help/guides.ts': 'test/unit/cli/help/show-help.test.ts',
  'src/host/host.ts': 'test/unit/host/streams.test.ts',
  'src/host/keychain/keychain-child.ts': 'test/unit/host/keychain/keychain.test.ts',
  'src/host/keychain/secret-service.ts': 'test/system/keychain.test.ts',
  'src/host/prompts/drawn-prompts.ts': 'test/unit/host/prompts.test.ts',
  'src/host/prompts/plain-prompts.ts': 'test/unit/host/prompts.test.ts',
  'src/host/terminal/keys.ts': 'test/system/typed-ahead.test.ts',
  'src/journal/ledger.ts': 'test/unit/journal/sqlite/sqlite-ledger.test.ts',
  'src/desk/reports/run-money-report.ts': 'test/scripts/commands/report.script',
  'src/requests/submit/run-refund.ts': 'test/scripts/endpoints/04-refund-create.script',
  'src/desk/reports/run-subscription-report.ts': 'test/scripts/commands/report.script',
  'src/store/ledger/take-along.ts': 'test/unit/setup/ledger/take-along.test.ts',
  'src/store/postgres/failures.ts': 'test/unit/store/postgres/server.test.ts',
  'src/view/records/report.ts': 'test/scripts/commands/report.script',
  'src/desk/get/find-anything.ts': 'test/scripts/commands/get-anything.script',
  'src/desk/resolve/resolve-unknown.ts': 'test/scripts/commands/journal.script',
  'src/desk/history/run-history.ts': 'test/scripts/commands/history.script',
  'src/desk/forget/erasure-rules.ts': 'test/unit/desk/forget/erase.test.ts',
  'src/desk/forget/find-person.ts': 'test/unit/desk/forget/erase.test.ts',
  'src/desk/forget/run-forget.ts': 'test/scripts/commands/forget.script',
  'src/desk/get/show-related.ts': 'test/scripts/commands/get-card.script',
  'src/client/connection/refusals.ts': 'test/scripts/endpoints/04-refund-create.script',
  'src/client/connection/confirmation.ts': 'test/unit/client/connection/guard.test.ts',
  'src/client/connection/refund-target.ts': 'test/unit/client/connection/call.test.ts',
  'src/client/connection/wire.ts': 'test/unit/client/connection/call.test.ts',
  'src/client/connection/session.ts': 'test/unit/commands/requests.test.ts',
  'src/start.ts': 'test/hostile/ending.test.ts',
  'src/store/ledger/sqlite-schema.ts': 'test/unit/journal/sqlite/sqlite-ledger.test.ts',
  'src/store/sqlite/file-failure.ts': 'test/unit/store/sqlite/same-file.test.ts',
  'src/store/sqlite/queries.ts': 'test/unit/store/sqlite/database.test.ts',
  'src/view/cards/card-of.ts': 'test/scripts/commands/get-card.script',
  'src/view/records/gateway-records.ts': 'test/unit/view/printer.test.ts',
  'src/desk/reports/open-report.ts': 'test/system/profiles-apart.test.ts',
  'src/desk/find/run-known-list.ts': 'test/system/profiles-apart.test.ts',
};

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'));
const read = (path: string): Source => ({ path, text: readFileSync(path, 'utf8') });

const tests = filesOf('test');
/** It has bad titles as examples. */
const SELF = 'test/unit/tidy-tests.test.ts';

test('no test is called by nothing but a value', () => {
  const faults = tests
    .filter((path) => path.endsWith('.test.ts') && path !== SELF)
    .map(read)
    .flatMap(placeholderTitles);
  expect(faults).toEqual([]);
});

test(`every file over ${MOST_LINES} lines has a test at its place, or one that is said to try it`, () => {
  const sources = filesOf('src').map(read);
  const options = { mostLines: MOST_LINES, elsewhere: ELSEWHERE };
  expect(testlessFiles(sources, tests, options)).toEqual([]);
});

test.each([
  "test('%s', () => {});",
  "test.each(ROWS)('%o', () => {});",
  "test.each<[string, number]>(ROWS)(\n  '$name',\n  () => {},\n);",
  "test.each([\n  ['a', f(1)],\n])('%.20j', () => {});",
  "test.skipIf(!has('x'))(`$what.name`, () => {});",
])('the rule of titles finds %j', (text) => {
  expect(placeholderTitles({ path: 'x.test.ts', text })).toHaveLength(1);
});

test.each([
  "test('%s is refused', () => {});",
  "test.each(['%s'])('a %s', () => {});",
  "describe.each(ROWS)('%s', () => {});",
])('the rule of titles has nothing against %j', (text) => {
  expect(placeholderTitles({ path: 'x.test.ts', text })).toEqual([]);
});

test('the rule of files finds what has no test, and what is said of one in vain', () => {
  const long = 'x\n'.repeat(3);
  const sources = ['src/a/tested.ts', 'src/a/tried.ts', 'src/a/neither.ts'].map((path) => ({
    path,
    text: long,
  }));
  const elsewhere = {
    'src/a/tried.ts': 'test/b.test.ts',
    'src/a/tested.ts': 'test/b.test.ts',
    'src/a/gone.ts': 'test/b.test.ts',
    'src/a/neither.ts': 'test/gone.test.ts',
  };
  const all = [...sources, { path: 'src/a/short.ts', text: 'x\n' }];
  const found = (said: Record<string, string>) =>
    testlessFiles(
      all,
      ['test/unit/a/tested.test.ts', 'test/unit/b/tried.test.ts', 'test/b.test.ts'],
      {
        mostLines: 2,
        elsewhere: said,
      },
    );
  expect(found({})).toHaveLength(2);
  expect(found({ 'src/a/tried.ts': 'test/b.test.ts' })).toEqual([
    'src/a/neither.ts has over 2 lines and no test at its place',
  ]);
  expect(found(elsewhere)).toEqual([
    'src/a/tested.ts is said to be tried by test/b.test.ts in vain',
    'src/a/gone.ts is said to be tried by test/b.test.ts in vain',
    'src/a/neither.ts is said to be tried by test/gone.test.ts in vain',
  ]);
});
