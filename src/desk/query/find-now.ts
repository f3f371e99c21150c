/** By whose clock times of a search are meant. */
import type { FactFlags } from '../../cli/flags/search-flags.ts';
import type { Whose } from '../../cli/flags/whose.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import type { Context } from '../../host/context.ts';

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
  const { gatewayTime } = await import('../../requests/gateway-time.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
