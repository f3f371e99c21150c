/** Asks for confirmation by name before a live profile loses a guard. */

import type { RequestOptions } from '../client/connection/request-options.ts';
import type { Profile } from '../client/profiles/profile.ts';
import { readProfiles, showProfile } from '../client/profiles/store.ts';
import type { Host } from '../host/host.ts';
import { confirmChange } from '../requests/confirm-live.ts';

type ConfirmOptions = Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>;

/** @returns the function by which `setProfile` asks for confirmation of a change */
export function confirmsLifted(host: Pick<Host, 'prompts' | 'stderr'>, options: ConfirmOptions) {
  return (profile: Profile, lifted: readonly string[]) =>
    confirmChange({ host, profile, options }, lifted);
}

/** @throws Failure guard if the profile is live and its name was not given */
export async function confirmRemoval(
  host: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  name: string,
  options: ConfirmOptions,
): Promise<void> {
  // The code that removes the profile reports a missing one.
  const { profiles } = await readProfiles(host.files);
  const profile = profiles.has(name) ? await showProfile(host.files, name) : undefined;
  if (profile?.environment !== 'live') return;
  const lifted = ['removes the profile, its limits and its credentials from this machine'];
  await confirmChange({ host, profile, options }, lifted);
}
