/** Whom a listener asks to deliver to it, where that can be asked at all. */
import type { Profile } from '../profiles/profile.ts';
import type { HookRegistrar } from '../webhooks/listener.ts';

/** Makes the registrar of the embedded gateway. @param shown patterns of the events to deliver */
export type LocalRegistrar = (shown: readonly string[]) => HookRegistrar;

/**
 * The interface has no way to register an address (section 6), so only the embedded gateway is asked.
 * @returns undefined where the address has to be given to the gateway by hand
 */
export function hookRegistrarFor(
  profile: Profile | undefined,
  local: LocalRegistrar | undefined,
  shown: readonly string[],
): HookRegistrar | undefined {
  return profile?.environment === 'local' ? local?.(shown) : undefined;
}
