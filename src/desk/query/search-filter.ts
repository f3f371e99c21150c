/** What is asked of the index, as flags say it: times by the clock that is meant, people by their names. */

import { type FactFlags, readFactFilter } from '../../cli/flags/search-flags.ts';
import type { Whose } from '../../cli/flags/whose.ts';
import { authorOf } from '../../client/ledger/operator.ts';
import type { Context } from '../../host/context.ts';
import type { FactFilter } from '../../index/search-index.ts';
import { findNow } from './find-now.ts';

/** Stands for whoever asks, as the ledger names them. */
const ONESELF = 'me';

/** @param us whose facts are searched @throws Failure usage when one of the flags cannot be read */
export async function factFilterOf(
  context: Context,
  flags: FactFlags,
  us: Whose,
): Promise<FactFilter> {
  const operator = operatorNamed(context, flags.operator);
  return readFactFilter({ ...flags, operator }, await findNow(context, flags, us));
}

/**
 * @param named value of --operator
 * @returns the name as entries have it; undefined for everybody
 */
export function operatorNamed({ host }: Context, named: string | undefined): string | undefined {
  return named === ONESELF ? authorOf(host).operator : named;
}
