/** The time by which a gateway judges whether a card has expired. */

import { withState } from '../../emulator/with-state.ts';
import type { Context } from '../../host/context.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { Profile } from '../profiles/profile.ts';

/**
 * @returns the embedded gateway's own time for its profile, where it has state; for any other gateway
 *   this machine's. @throws Failure usage when the state cannot be read
 */
export async function gatewayTime(context: Context, profile: Profile): Promise<Date> {
  const { clock, files } = context.host;
  const isEmbedded = profile.environment === 'local' && files.size(emulatorPath(files)) > 0;
  if (!isEmbedded) return clock.now();
  return withState(context, undefined, async (store) => store.read((tx) => tx.now));
}
