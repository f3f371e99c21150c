/** The names of plans, for rows of subscriptions: a subscription names its plan by id or reference. */
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';

/** @returns a function that says the name of a subscription's plan; undefined where it is not known */
export async function planNames(
  things: Pick<SearchIndex, 'each'>,
  subscriptions: readonly Thing[],
): Promise<(subscription: Thing) => string | undefined> {
  const plans: Thing[] = [];
  // All plans are fewer than the charges that have the name of one.
  if (subscriptions.length > 0)
    for await (const plan of things.each({ kinds: ['plan'] })) plans.push(plan);
  return ({ plan, account }) =>
    plans.find((one) => one.account === account && (one.id === plan || one.reference === plan))
      ?.who ?? undefined;
}
