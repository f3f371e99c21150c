/**
 * What of `test/unit` runs on systems that are not of the POSIX kind: all but what is listed here, by
 * what it needs. macOS has all of it; single tests that need more say so themselves (skip.ts).
 */

/** Folders and files below `test/unit`. */
export const NEEDS_POSIX: Readonly<Record<string, readonly string[]>> = {
  'permissions, links, pipes and signals': [
    'emulator/kill.test.ts',
    'emulator/state.test.ts',
    'host',
  ],
  'files that may be removed while they are open': [
    ...['client/retry.test.ts', 'emulator/concurrency.test.ts'],
    ...[
      'emulator/deliveries',
      'emulator/secrets.test.ts',
      'events',
      'journal',
      'senders',
      'storage',
    ],
  ],
  'a home that HOME names': [
    ...[
      'batch/run-batch.test.ts',
      'body/ask.test.ts',
      'body/build-body.test.ts',
      'body/read-ids.test.ts',
      'commands',
    ],
    ...['operations', 'profiles', 'session'],
  ],
};

/**
 * @param platform as `process.platform`
 * @param say is told what is left out, and why
 * @returns patterns of the files that are left out
 */
export function unportableTests(
  platform: NodeJS.Platform,
  say: (line: string) => void,
): readonly string[] {
  if (platform !== 'win32') return [];
  return Object.entries(NEEDS_POSIX).flatMap(([what, places]) => {
    say(`skipped, because this system lacks ${what}: ${places.join(', ')}\n`);
    return places.map((place) => `test/unit/${place}${place.endsWith('.ts') ? '' : '/**'}`);
  });
}
