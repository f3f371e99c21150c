/**
 * Refuses to bill a customer twice for one plan, as far as this machine knows. A creation that is under way, or whose
 * outcome is unknown, counts. One with the reference of the request is that request, which other guards know.
 */
import type { GatewayConnection } from '../../client/connection/call.ts';
import { refusal } from '../../client/connection/refusals.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import type { Operation } from '../../contract/operation.ts';
import { startsCharges } from '../../contract/operations.ts';
import { plainId } from '../../contract/record.ts';
import { subscriptionCreate } from '../../contract/resources/subscription.ts';
import type { Failure } from '../../failure.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { isOwnedBy, type Owner } from '../../things/owner.ts';
import { isBilled } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import type { Line } from '../batch/engine/batch.ts';
import { type NamedThings, withKnown } from './lazy-ledger.ts';
import type { CommandSession } from './meant-record.ts';
import type { KnownHost } from './open-ledger.ts';
import { proven, withoutHearsay } from './proven.ts';
import { type NameMatch, plansOf } from './resolve-name.ts';

/** @throws Failure guard if the customer is billed for the plan already, and the user does not allow a second time */
export async function refuseSecond(asking: CommandSession, row: Operation, input: CallInput) {
  if (asking.session.options.allowsSecond || !startsCharges(row, input)) return;
  const of = String(input.id ?? input.body?.customer);
  const today = await gatewayDay(asking.host, asking.session.gateway);
  const found = await proven(asking, row, of, (known, us) =>
    billedBeside(known, input, { us, today }),
  );
  if (found?.[0]) throw secondRefused(found[0].thing);
}

/**
 * For lines of a batch, which do not ask the gateway: hearsay does not count.
 * @returns why lines are not sent, by their numbers
 */
export async function secondsIn(
  host: KnownHost,
  gateway: GatewayConnection,
  lines: Iterable<Line>,
): Promise<ReadonlyMap<number, Failure>> {
  const seconds = new Map<number, Failure>();
  const first = new Map<string, number>();
  const today = await gatewayDay(host, gateway);
  await withKnown(host, gateway, async (all, us) => {
    for (const { number, body } of lines) {
      if (!startsCharges(subscriptionCreate, { body })) continue;
      const [found] = await billedBeside(withoutHearsay(all), { body }, { us, today });
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
  { us, today }: { us: Owner<string>; today: string },
): Promise<NameMatch[]> {
  const tied = async (names: string[], ...kinds: Thing['kind'][]) =>
    (await known.things.tied(names, { kinds, limit: 1_000 })).filter((one) =>
      isOwnedBy(one, us, 'named'),
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
    .filter((one) => one.kind === 'subscription' || mayBill(one, today));
  if (!own && all.some((one) => one.reference === reference)) return [];
  return all
    .filter((one) => mayBill(one, today) && one.reference !== reference)
    .map((thing) => ({ ...thing, by: 'customer', thing }) as NameMatch);
}

/** @returns today by the gateway's own dates, `YYYY-MM-DD` */
async function gatewayDay(
  host: Pick<KnownHost, 'clock' | 'files'>,
  { profile }: Pick<GatewayConnection, 'profile'>,
): Promise<string> {
  return (await gatewayTime(host, profile)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** @returns whether it bills the customer, or is a request that may have made one that does */
function mayBill(thing: Thing, today: string): boolean {
  const { kind, label, outcome } = thing;
  if (kind === 'request')
    return label === subscriptionCreate.name && /^(unknown|sending)$/.test(outcome ?? '');
  return isBilled(thing, today);
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
        `\`gw subscription get ${commandWord(name)}\` asks the gateway about it. `,
      );
}

function refused(message: string, look = ''): Failure {
  const next = `${look}To bill a second one all the same, add --allow-second.`;
  return refusal('second-subscription', message, next);
}
