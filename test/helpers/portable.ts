/**
 * The tests of `test/unit` that run without POSIX: all except those listed here, by
 * what it needs. macOS has all of it; single tests that need more ask for it (skip.ts).
 */

/** Folders and files below `test/unit`. */
export const NEEDS_POSIX: Readonly<Record<string, readonly string[]>> = {
  'permissions, links, pipes and signals': [
    'emulator/kill.test.ts',
    'emulator/state.test.ts',
    'host',
  ],
  'files that may be removed while they are open': [
    'client/exchange/retry.test.ts',
    'client/senders',
    'emulator/concurrency.test.ts',
    'emulator/deliveries',
    'emulator/secrets.test.ts',
    'events/store',
    'journal',
    'store/sqlite',
  ],
  'a home that HOME names': [
    'requests/body/ask-fields.test.ts',
    'requests/body/build-body.test.ts',
    'requests/look-up/read-ids.test.ts',
    'client/connection',
    'client/ledger',
    'client/profiles',
    'commands/events/run-list.test.ts',
    'commands/find',
    'commands/journal/run-batches.test.ts',
    'commands/journal/run-list.test.ts',
    'commands/ledger/backup.test.ts',
    'commands/login',
    'desk/report/report-chart.test.ts',
    'commands/requests.test.ts',
    'desk/query',
    'requests',
  ],
};

/** @returns what a system lacks, once for each folder and file that is left out for want of it */
export function unportableParts(platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'win32') return [];
  return Object.entries(NEEDS_POSIX).flatMap(([part, places]) => places.map(() => part));
}

/** @returns patterns of the files that are left out */
export function unportableTests(platform: NodeJS.Platform): readonly string[] {
  if (platform !== 'win32') return [];
  return Object.values(NEEDS_POSIX)
    .flat()
    .map((place) => `test/unit/${place}${place.endsWith('.ts') ? '' : '/**'}`);
}
