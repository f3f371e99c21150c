/**
 * What a request that starts charges will charge, found out before it is sent: the plan with its price, the
 * customer, how often, and from when on. The gateway is asked each time, since the price of a plan that
 * nobody uses yet may change; a dry run, which asks nobody, goes by what was seen here.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { minorUnits, moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Reply } from '../exchange/classify.ts';
import { valuesCalled } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import type { Profile } from '../profiles/profile.ts';
import { checkLimits, type ShownLine } from './guard.ts';
import { lookUpUnasked, type TargetLookUp } from './refund-target.ts';
import { refusal } from './refusals.ts';

/** A list of plans is read no further than this. */
const MAX_PAGES = 50;

export interface Charges {
  /** Plan and customer as the request or the subscription names them. */
  plan: string | undefined;
  customer: string | undefined;
  /** Minor units of each charge; undefined where it is not known. */
  amount: number | undefined;
  /** ISO 4217 code that the plan says. */
  currency: string | undefined;
  /** What the plan is called. */
  title: string | undefined;
  frequency: string | undefined;
  /** YYYY-MM-DD */
  firstOn: string | undefined;
}

/** Whom there is to ask. */
export interface ChargeLookUp {
  /** @returns undefined where the gateway does not say; not given where nothing may be sent */
  ask?: ((operation: Operation, input: CallInput) => Promise<Reply | undefined>) | undefined;
  /** @returns the record with an id or a reference as it was seen here last with this profile */
  known(kind: RecordKind, name: string): Promise<JsonObject | undefined>;
}

/** Of a kind, the latest ones seen, among which a record is looked for. */
const MOST_KNOWN = 200;

/** Failures that the request itself would meet, too. */
const MEETS_ALL = ['credentials-refused', 'not-reached'];

/** Where requests that start charges are looked at; what each of them will charge is found out once. */
export class ChargeDesk {
  readonly #asking: TargetLookUp;
  readonly #known = new Map<string, Promise<Charges>>();
  readonly #witness: ChargeLookUp;
  /** Why the gateway cannot be asked for anything. */
  #unasked: Failure | undefined;

  constructor(asking: TargetLookUp) {
    this.#asking = asking;
    const ask: ChargeLookUp['ask'] = async (operation, input) => {
      const answer = await lookUpUnasked(asking, operation, input);
      if (!(answer instanceof Failure)) return answer;
      if (MEETS_ALL.includes(answer.code)) this.#unasked = answer;
      return undefined;
    };
    this.#witness = {
      ask: asking.run.options.isDryRun ? undefined : ask,
      known: (kind, name) => this.#seen(kind, name),
    };
  }

  /**
   * Holds what a request starts to charge against the limit of the profile.
   * @throws Failure guard when it is above, or cannot be compared; and whatever the request would meet, too
   */
  async check(operation: Operation, input: CallInput): Promise<void> {
    const { account, context, options } = this.#asking.run;
    const { profile } = account;
    const { plan = 'the plan', amount, currency } = await this.#chargesOf(operation, input);
    if (amount !== undefined)
      return checkEach(profile, operation, { plan, amount, currency: currency ?? null });
    if (options.isDryRun)
      return context.host.stderr.write(
        `gw does not know how much ${neutralise(plan)} charges: the real run looks it up first.\n`,
      );
    if (this.#unasked) throw this.#unasked;
    throw refusal(
      'plan-amount-unknown',
      `gw cannot find out how much ${plan} charges, to compare it with the limit of the profile ${profile.name}, ${moneyText(profile.maxAmount ?? 0, profile.currency)}.`,
      'Check the plan with `gw plan list`, then run the command again.',
    );
  }

  /** @returns what a request starts to charge, in words, for whoever confirms it */
  async lines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const charges = await this.#chargesOf(operation, input);
    return shownCharges(charges, this.#asking.run.account.profile.currency, this.#witness);
  }

  #chargesOf(operation: Operation, input: CallInput): Promise<Charges> {
    const key = JSON.stringify([operation.name, input]);
    const known = this.#known.get(key) ?? chargesOf(operation, input, this.#witness);
    this.#known.set(key, known);
    return known;
  }

  async #seen(kind: RecordKind, name: string): Promise<JsonObject | undefined> {
    const seen = await this.#asking.ledger.remembered(kind, MOST_KNOWN);
    return seen.find(({ id, reference }) => id === name || reference === name)?.record;
  }
}

