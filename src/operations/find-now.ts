/** By whose clock times of a search are meant. */
import type { FactFlags } from '../flags/fact-flags.ts';
import { LOCAL_PROFILE } from '../profiles/profile.ts';
import type { Context } from '../session/context.ts';
import type { Whose } from '../session/whose.ts';

/**
 * @param flags of the search
 * @param of the profile whose facts are searched
 * @returns the embedded gateway's time where that is its profile, else this machine's; the former only
 *   where a time is asked for, since it is in a file of the gateway's
 */
export async function findNow(
  context: Context,
  { since, until }: Pick<FactFlags, 'since' | 'until'>,
  { of }: Pick<Whose, 'of'>,
): Promise<Date> {
  const { clock } = context.host;
  const isTimeAsked = since !== undefined || until !== undefined;
  if (!isTimeAsked || of?.name !== LOCAL_PROFILE.name) return clock.now();
  const { gatewayTime } = await import('./gateway-time.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
