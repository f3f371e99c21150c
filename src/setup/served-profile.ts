/** The profile that an assistant is served, with what it needs for that. */
import type { Profile } from '../client/profiles/profile.ts';
import { resolveProfile } from '../client/profiles/resolve.ts';
import { Failure } from '../failure.ts';
import type { Host } from '../host/host.ts';

export interface McpOptions {
  profile: string | undefined;
  /** Whether the profile may be a live one. */
  isLive: boolean;
  mayPropose: boolean;
}

/** @throws Failure usage if there is no such profile, guard if it cannot be served so */
export async function servedProfile(
  { env, files }: Pick<Host, 'env' | 'files'>,
  options: McpOptions,
): Promise<Profile> {
  const { profile } = await resolveProfile({ flag: options.profile, env, files });
  const { name, environment, twoPersonsAbove } = profile;
  if (environment === 'live' && !options.isLive)
    throw new Failure(
      'live-not-allowed',
      `The profile ${name} is LIVE, and an assistant reads it only if you say so.`,
      'Add --live to the command that the assistant starts, or name another profile.',
    );
  if (options.mayPropose && twoPersonsAbove === undefined)
    throw new Failure(
      'approval-required',
      `--allow-proposals needs a profile whose payments another person approves, and ${name} is none.`,
      `Run \`gw profile set ${name} --two-persons-above 0.01\`, or leave --allow-proposals out.`,
    );
  return profile;
}
