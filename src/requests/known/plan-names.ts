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

/**
 * @param billed subscriptions and their charges; others have no plan
 * @returns a function that says the name of the plan of one; undefined where it is not known
 */
export async function planNames(
  things: Pick<SearchIndex, 'each'>,
  billed: readonly Thing[],
): Promise<(billed: Thing) => string | undefined> {
  const plans: Thing[] = [];
  // All plans are fewer than the charges that have the name of one.
  if (billed.some(({ plan }) => plan !== null))
    for await (const plan of things.each({ kinds: ['plan'], needs: 'nothing' })) plans.push(plan);
  return ({ plan, account }) =>
    plans.find((one) => one.account === account && (one.id === plan || one.reference === plan))
      ?.who ?? undefined;
}

/** @returns the things, of which subscriptions and their charges have the name of their plan, where it is known */
export async function withPlanNames<Found extends Thing>(
  things: Pick<SearchIndex, 'each'>,
  found: readonly Found[],
): Promise<(Found & { planName?: string })[]> {
  const planOf = await planNames(things, found);
  return found.map((one) => {
    const planName = planOf(one);
    return planName === undefined ? one : { ...one, planName };
  });
}
