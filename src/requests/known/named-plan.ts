/**
 * Finds the plan that a request is to bill, by what a person calls it. An id or a reference that is exact comes first.
 * Otherwise the whole list of the gateway's plans decides, in any case of letters: money is charged by the plan, so one
 * that is not the only one so called is never chosen.
 *
 * Tests: test/unit/client/guards/charges.test.ts, test/scripts/commands/subscription-move.script
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { PlanWalk } from '../../client/guards/plans.ts';
import { moneyText } from '../../contract/money.ts';
import { planGet, planList } from '../../contract/resources/plan.ts';
import { Failure, orFailure } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { fold } from '../../things/normalise.ts';
import type { Session } from '../session.ts';
import { withKnown } from './lazy-ledger.ts';
import type { KnownHost } from './open-ledger.ts';

/** The most plans that a message names. */
const MOST_NAMED = 10;

/** The plan to bill, as a request names it, and a sentence about what decided; undefined if the text names it exactly. */
export interface PlanCalled {
  plan: string;
  said?: string | undefined;
}

/**
 * The same as `planCalled`, and says what decided.
 * @returns the plan as the request names it
 */
export async function planToBill(
  { host, session }: { host: KnownHost; session: Session },
  text: string,
): Promise<string> {
  const { plan, said } = await planCalled(host, session.gateway, text, session.options);
  if (said !== undefined) await session.notice(said);
  return plan;
}

/**
 * A dry run asks the gateway too, because it reads only.
 * @param text an id, a reference or a name, as it was typed
 * @returns the text if it is the id or the reference of a plan, or if the gateway cannot be asked, which then decides;
 *   otherwise the reference of the only plan that is so called, or its id
 * @throws Failure notFound with the plans that there are, if none or several are so called
 */
export async function planCalled(
  host: KnownHost,
  gateway: GatewayConnection,
  text: string,
  { isDryRun }: Pick<RequestOptions, 'isDryRun'>,
): Promise<PlanCalled> {
  const known = await withKnown(host, gateway, ({ things }, scope) =>
    things.tied([text], { kinds: ['plan'], scope, limit: MOST_NAMED }),
  );
  if (known?.some((plan) => isExact(plan, text))) return { plan: text };
  const plans = await plansAsked(gateway, text);
  if (plans instanceof Failure) return unasked(text, plans, isDryRun);
  if (plans.some((plan) => isExact(plan, text))) return { plan: text };
  const called = plans.filter((plan) => wayOf(plan, text) !== undefined);
  const [only, ...more] = called;
  if (!only || more.length > 0) throw notOne(text, called, plans);
  const { id, reference } = only;
  const isShared = plans.filter((plan) => plan.reference === reference).length > 1;
  const name = (isShared ? null : textOrNull(reference)) ?? textOrNull(id) ?? text;
  const also = name === id ? '' : `, ${neutralise(name)}`;
  const plan = `plan ${neutralise(String(id))}${also}`;
  return { plan: name, said: `${neutralise(text)} is the ${wayOf(only, text)} of ${plan}.` };
}

/** @returns the text, for the gateway to decide, which the request itself then asks. @throws the failure if a person ended it */
function unasked(text: string, failure: Failure, isDryRun: boolean): PlanCalled {
  if (failure.kind === 'interrupted') throw failure;
  const said = `gw could not ask the gateway for plan ${neutralise(text)}: the real run does. ${failure.message}`;
  return { plan: text, said: isDryRun ? said : undefined };
}

/** @returns whether the gateway takes the text for the plan as it is */
function isExact(
  { id, reference }: { id?: Json | undefined; reference?: Json | undefined },
  text: string,
): boolean {
  return id === text || reference === text;
}

/** @returns the plan of this id; otherwise all plans, or those up to an exact one; the failure if some did not arrive */
async function plansAsked(
  { confirmation }: GatewayConnection,
  text: string,
): Promise<JsonObject[] | Failure> {
  const found = await orFailure(confirmation.lookUp(planGet, { id: text }));
  // The gateway takes the text as it is.
  if (!(found instanceof Failure)) return [{ id: text }];
  if (found.kind !== 'notFound') return found;
  return orFailure(listed((operation, input) => confirmation.lookUp(operation, input), text));
}

async function listed(
  ask: ConstructorParameters<typeof PlanWalk>[0],
  text: string,
): Promise<JsonObject[]> {
  const plans: JsonObject[] = [];
  for await (const { records } of new PlanWalk(ask).pages()) {
    plans.push(...records);
    if (records.some((plan) => isExact(plan, text))) break;
  }
  return plans;
}

/** @returns the field by which the text is what a plan is called; undefined if it is none */
function wayOf(plan: JsonObject, text: string): string | undefined {
  return ['id', 'reference', 'name'].find((field) => {
    const value = textOrNull(plan[field]);
    return value !== null && fold(value) === fold(text);
  });
}

/** @param called the plans that are so called: none or several */
function notOne(text: string, called: readonly JsonObject[], all: readonly JsonObject[]): Failure {
  const isNone = called.length === 0;
  const list = factsOf(isNone ? all : called);
  const ask = '`gw plan list` shows them.';
  return isNone
    ? new Failure(
        'not-found',
        `The gateway has no plan ${neutralise(text)}.`,
        all.length > 0
          ? `Nothing was changed. The plans are ${list}. ${ask}`
          : 'Nothing was changed. This account has no plans. `gw plan create` makes one.',
        { operation: planList.name },
      )
    : new Failure(
        'name-ambiguous',
        `${JSON.stringify(text)} names several plans: ${list}.`,
        'Nothing was changed. Give the id of one of them.',
        { kind: 'notFound', operation: planList.name },
      );
}

/** @returns for example `071-PL-A1 (Gold, gold, 25.00 AUD); and 3 more` */
function factsOf(plans: readonly JsonObject[]): string {
  const named = plans.slice(0, MOST_NAMED).map(({ id, name, reference, amount, currency }) => {
    const money =
      typeof amount === 'number' ? moneyText(amount, textOrNull(currency) ?? undefined) : null;
    const facts = [textOrNull(name), textOrNull(reference), money].filter((one) => one !== null);
    return neutralise(`${id} (${facts.join(', ')})`);
  });
  const left = plans.length - named.length;
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}
