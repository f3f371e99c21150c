/** The names of plans, which a subscription and its charges do not have: they name their plan by id or reference. */
import { fold } from '../../things/normalise.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';

/** Accounts may have plans of one name, and so may one account. */
const MOST_CALLED = 20;

/** @returns the ids and references of the plans with this name, reference or id, in any spelling; empty if there is none */
export async function plansCalled(
  things: Pick<SearchIndex, 'tied'>,
  name: string,
  scope: Owner | undefined,
): Promise<string[]> {
  const plans = await things.tied([name], { kinds: ['plan'], scope, limit: MOST_CALLED });
  const isCalled = ({ id, reference, who }: Thing) =>
    [id, reference, who].some((one) => one !== null && fold(one) === fold(name));
  return plans.filter(isCalled).flatMap(({ id, reference }) => [id, reference ?? []].flat());
}

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
