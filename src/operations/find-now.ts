/** By whose clock times of a search are meant. */
import type { FactFlags } from '../flags/fact-flags.ts';
import { LOCAL_PROFILE } from '../profiles/profile.ts';
import type { Context } from '../session/context.ts';

/**
 * @param flags of the search
 * @returns the embedded gateway's time where its profile is in use, else this machine's; the former only
 *   where a time is asked for, since it is in a file of the gateway's
 */
export async function findNow(
  context: Context,
  { profile, since, until }: Pick<FactFlags, 'profile' | 'since' | 'until'>,
): Promise<Date> {
  const { clock, env } = context.host;
  const isTimeAsked = since !== undefined || until !== undefined;
  if (!isTimeAsked || (profile ?? env.GW_PROFILE) !== LOCAL_PROFILE.name) return clock.now();
  const { gatewayTime } = await import('./gateway-time.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
