/** The names of plans, for rows of subscriptions: a subscription names its plan by id or reference. */
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';

/** The most plans that are read for one list. */
const MOST_PLANS = 1_000;

/** @returns a function that says the name of a subscription's plan; undefined where it is not known */
export async function planNames(
  things: Pick<SearchIndex, 'tied'>,
  subscriptions: readonly Thing[],
): Promise<(subscription: Thing) => string | undefined> {
  const named = [...new Set(subscriptions.flatMap(({ plan }) => plan ?? []))];
  const plans =
    named.length === 0 ? [] : await things.tied(named, { kinds: ['plan'], limit: MOST_PLANS });
  return ({ plan, account }) =>
    plans.find((one) => one.account === account && (one.id === plan || one.reference === plan))
      ?.who ?? undefined;
}
