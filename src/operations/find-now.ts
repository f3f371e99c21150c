/** By whose clock times of a search are meant. */
import { LOCAL_PROFILE } from '../profiles/profile.ts';
import type { Context } from '../session/context.ts';

/**
 * @param profile value of --profile
 * @returns the embedded gateway's time where that is the profile in use, else this machine's
 */
export async function findNow(context: Context, profile: string | undefined): Promise<Date> {
  const { clock, env } = context.host;
  if ((profile ?? env.GW_PROFILE) !== LOCAL_PROFILE.name) return clock.now();
  const { gatewayTime } = await import('./gateway-time.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
