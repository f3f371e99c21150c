/** Which modules of the program go into one file. */
import { rolldown } from 'rolldown';

/** @typedef {Pick<import('rolldown').InputOptions, 'platform' | 'external' | 'resolve'>} Options of the build */

/**
 * Modules that are loaded together, by the modules that load them.
 * @type {Readonly<Record<string, string | string[]>>}
 */
const GROUPS = {
  // With what every definition of a command loads: a file more costs each of them half a millisecond.
  start: [
    'src/start.ts',
    'src/requests/operation-commands.ts',
    'src/cli/flags/parse-number.ts',
    'src/contract/local-account.ts',
    // Small, and all that the prompt of a shell loads.
    'src/client/profiles/glance.ts',
    'src/commands/profile/shell-prompt.ts',
  ],
  // What lists and reports load as well as requests.
  core: [
    'src/view/print-records.ts',
    'src/requests/known/open-ledger.ts',
    'src/client/gateway-time.ts',
    'src/client/profiles/resolve.ts',
    'src/contract/operations.ts',
    'src/contract/envelope.ts',
    'src/client/ledger/snapshot-inbox.ts',
    'src/journal/proposals.ts',
    'src/journal/balance.ts',
    'src/contract/expiry.ts',
    // Small ones that else would be in a file which others would load for them.
    'src/contract/webhooks/names.ts',
    'src/view/text/environment.ts',
    'src/emulator/rules/schedule.ts',
    'src/base/backoff.ts',
  ],
  calls: [
    'src/requests/look-up/get-many.ts',
    'src/host/http/transport-reason.ts',
    'src/host/http/limit.ts',
  ],
  schemas: [
    'src/contract/check.ts',
    'src/contract/cards/test-cards.ts',
    'src/contract/forgiving.ts',
  ],
  // A group of its own: questions date records by it, and lists load no questions.
  things: [
    'src/journal/told-by-record.ts',
    'src/things/normalise.ts',
    'src/things/row-of.ts',
    'src/things/words.ts',
    'src/things/name-beginnings.ts',
    'src/base/spreadsheet-text.ts',
    'src/things/owner.ts',
  ],
  // Asking for a time loads neither the embedded gateway nor questions.
  times: 'src/cli/flags/parse-time.ts',
  // Lists of events read deliveries, and so does a request that rests on one. Lists and questions show known records.
  // Reports and requests find what a name means.
  deliveries: [
    'src/requests/known/known-record.ts',
    'src/requests/known/plan-names.ts',
    'src/requests/known/near-names.ts',
    'src/requests/known/lazy-ledger.ts',
    'src/requests/known/candidates.ts',
  ],
  submit: 'src/requests/submit/submit.ts',
  sqlite: ['src/store/sqlite/database.ts', 'src/contract/webhooks/patterns.ts'],
  ledger: 'src/client/ledger/open.ts',
  // Lists and reports of the test gateway ask for its time, and send nothing.
  clock: 'src/emulator/state.ts',
  emulator: 'src/client/senders/embedded.ts',
  learn: 'src/requests/known/learn-due.ts',
  desk: ['src/desk/lists/run-known-list.ts', 'src/commands/find/run-find.ts'],
};

/**
 * Few files instead of many small ones. What a command loads at once becomes one file, and what
 * several of them load is in the first group that has it.
 * @param {Options} options of the build
 * @returns {Promise<import('rolldown').CodeSplittingGroup[]>}
 */
export async function groups(options) {
  const loaded = await Promise.all(
    Object.entries(GROUPS).map(async ([name, entry]) => ({
      name,
      modules: await loadedBy(entry, options),
    })),
  );
  return loaded.map(({ name, modules }, i) => ({
    name,
    test: (/** @type {string} */ id) => modules.has(id),
    priority: loaded.length - i,
  }));
}

/**
 * @param {string | string[]} entry paths of modules
 * @param {Options} options
 * @returns {Promise<Set<string>>} the ids of all modules that are loaded with them, at once
 */
async function loadedBy(entry, options) {
  // The build itself says what is wrong.
  const alone = await rolldown({ ...options, input: entry, logLevel: 'silent' });
  const { output: files } = await alone.generate({ format: 'cjs' });
  await alone.close();
  const chunks = files.filter((file) => file.type === 'chunk');
  /** @type {Set<string>} */
  const modules = new Set();
  /** @param {import('rolldown').OutputChunk | undefined} chunk */
  const add = (chunk) => {
    for (const id of chunk?.moduleIds ?? []) modules.add(id);
    for (const next of chunk?.imports ?? []) add(chunks.find(({ fileName }) => fileName === next));
  };
  for (const chunk of chunks.filter(({ isEntry }) => isEntry)) add(chunk);
  return modules;
}
