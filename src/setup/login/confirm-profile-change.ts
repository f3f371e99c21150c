/** What takes a guard away from a live profile is confirmed with its name. */

import { confirmChange } from '../../cli/confirm-live.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { readProfiles, showProfile } from '../../client/profiles/store.ts';
import type { Context } from '../../host/context.ts';

type ConfirmOptions = Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>;

/** @returns what has a change of a profile confirmed, for `setProfile` */
export function confirmsLifted(context: Context, options: ConfirmOptions) {
  return (before: Profile, lifted: readonly string[]) =>
    confirm(context, before, { options, lifted });
}

/** @throws Failure guard unless it is no live profile, or its name was given */
export async function confirmRemoval(
  context: Context,
  name: string,
  options: ConfirmOptions,
): Promise<void> {
  // What is said where there is none is said by whoever removes it.
  const { profiles } = await readProfiles(context.host.files);
  const profile = profiles.has(name) ? await showProfile(context.host.files, name) : undefined;
  if (profile?.environment !== 'live') return;
  const lifted = ['removes the profile, its limits and its credentials from this machine'];
  await confirm(context, profile, { options, lifted });
}

async function confirm(
  { host }: Context,
  profile: Profile,
  { options, lifted }: { options: ConfirmOptions; lifted: readonly string[] },
): Promise<void> {
  await confirmChange({ host, profile, options }, lifted);
}