/** @throws Failure guard when each charge of a plan is above the limit of the profile */
function checkEach(
  profile: Profile,
  operation: Operation,
  { plan, ...charge }: { plan: string; amount: number; currency: string | null },
): void {
  try {
    checkLimits(profile, { operation, input: { body: charge } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.reworded({ message: `Each charge of ${plan}: ${error.message}` });
  }
}

/** @param input a request that starts charges */
export async function chargesOf(
  { recurring }: Operation,
  input: CallInput,
  witness: ChargeLookUp,
): Promise<Charges> {
  const isThere = recurring?.planIn === 'record';
  const record = isThere ? await subscriptionOf(input.id, witness) : {};
  const subscription = { ...record, ...input.body };
  // Of several places a gateway may take any.
  const said = valuesCalled(/^plan|plan$/, input.body ?? {}).map(({ value }) => value);
  const named = [...(isThere ? [record.plan] : []), ...said].map(text);
  const plan = new Set(named).size === 1 ? named[0] : undefined;
  const priced = (plan !== undefined && (await planOf(plan, witness))) || {};
  return {
    plan,
    customer: text(subscription.customer),
    amount: minorUnits(priced.amount),
    currency: text(priced.currency),
    title: text(priced.name),
    frequency: text(subscription.frequency),
    firstOn: text(subscription.next_billing_date) ?? text(subscription.start_date),
  };
}

/** @returns charges in words, for whoever confirms them. @param currency ISO 4217 code where the plan says none */
export async function shownCharges(
  { plan, customer, amount, title, frequency, firstOn, ...charges }: Charges,
  currency: string | undefined,
  witness: ChargeLookUp,
): Promise<ShownLine[]> {
  const price =
    amount === undefined
      ? 'gw does not know what it charges'
      : `${moneyText(amount, charges.currency ?? currency)} each time`;
  const named = [plan, title].filter((name) => name !== undefined).join(', ');
  return [
    ['Plan', `${named || 'unknown'}: ${price}`],
    ['Customer', customer && (await personText(customer, witness))],
    ['Frequency', frequency],
    ['First billing', firstOn ?? 'no date is given: the gateway decides'],
  ];
}

async function personText(customer: string, witness: ChargeLookUp): Promise<string> {
  const { first_name, last_name } =
    (await witness.known('customer', customer)) ??
    (await found('customer', customer, witness)) ??
    {};
  const name = [text(first_name), text(last_name)].filter(Boolean).join(' ');
  return name === '' ? customer : `${name} (${customer})`;
}

/** The interface looks subscriptions up by reference and changes them by id; one that was seen here has both. */
async function subscriptionOf(
  name: string | undefined,
  witness: ChargeLookUp,
): Promise<JsonObject> {
  if (name === undefined) return {};
  const asked = await found('subscription', name, witness);
  if (asked) return asked;
  const reference = text((await witness.known('subscription', name))?.reference);
  const other = reference && (await found('subscription', reference, witness));
  // Another one may have that reference by now.
  return other && (other.id ?? name) === name ? other : {};
}

/** A subscription names its plan by id or reference; the interface looks plans up by id. */
async function planOf(name: string, witness: ChargeLookUp): Promise<JsonObject | undefined> {
  return (await found('plan', name, witness)) ?? (await listed(name, witness));
}

async function listed(name: string, { ask }: ChargeLookUp): Promise<JsonObject | undefined> {
  let next = 1;
  for (let pages = 0; ask && pages < MAX_PAGES; pages++) {
    const query: Record<string, string> = pages === 0 ? {} : { offset: String(next) };
    const reply = await ask(planList, { query });
    const plan = reply?.records.find(({ id, reference }) => id === name || reference === name);
    if (plan || !reply || reply.records.length === 0) return plan;
    const { current_page = next, pages: all = 1 } = reply.envelope.counts;
    if (pages + 1 >= all) return undefined;
    next = current_page + 1;
  }
  return undefined;
}

async function found(
  kind: RecordKind,
  name: string,
  { ask, known }: ChargeLookUp,
): Promise<JsonObject | undefined> {
  const lookUp = lookUpOf(kind);
  if (!ask || !lookUp) return known(kind, name);
  const record = (await ask(lookUp, { id: name }))?.records[0];
  return isObject(record) ? record : undefined;
}

function text(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
