/** The rules of the tests, and the tests of the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Source } from '../helpers/tidy.ts';
import { placeholderTitles, testlessFiles } from '../helpers/tidy-tests.ts';

const MOST_LINES = 100;

/** Which test tries a file, where it is not the one of its name. To be shortened. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'src/base/http-server.ts': 'test/hostile/servers.test.ts',
  'src/base/request-rules.ts': 'test/hostile/servers.test.ts',
  'src/batch/send-line.ts': 'test/unit/batch/run-batch.test.ts',
  'src/body/card-input.ts': 'test/unit/body/build-body.test.ts',
  'src/client/verdict-sentences.ts': 'test/unit/client/classify.test.ts',
  'src/contract/customer.ts': 'test/unit/contract/operations.test.ts',
  'src/contract/plan.ts': 'test/unit/contract/operations.test.ts',
  'src/contract/subscription.ts': 'test/unit/contract/operations.test.ts',
  'src/body/ask-card.ts': 'test/unit/body/ask.test.ts',
  'src/completion/command-line.ts': 'test/unit/completion/complete.test.ts',
  'src/completion/names-in-files.ts': 'test/unit/completion/complete.test.ts',
  'src/dispatch/other-words.ts': 'test/unit/dispatch/find-command.test.ts',
  'src/doctor/examine.ts': 'test/system/doctor.test.ts',
  'src/emulator/billing/advance.ts': 'test/unit/emulator/billing/billing-run.test.ts',
  'src/emulator/billing/keep-brought.ts': 'test/unit/webhooks/payload.test.ts',
  'src/emulator/deliveries/hooks.ts': 'test/unit/emulator/deliveries/deliver.test.ts',
  'src/emulator/deliveries/queue.ts': 'test/unit/emulator/deliveries/deliver.test.ts',
  'src/emulator/initial-contents.ts': 'test/unit/emulator/seed.test.ts',
  'src/emulator/resources/record-lookup.ts': 'test/unit/emulator/dialects.test.ts',
  'src/emulator/resources/validation.ts': 'test/unit/emulator/request-body.test.ts',
  'src/emulator/sample-event.ts': 'test/unit/webhooks/payload.test.ts',
  'src/emulator/schema.ts': 'test/unit/emulator/state.test.ts',
  'src/events/event-store.ts': 'test/unit/events/sqlite-event-store.test.ts',
  'src/events/postgres-append.ts': 'test/unit/events/postgres-event-store.test.ts',
  'src/events/postgres-forwards.ts': 'test/unit/events/postgres-event-store.test.ts',
  'src/events/rewrite-events.ts': 'test/unit/privacy/erase.test.ts',
  'src/journal/batches.ts': 'test/unit/journal/sqlite-ledger.test.ts',
  'src/journal/sqlite-batches.ts': 'test/unit/journal/sqlite-ledger.test.ts',
  'src/failure.ts': 'test/unit/view/errors.test.ts',
  'src/flags/global-flags.ts': 'test/scripts/commands/help.script',
  'src/facts/fact-of-record.ts': 'test/unit/facts/index.test.ts',
  'src/facts/postgres-conditions.ts': 'test/unit/facts/postgres-facts.test.ts',
  'src/facts/postgres-search.ts': 'test/unit/facts/postgres-facts.test.ts',
  'src/facts/totals.ts': 'test/unit/find/money-report.test.ts',
  'src/facts/write-facts.ts': 'test/unit/facts/index.test.ts',
  'src/find/known-subscriptions.ts': 'test/unit/find/forecast.test.ts',
  'src/help/guides.ts': 'test/unit/help/show-help.test.ts',
  'src/host/create.ts': 'test/unit/host/streams.test.ts',
  'src/host/host.ts': 'test/unit/host/streams.test.ts',
  'src/host/keychain-child.ts': 'test/unit/host/keychain.test.ts',
  'src/host/secret-service.ts': 'test/system/keychain.test.ts',
  'src/host/drawn-prompts.ts': 'test/unit/host/prompts.test.ts',
  'src/host/plain-prompts.ts': 'test/unit/host/prompts.test.ts',
  'src/journal/ledger.ts': 'test/unit/journal/sqlite-ledger.test.ts',
  'src/journal/money-requests.ts': 'test/unit/journal/ledger-cases.ts',
  'src/journal/sightings.ts': 'test/unit/journal/ledger-cases.ts',
  'src/journal/postgres-knowledge.ts': 'test/unit/journal/postgres-ledger.test.ts',
  'src/journal/postgres-lease.ts': 'test/unit/journal/postgres-ledger.test.ts',
  'src/journal/postgres-settlements.ts': 'test/unit/journal/postgres-ledger.test.ts',
  'src/journal/postgres-sightings.ts': 'test/unit/journal/postgres-ledger.test.ts',
  'src/operations/run-money-report.ts': 'test/scripts/commands/report.script',
  'src/operations/run-refund.ts': 'test/scripts/endpoints/04-refund-create.script',
  'src/operations/run-subscription-report.ts': 'test/scripts/commands/report.script',
  'src/postgres/failures.ts': 'test/unit/postgres/server.test.ts',
  'src/postgres/schema.ts': 'test/unit/postgres/server.test.ts',
  'src/postgres/rows/put-events.ts': 'test/unit/team/copy.test.ts',
  'src/postgres/rows/server-source.ts': 'test/unit/team/copy.test.ts',
  'src/postgres/rows/server-target.ts': 'test/unit/team/copy.test.ts',
  'src/storage/rows/file-source.ts': 'test/unit/team/copy.test.ts',
  'src/storage/rows/file-target.ts': 'test/unit/team/copy.test.ts',
  'src/storage/rows/ledger-rows.ts': 'test/unit/team/copy.test.ts',
  'src/team/ledgers.ts': 'test/unit/team/copy.test.ts',
  'src/view/records/report.ts': 'test/scripts/commands/report.script',
  'src/operations/ask-before.ts': 'test/system/asking.test.ts',
  'src/operations/find-anything.ts': 'test/scripts/commands/get-anything.script',
  'src/operations/move-subscription.ts': 'test/scripts/regressions/move.script',
  'src/operations/resolve-unknown.ts': 'test/scripts/commands/journal.script',
  'src/operations/run-history.ts': 'test/scripts/commands/history.script',
  'src/operations/run-listen.ts': 'test/system/listen.test.ts',
  'src/privacy/erasure-rules.ts': 'test/unit/privacy/erase.test.ts',
  'src/journal/postgres-rewrite.ts': 'test/unit/privacy/erase-on-server.test.ts',
  'src/privacy/find-person.ts': 'test/unit/privacy/erase.test.ts',
  'src/privacy/run-forget.ts': 'test/scripts/commands/forget.script',
  'src/operations/show-ties.ts': 'test/scripts/commands/get-card.script',
  'src/session/refusals.ts': 'test/scripts/endpoints/04-refund-create.script',
  'src/session/session.ts': 'test/unit/commands/requests.test.ts',
  'src/start.ts': 'test/hostile/ending.test.ts',
  'src/storage/ledger-schema.ts': 'test/unit/journal/sqlite-ledger.test.ts',
  'src/storage/file-failure.ts': 'test/unit/storage/same-file.test.ts',
  'src/journal/postgres-entries.ts': 'test/unit/journal/postgres-ledger.test.ts',
  'src/storage/queries.ts': 'test/unit/storage/database.test.ts',
  'src/view/cards/card-of.ts': 'test/scripts/commands/get-card.script',
  'src/view/records/gateway-records.ts': 'test/unit/view/printer.test.ts',
  'src/view/records/timeline-item.ts': 'test/scripts/commands/history.script',
  'src/operations/open-report.ts': 'test/system/profiles-apart.test.ts',
  'src/operations/run-events-list.ts': 'test/system/profiles-apart.test.ts',
  'src/operations/run-known-list.ts': 'test/system/profiles-apart.test.ts',
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

test(`every file over ${MOST_LINES} lines has a test of its name, or one that is said to try it`, () => {
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
    testlessFiles(all, ['test/a/tested.test.ts', 'test/b.test.ts'], {
      mostLines: 2,
      elsewhere: said,
    });
  expect(found({})).toHaveLength(2);
  expect(found({ 'src/a/tried.ts': 'test/b.test.ts' })).toEqual([
    'src/a/neither.ts has over 2 lines and no test of its name',
  ]);
  expect(found(elsewhere)).toEqual([
    'src/a/tested.ts is said to be tried by test/b.test.ts in vain',
    'src/a/gone.ts is said to be tried by test/b.test.ts in vain',
    'src/a/neither.ts is said to be tried by test/gone.test.ts in vain',
  ]);
});
