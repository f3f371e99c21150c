/** What is asked of the index: times by the clock that is meant, people by their names. */
import { readSearchFilter, type SearchOptions } from '../../cli/flags/search-flags.ts';
import type { Whose } from '../../cli/flags/whose.ts';
import { authorOf } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import type { Context } from '../../host/context.ts';
import type { SearchFilter } from '../../index/search-index.ts';

/** Stands for whoever asks, as the ledger names them. */
const ONESELF = 'me';

/** @param us whose documents are searched @throws Failure usage when one of the options cannot be read */
export async function searchFilterOf(
  context: Context,
  options: SearchOptions,
  us: Whose,
): Promise<SearchFilter> {
  const operator = operatorNamed(context, options.operator);
  return readSearchFilter({ ...options, operator }, await findNow(context, options, us));
}

/**
 * @param named value of --operator
 * @returns the name as entries have it; undefined for everybody
 */
export function operatorNamed({ host }: Context, named: string | undefined): string | undefined {
  return named === ONESELF ? authorOf(host).operator : named;
}

/**
 * By whose clock times of a search are meant.
 * @param of the profile whose documents are searched
 * @returns the embedded gateway's time where that is its profile, else this machine's; the former only
 *   where a time is asked for, since it is in a file of the gateway's
 */
export async function findNow(
  context: Context,
  { since, until }: Pick<SearchOptions, 'since' | 'until'>,
  { of }: Pick<Whose, 'of'>,
): Promise<Date> {
  const { clock } = context.host;
  const isTimeAsked = since !== undefined || until !== undefined;
  if (!isTimeAsked || of?.name !== LOCAL_PROFILE.name) return clock.now();
  const { gatewayTime } = await import('../../client/connection/wire.ts');
  return gatewayTime(context, LOCAL_PROFILE);
}
