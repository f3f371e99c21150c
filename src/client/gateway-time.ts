/** The clock of a gateway: the test gateway has one of its own (`gw emulator advance`). */
import type { Host } from '../host/host.ts';
import { emulatorPath } from '../store/paths.ts';
import type { Profile } from './profiles/profile.ts';

/**
 * @param at an earlier instant of this machine's clock; now, if it is left out
 * @returns the test gateway's time at that instant for its profile, if it has state; otherwise this machine's time
 * @throws Failure usage if the state cannot be read
 */
export async function gatewayTime(
  { clock, files }: Pick<Host, 'clock' | 'files'>,
  profile: Pick<Profile, 'environment'>,
  at?: Date,
): Promise<Date> {
  const isEmbedded = profile.environment === 'local' && files.size(emulatorPath(files)) > 0;
  if (!isEmbedded) return at ?? clock.now();
  const { withState } = await import('../emulator/state.ts');
  return withState({ clock, files }, undefined, async (store) =>
    store.read((tx) => (at ? tx.timeAt(at) : tx.now)),
  );
}
