/**
 * For a request that starts charges, finds out before sending what it will charge: the plan and its price, the
 * customer, the frequency and the first date. gw asks the gateway in each run, because the price of an unused plan may
 * change. A dry run asks nobody, and says so.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { currencyCode } from '../../contract/currency.ts';
import { minorUnits, moneyText } from '../../contract/money.ts';
import { fullNameOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { customerGet } from '../../contract/resources/customer.ts';
import { planCreate } from '../../contract/resources/plan.ts';
import { subscriptionGet } from '../../contract/resources/subscription.ts';
import { Failure } from '../../failure.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { refusal } from '../connection/refusals.ts';
import type { Reply } from '../exchange/classify.ts';
import { valuesCalled } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';
import { gatewayTime } from '../gateway-time.ts';
import type { Profile } from '../profiles/profile.ts';
import { checkLimits, limitText, type ShownLine } from './guard.ts';
import { currencyOfPlans, findPlan, meetsAll, pageOf, unlessItMeetsAll } from './plans.ts';
import { lookUpUnasked, type TargetLookUp } from './refund-target.ts';

/** Number of subscriptions or plans seen here that are searched. */
const MOST_KNOWN = 200;

interface Charges {
  /** The plan as the request or the subscription names it; undefined if they disagree. */
  plan: string | undefined;
  /** The gateway's plan, or the failure if it cannot be found. */
  priced: JsonObject | Failure;
  /** Terms of billing: customer, frequency and first date. */
  subscription: JsonObject;
}

/** Finds out what requests will charge. */
export class ChargeDesk {
  readonly #asking: TargetLookUp;
  readonly #asked = new Map<string, Promise<Reply | Failure>>();

  constructor(asking: TargetLookUp) {
    this.#asking = asking;
  }

  /**
   * Compares each charge with the limit of the profile.
   * @throws Failure guard if it is above the limit or cannot be compared; and any failure that the request itself would
   *   meet
   */
  async check(operation: Operation, input: CallInput): Promise<void> {
    const { account, context, options } = this.#asking.run;
    const { profile } = account;
    const { plan = 'the plan', priced } = await this.#chargesOf(operation, input);
    const price = await this.#priceOf(priced, plan);
    if (price) return checkEach(profile, operation, { plan, ...price });
    if (options.isDryRun)
      return note(
        context.host.stderr,
        `gw does not know how much ${neutralise(plan)} charges: the real run looks it up.`,
      );
    if (priced instanceof Failure && meetsAll(priced)) throw priced;
    throw refusal(
      'plan-amount-unknown',
      `gw does not know how much ${plan} charges. It cannot compare that with ${limitText(profile)}.`,
      'Check the plan with `gw plan list`, then run the command again.',
    );
  }

  /** @throws Failure unless the gateway has the plan that the request names */
  async requirePlan(operation: Operation, input: CallInput): Promise<void> {
    const { priced } = await this.#chargesOf(operation, input);
    if (priced instanceof Failure) throw priced;
  }

  /** @returns what the request starts to charge, as lines for the person who confirms it */
  async lines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const { plan, priced, subscription } = await this.#chargesOf(operation, input);
    const price = await this.#priceOf(priced, plan);
    const charged = price
      ? `${moneyText(price.amount, price.currency)} each time`
      : 'gw does not know what it charges';
    const title = priced instanceof Failure ? undefined : text(priced.name);
    const named = [plan, title].filter((name) => name !== undefined).join(', ');
    const customer = text(subscription.customer);
    const { account, context } = this.#asking.run;
    const today = (await gatewayTime(context.host, account.profile)).toISOString();
    const firstOn = text(subscription.next_billing_date) ?? text(subscription.start_date);
    const isPast = firstOn !== undefined && firstOn.slice(0, 10) < today.slice(0, 10);
    return [
      ['Plan', `${named || 'unknown'}: ${charged}`],
      ['Customer', customer && (await this.#personText(customer))],
      ['Frequency', text(subscription.frequency)],
      [
        'First billing',
        isPast
          ? `the gateway decides, because ${firstOn} has passed`
          : (firstOn ?? 'the gateway decides, because you gave no date'),
      ],
    ];
  }

  async #chargesOf({ recurring }: Operation, { id, body = {} }: CallInput): Promise<Charges> {
    const isThere = recurring?.planIn === 'record' && id !== undefined;
    try {
      const record = isThere ? await this.#subscription(id) : {};
      // A gateway may read the plan from any of several fields.
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
    return findPlan(this.ask, plan).catch(unlessItMeetsAll);
  }

  /** @throws a failure that the request itself would meet */
  async #priceOf(priced: Charges['priced'], plan?: string): Promise<Price | undefined> {
    if (priced instanceof Failure) return undefined;
    const amount = minorUnits(priced.amount);
    if (amount === undefined) return undefined;
    const said = text(priced.currency) ?? (await this.currencyOf(plan).catch(unlessItMeetsAll));
    return { amount, currency: typeof said === 'string' ? currencyCode(said) : '' };
  }

