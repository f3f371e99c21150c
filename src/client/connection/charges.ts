/**
 * What a request that starts charges will charge, found out before it is sent: the plan with its price, the
 * customer, how often, and from when on. The gateway is asked in each run, since the price of a plan that nobody uses
 * yet may change. A dry run asks nobody, and says so.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { minorUnits, moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { customerGet } from '../../contract/resources/customer.ts';
import { subscriptionGet } from '../../contract/resources/subscription.ts';
import { Failure } from '../../failure.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Reply } from '../exchange/classify.ts';
import { valuesCalled } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import type { Profile } from '../profiles/profile.ts';
import { checkLimits, type ShownLine } from './guard.ts';
import { findPlan, meetsAll, unlessItMeetsAll } from './plans.ts';
import { lookUpUnasked, type TargetLookUp } from './refund-target.ts';
import { refusal } from './refusals.ts';

/** Subscriptions among which one is looked for that was seen here. */
const MOST_KNOWN = 200;

interface Charges {
  /** The request or the subscription names it so; undefined where they do not agree. */
  plan: string | undefined;
  /** The plan as the gateway has it; the failure where it cannot be found. */
  priced: JsonObject | Failure;
  /** The terms of billing: for whom, how often and from when on. */
  subscription: JsonObject;
}

/** Where requests that start charges are looked at. */
export class ChargeDesk {
  readonly #asking: TargetLookUp;
  readonly #asked = new Map<string, Promise<Reply | Failure>>();

  constructor(asking: TargetLookUp) {
    this.#asking = asking;
  }

  /**
   * Holds what a request starts to charge against the limit of the profile.
   * @throws Failure guard when it is above, or cannot be compared; and whatever the request would meet, too
   */
  async check(operation: Operation, input: CallInput): Promise<void> {
    const { account, context, options } = this.#asking.run;
    const { profile } = account;
    const { plan = 'the plan', priced } = await this.#chargesOf(operation, input);
    const price = priceOf(priced);
    if (price) return checkEach(profile, operation, { plan, ...price });
    if (options.isDryRun)
      return note(
        context.host.stderr,
        `gw does not know how much ${neutralise(plan)} charges: the real run looks it up first.`,
      );
    if (priced instanceof Failure && meetsAll(priced)) throw priced;
    throw refusal(
      'plan-amount-unknown',
      `gw cannot find out how much ${plan} charges, to compare it with the limit of the profile ${profile.name}, ${moneyText(profile.maxAmount ?? 0, profile.currency)}.`,
      'Check the plan with `gw plan list`, then run the command again.',
    );
  }

  /** @throws Failure unless the gateway has the plan that a request names */
  async requirePlan(operation: Operation, input: CallInput): Promise<void> {
    const { priced } = await this.#chargesOf(operation, input);
    if (priced instanceof Failure) throw priced;
  }

  /** @returns what a request starts to charge, in words, for whoever confirms it */
  async lines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const { plan, priced, subscription } = await this.#chargesOf(operation, input);
    const price = priceOf(priced);
    const own = this.#asking.run.account.profile.currency;
    const charged = price
      ? `${moneyText(price.amount, price.currency ?? own)} each time`
      : 'gw does not know what it charges';
    const title = priced instanceof Failure ? undefined : text(priced.name);
    const named = [plan, title].filter((name) => name !== undefined).join(', ');
    const customer = text(subscription.customer);
    const firstOn = text(subscription.next_billing_date) ?? text(subscription.start_date);
    return [
      ['Plan', `${named || 'unknown'}: ${charged}`],
      ['Customer', customer && (await this.#personText(customer))],
      ['Frequency', text(subscription.frequency)],
      ['First billing', firstOn ?? 'no date is given: the gateway decides'],
    ];
  }

  async #chargesOf({ recurring }: Operation, { id, body = {} }: CallInput): Promise<Charges> {
    const isThere = recurring?.planIn === 'record' && id !== undefined;
    try {
      const record = isThere ? await this.#subscription(id) : {};
      // A gateway may take any of several places.
      const said = valuesCalled(/^plan|plan$/, body).map(({ value }) => value);
      const named = new Set([...(isThere ? [record.plan] : []), ...said].map(text));
      const [plan] = named.size === 1 ? named : [];
      const priced = plan === undefined ? NOT_LOOKED_UP : await this.#priced(plan);
      return { plan, priced, subscription: { ...record, ...body } };
    } catch (error) {
      return { plan: text(body.plan), priced: unlessInterrupted(error), subscription: body };
    }
  }

