/**
 * Refuses to bill a customer twice for one plan, as far as this machine knows. A creation that is under way, or whose
 * outcome is unknown, counts. One with the reference of the request is that request, which other guards know.
 */
import type { GatewayConnection } from '../../client/connection/call.ts';
import { refusal } from '../../client/connection/refusals.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import type { Operation } from '../../contract/operation.ts';
import { startsCharges } from '../../contract/operations.ts';
import { plainId } from '../../contract/record.ts';
import { subscriptionCreate } from '../../contract/resources/subscription.ts';
import type { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { neutralise, typedWord } from '../../host/redaction/safe.ts';
import { isOf, type Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { Line } from '../batch/engine/batch.ts';
import { type NamedThings, withKnown } from './lazy-ledger.ts';
import type { Naming } from './named-record.ts';
import { proven, withoutHearsay } from './proven.ts';
import { type NameMatch, plansOf } from './resolve-name.ts';

/** @throws Failure guard if the customer is billed for the plan already, and the user does not allow a second time */
export async function refuseSecond(asking: Naming, row: Operation, input: CallInput) {
  if (asking.session.options.allowsSecond || !startsCharges(row, input)) return;
  const of = String(input.id ?? input.body?.customer);
  const found = await proven(asking, row, of, (known, us) => billedBeside(known, input, us));
  if (found?.[0]) throw secondRefused(found[0].thing);
}

/**
 * For lines of a batch, which do not ask the gateway: hearsay does not count.
 * @returns why lines are not sent, by their numbers
 */
export async function secondsIn(
  context: Context,
  gateway: GatewayConnection,
  lines: readonly Line[],
): Promise<ReadonlyMap<number, Failure>> {
  const seconds = new Map<number, Failure>();
  const first = new Map<string, number>();
  await withKnown(context, gateway, async (all, us) => {
    for (const { number, body } of lines.filter((one) => startsCharges(subscriptionCreate, one))) {
      const [found] = await billedBeside(withoutHearsay(all), { body }, us);
      const key = JSON.stringify([body.customer, body.plan]);
      const before = first.get(key);
      if (found) seconds.set(number, secondRefused(found.thing));
      else if (before === undefined) first.set(key, number);
      else seconds.set(number, refused(`Line ${before} bills the same customer for this plan.`));
    }
  });
  return seconds;
}

/**
 * @param input creates a subscription, or resumes the one with the id, if that is known here
 * @returns others of the same customer and plan that are billed, or may be
 */
async function billedBeside(
  known: NamedThings,
  { id, body = {} }: CallInput,
  us: Owner<string>,
): Promise<NameMatch[]> {
  const tied = async (names: string[], ...kinds: Thing['kind'][]) =>
    (await known.things.tied(names, { kinds, limit: 1_000 })).filter((one) =>
      isOf(one, us, 'named'),
    );
  const called = async (kind: Thing['kind'], name: string) =>
    (await tied([name], kind)).filter((one) => one.id === name || one.reference === name);
  const namesOf = async (kind: Thing['kind'], name: string) =>
    [name, ...(await called(kind, name)).flatMap((one) => [one.id, one.reference ?? []])].flat();
  const [own] = id === undefined ? [] : await called('subscription', id);
  const { customer, plan, reference } = own ?? body;
  if (typeof customer !== 'string' || typeof plan !== 'string') return [];
  const payers = await namesOf('customer', plainId(customer));
  const plans = await namesOf('plan', plan);
  const isNamed = (its: string) => plans.includes(its);
  const all = (await tied(payers, 'subscription', 'request'))
    .filter((one) => payers.includes(one.customer ?? '') && plansOf(one).some(isNamed))
    .filter((one) => one.kind === 'subscription' || isBilled(one));
  if (!own && all.some((one) => one.reference === reference)) return [];
  return all
    .filter((one) => isBilled(one) && one.reference !== reference)
    .map((thing) => ({ ...thing, by: 'customer', thing }) as NameMatch);
}

/** An active subscription that has an end and no next date is over. */
function isBilled({ kind, label, outcome, sources }: Thing): boolean {
  if (kind === 'request')
    return label === subscriptionCreate.name && /^(unknown|sending)$/.test(outcome ?? '');
  const { next = null, end = null } = (sources.record ?? sources.event)?.dates ?? {};
  return outcome === 'active' && (next !== null || end === null);
}

function secondRefused({ kind, id, reference, customer, plan }: Thing): Failure {
  const name = reference ?? id;
  const [called, payer, its] = [name, customer, plan].map((text) => neutralise(text ?? ''));
  return kind === 'request'
    ? refused(
        `${payer} may be billed for ${its} already: the outcome of creating ${called} is unknown.`,
        `\`gw journal resolve ${id}\` finds out what happened. `,
      )
    : refused(
        `${payer} has an active subscription to ${its}: ${called} (${neutralise(id)}).`,
        `\`gw subscription get ${typedWord(name)}\` asks the gateway about it. `,
      );
}

function refused(message: string, look = ''): Failure {
  const next = `${look}To bill a second one all the same, add --allow-second.`;
  return refusal('second-subscription', message, next);
}