  /**
   * Finds the currency of plans, which is that of the account, whatever the profile says. A plan's request names none,
   * and only listings and updates are sure to show it (section 2.5).
   * @param plan id or reference, if it is one already
   * @returns ISO 4217 code; undefined if neither the gateway says it nor an earlier answer
   * @throws Failure if the plans cannot be listed
   */
  async currencyOf(plan: string | undefined): Promise<string | undefined> {
    const { records } = await pageOf(this.ask, undefined, undefined);
    const seen = await this.#asking.ledger.remembered('plan', MOST_KNOWN);
    return currencyOfPlans([...records, ...seen.map(({ record }) => record)], plan);
  }

  /**
   * The interface looks subscriptions up by reference and changes them by id. A subscription seen here has both, and
   * many gateways accept the id.
   */
  async #subscription(id: string): Promise<JsonObject> {
    const { run, ledger } = this.#asking;
    if (run.options.isDryRun) return {};
    const seen = await ledger.remembered('subscription', MOST_KNOWN);
    const reference = text(seen.find((one) => one.record.id === id)?.record.reference);
    for (const name of reference === undefined ? [id] : [reference, id]) {
      const reply = await this.ask(subscriptionGet, { id: name }).catch(unlessItMeetsAll);
      const record = reply instanceof Failure ? undefined : reply.records[0];
      // Another subscription may have that reference by now.
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
        : await this.ask(customerGet, { id: customer }).catch(unlessInterrupted);
    const found = asked instanceof Failure ? undefined : asked?.records[0];
    const name = fullNameOf(seen?.record ?? found ?? {});
    return name === null ? customer : `${name} (${customer})`;
  }

  /** Sends each look-up once, for the name, the limit and the confirmation. @throws Failure if it finds nothing */
  readonly ask = async (operation: Operation, input: CallInput): Promise<Reply> => {
    const key = JSON.stringify([operation.name, input]);
    const asked = this.#asked.get(key) ?? lookUpUnasked(this.#asking, operation, input);
    this.#asked.set(key, asked);
    const reply = await asked;
    if (reply instanceof Failure) throw reply;
    return reply;
  };
}

/** Used if no plan is named, or nobody may be asked. */
const NOT_LOOKED_UP = new Failure(
  'plan-not-looked-up',
  'No plan was looked up.',
  'Check the plan with `gw plan list`.',
);

/** @returns a failure. @throws an interruption, and any error that is not a Failure */
function unlessInterrupted(error: unknown): Failure {
  if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  return error;
}

interface Price {
  /** Minor units of each charge. */
  amount: number;
  /** ISO 4217 code; empty if nobody says. */
  currency: string;
}

/** @throws Failure guard if each charge of a plan is above the limit of the profile */
function checkEach(
  profile: Profile,
  operation: Operation,
  { plan, amount, currency }: Price & { plan: string },
): void {
  try {
    const priced = { ...operation, body: planCreate.body };
    checkLimits(profile, { operation: priced, input: { body: { amount, currency } } });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `Each charge of ${plan}: ${error.message}` });
  }
}

function text(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
