/** Reads the initial state of the test gateway, for `reset` and for `start`. */

import type { Dialect } from '../../contract/local-account.ts';
import type { Beginning } from '../../emulator/initial-contents.ts';
import type { Host } from '../../host/host.ts';
import { readText } from '../../requests/body/read-input.ts';

interface BeginningFlags {
  seed?: string | undefined;
  dialect?: Dialect | undefined;
  clock?: string | undefined;
}

/** @throws Failure usage if the seed or the time cannot be read */
export async function readBeginning(
  host: Pick<Host, 'stdin' | 'readNamed'>,
  { seed, dialect, clock }: BeginningFlags,
): Promise<Beginning> {
  const [{ readSeed }, { clockTime }] = await Promise.all([
    import('../../emulator/seed.ts'),
    import('../../emulator/clock-time.ts'),
  ]);
  const time = clock === undefined ? undefined : clockTime('--clock', clock);
  if (seed === undefined) return { dialect, time };
  return { dialect, time, seed: readSeed(await readText(host, seed, '--seed'), seed) };
}