  async #priced(plan: string): Promise<JsonObject | Failure> {
    if (this.#asking.run.options.isDryRun) return NOT_LOOKED_UP;
    return findPlan((operation, input) => this.#ask(operation, input), plan).catch(
      unlessItMeetsAll,
    );
  }

  /**
   * The interface looks subscriptions up by reference and changes them by id; one that was seen here has both, and many
   * gateways take the id.
   */
  async #subscription(id: string): Promise<JsonObject> {
    const { run, ledger } = this.#asking;
    if (run.options.isDryRun) return {};
    const seen = await ledger.remembered('subscription', MOST_KNOWN);
    const reference = text(seen.find((one) => one.record.id === id)?.record.reference);
    for (const name of reference === undefined ? [id] : [reference, id]) {
      const reply = await this.#ask(subscriptionGet, { id: name }).catch(unlessItMeetsAll);
      const record = reply instanceof Failure ? undefined : reply.records[0];
      // Another one may have that reference by now.
      if (record && (record.id ?? id) === id) return record;
    }
    return {};
  }

  async #personText(customer: string): Promise<string> {
    const { run, ledger } = this.#asking;
    const seen = await ledger.rememberedOf('customer', customer);
    const asked =
      seen || run.options.isDryRun
        ? undefined
        : await this.#ask(customerGet, { id: customer }).catch(unlessInterrupted);
    const found = asked instanceof Failure ? undefined : asked?.records[0];
    const { first_name, last_name } = seen?.record ?? found ?? {};
    const name = [text(first_name), text(last_name)].filter(Boolean).join(' ');
    return name === '' ? customer : `${name} (${customer})`;
  }

  /** Each look-up is sent once, for the limit and for whoever confirms alike. @throws Failure where it finds nothing */
  async #ask(operation: Operation, input: CallInput): Promise<Reply> {
    const key = JSON.stringify([operation.name, input]);
    const asked = this.#asked.get(key) ?? lookUpUnasked(this.#asking, operation, input);
    this.#asked.set(key, asked);
    const reply = await asked;
    if (reply instanceof Failure) throw reply;
    return reply;
  }
}

/** Where no plan is named, or nobody may be asked. */
const NOT_LOOKED_UP = new Failure('notFound', 'No plan was looked up.', {
  code: 'plan-not-looked-up',
  next: 'Check the plan with `gw plan list`.',
});

/** @returns a failure. @throws what the user ended, and what is none */
function unlessInterrupted(error: unknown): Failure {
  if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  return error;
}

interface Price {
  /** Minor units of each charge. */
  amount: number;
  /** ISO 4217 code that the plan says. */
  currency: string | null;
}

function priceOf(plan: JsonObject | Failure): Price | undefined {
  if (plan instanceof Failure) return undefined;
  const amount = minorUnits(plan.amount);
  return amount === undefined ? undefined : { amount, currency: text(plan.currency) ?? null };
}

/** @throws Failure guard when each charge of a plan is above the limit of the profile */
function checkEach(
  profile: Profile,
  operation: Operation,
  { plan, amount, currency }: Price & { plan: string },
): void {
  try {
    checkLimits(profile, { operation, input: { body: { amount, currency } } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `Each charge of ${plan}: ${error.message}` });
  }
}

function text(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
