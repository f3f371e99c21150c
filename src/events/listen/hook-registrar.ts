/** Whom a listener asks to deliver to it, where that can be asked at all. */

import type { Profile } from '../../client/profiles/profile.ts';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import type { Host } from '../../host/host.ts';
import { emulatorPath } from '../../store/paths.ts';
import type { HookRegistrar } from './listener.ts';

/**
 * The interface has no way to register an address (section 6), so only the embedded gateway is asked.
 * @param patterns of the events to deliver; none for all
 * @returns undefined where the address has to be given to the gateway by hand
 */
export function hookRegistrarFor(
  host: Host,
  profile: Profile | undefined,
  patterns: readonly string[],
): HookRegistrar | undefined {
  if (profile?.environment !== 'local') return undefined;
  return {
    async register(url) {
      const [{ openState }, { registerHook, removeHook }] = await Promise.all([
        import('../../emulator/state.ts'),
        import('../../emulator/deliveries/hooks.ts'),
      ]);
      const state = () => openState({ path: emulatorPath(host.files), clock: host.clock });
      const events = patterns.length > 0 ? patterns.join(',') : undefined;
      const merchant = LOCAL_CREDENTIALS.username;
      const id = using(state(), (store) =>
        registerHook(store, { merchant, url: url.href, events, temporary: true }),
      );
      return async () => {
        using(state(), (store) => removeHook(store, id));
      };
    },
  };
}

/** The store is not kept open: the listener may run for days. */
function using<Store extends { close(): void }, Result>(
  store: Store,
  work: (store: Store) => Result,
): Result {
  try {
    return work(store);
  } finally {
    store.close();
  }
}
