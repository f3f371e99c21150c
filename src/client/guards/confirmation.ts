/**
 * Decides which requests on a live profile a person must confirm, and what that person sees: how much of a purchase is
 * left, and what a subscription will charge.
 *
 * Tests: test/unit/client/guards/charges.test.ts, test/unit/client/guards/guard.test.ts,
 * test/system/recurring.test.ts
 */

import { isObject, type JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { startsCharges } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record.ts';
import { type Failure, invariant } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import { leftOf } from '../../journal/balance.ts';
import { refusal } from '../connection/refusals.ts';
import type { RequestOptions } from '../connection/request-options.ts';
import type { Reply } from '../exchange/classify.ts';
import { moneyOf, targetOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import { ENVIRONMENT_PROFILE, type Profile } from '../profiles/profile.ts';
import type { ChargeDesk } from './charges.ts';
import type { ShownLine } from './guard.ts';
import type { TargetLookUp } from './refund-target.ts';

/** Sentences about effects that need confirmation on a live profile, by effect. */
const LIVE_EFFECTS: Readonly<Record<string, string>> = {
  money: 'this moves real money.',
  foreign: 'this may move real money.',
  recurring: 'this starts charges of real money that repeat.',
  destroy: 'this deletes a record for good.',
};

export class Confirmation {
  readonly #asking: TargetLookUp;
  #desk: Promise<ChargeDesk> | undefined;

  constructor(asking: TargetLookUp) {
    this.#asking = asking;
  }

  /**
   * Checks, before any look-up, whether the request needs confirmation.
   * @returns whether a person will be asked to confirm the request
   * @throws Failure guard if it needs confirmation and nobody can give it
   */
  async isAskedFor(operation: Operation, input: CallInput): Promise<boolean> {
    if (!this.#effectToConfirm(operation)) return false;
    const currency = await this.#asking.ledger.currencyOf(operation, input);
    this.#refuseUnanswerable(shownOfRequest(operation, input, currency), operation.name);
    return !this.#asking.run.options.isDryRun;
  }

  /**
   * Shows the request and has it confirmed, if that is needed.
   * @throws Failure guard unless it was confirmed
   */
  async ofRequest(operation: Operation, input: CallInput): Promise<void> {
    if (!this.#effectToConfirm(operation)) return;
    const currency = await this.#asking.ledger.currencyOf(operation, input);
    await this.ofLive(operation, [
      ...shownOfRequest(operation, input, currency),
      ...(await this.linesOfTarget(operation, input)),
      ...(await this.chargeLines(operation, input)),
    ]);
  }

  /**
   * On a live profile, a person types the profile's name to confirm a request that moves money or destroys a record. A
   * dry run shows the question and continues as if it were answered.
   * @param shown lines about the request; `Amount` or `Total` also appears in the failure if nobody can be asked
   * @param command the command to confirm
   * @throws Failure guard unless it was confirmed
   */
  async ofLive(
    operation: Operation,
    shown: readonly ShownLine[],
    command = operation.name,
  ): Promise<void> {
    const effect = this.#effectToConfirm(operation);
    if (!effect) return;
    this.#refuseUnanswerable(shown, command);
    const { run, wire } = this.#asking;
    const { isDryRun, mayAsk } = run.options;
    const { confirm } = run.parts;
    invariant(confirm, 'nobody is there to confirm a request');
    await confirm({
      profile: run.account.profile,
      account: isDryRun ? undefined : await wire.username(),
      effect,
      command,
      shown,
      isDryRun,
      mayAsk,
    });
  }

  /**
   * @returns a sentence about the effect to confirm; undefined if none is needed
   * @throws Failure guard if another profile was confirmed
   */
  #effectToConfirm(operation: Operation): string | undefined {
    const { account, options } = this.#asking.run;
    const sentence = LIVE_EFFECTS[liveEffectOf(operation)];
    if (sentence === undefined || isConfirmed(account.profile, options)) return undefined;
    return sentence;
  }

  /** @throws Failure guard if nobody can confirm; a dry run passes */
  #refuseUnanswerable(shown: readonly ShownLine[], command: string): void {
    const { account, options } = this.#asking.run;
    const { name, baseUrl } = account.profile;
    if (options.mayAsk || options.isDryRun) return;
    const amount = shown.find(([label]) => label === 'Amount' || label === 'Total')?.[1];
    const of = amount === undefined ? '' : ` of ${amount}`;
    // The profile of the environment has no name that says anything.
    const where =
      name === ENVIRONMENT_PROFILE
        ? `the live account of GW_USERNAME at ${baseUrl.host}`
        : `the live profile ${name}`;
    const message = `gw cannot ask you here to confirm ${command}${of} on ${where}.`;
    throw refusal('nobody-to-confirm', message, `Add --confirm ${name} if you mean it.`);
  }

  /** Runs `ChargeDesk.check` if the profile has a limit. */
  async checkCharges(operation: Operation, input: CallInput): Promise<void> {
    const { maxAmount } = this.#asking.run.account.profile;
    if (maxAmount === undefined || !startsCharges(operation, input)) return;
    await (await this.#chargeDesk()).check(operation, input);
  }

  /** Runs `ChargeDesk.requirePlan`. */
  async requirePlan(operation: Operation, input: CallInput): Promise<void> {
    await (await this.#chargeDesk()).requirePlan(operation, input);
  }

  /** Runs `ChargeDesk.ask`, in a dry run too. */
  async lookUp(operation: Operation, input: CallInput): Promise<Reply> {
    return (await this.#chargeDesk()).ask(operation, input);
  }

  /** Runs `ChargeDesk.currencyOf`. */
  async currencyOfPlan(plan: string | undefined): Promise<string | undefined> {
    return (await this.#chargeDesk()).currencyOf(plan);
  }

  /** @returns the lines of `ChargeDesk.lines`; none if the request starts no charges */
  async chargeLines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    return startsCharges(operation, input)
      ? (await this.#chargeDesk()).lines(operation, input)
      : [];
  }

  /** @returns the name, the card and the rest of the purchase that a refund is for, as far as gw knows them */
  async linesOfTarget(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const { ledger } = this.#asking;
    const kind = operation.money?.givesBack;
    const id = kind ? targetOf(operation, input) : null;
    if (!kind || id === null) return [];
    const seen = await ledger.rememberedOf(kind, id);
    const balance = (await ledger.balances([id])).get(id);
    const currency = balance && (await ledger.currencyOf(operation, input));
    return [
      ['Name', seen?.name ?? undefined],
      ['Card', seen?.record.card_number ?? undefined],
      ['Left before this refund', balance && moneyText(leftOf(balance), currency)],
    ];
  }

  /** Loaded only for requests that start charges. */
  #chargeDesk(): Promise<ChargeDesk> {
    this.#desk ??= import('./charges.ts').then(({ ChargeDesk }) => new ChargeDesk(this.#asking));
    return this.#desk;
  }
}

function liveEffectOf({ effect, recurring, isForeign }: Operation): string {
  if (effect !== 'money') return effect;
  if (isForeign) return 'foreign';
  return recurring ? 'recurring' : effect;
}

/**
 * @returns whether the request needs no confirmation, or has it
 * @throws Failure guard if another profile was confirmed
 */
export function isConfirmed(
  { name, environment }: Profile,
  options: Pick<RequestOptions, 'confirmedProfile'>,
): boolean {
  return environment !== 'live' || isNamed(name, options, notConfirmed);
}

/**
 * @param refused makes the failure
 * @returns whether --confirm names the profile
 * @throws Failure guard if it names another one
 */
export function isNamed(
  name: string,
  { confirmedProfile }: Pick<RequestOptions, 'confirmedProfile'>,
  refused: typeof notConfirmed,
): boolean {
  if (confirmedProfile === name) return true;
  if (confirmedProfile === undefined) return false;
  throw refused(
    'other-profile-confirmed',
    `--confirm names ${confirmedProfile}, but this is the profile ${name}.`,
    `Use --confirm ${name} if you mean that one.`,
  );
}

/** @returns the failure of a request that was not confirmed */
export function notConfirmed(code: CodeOf<'guard'>, message: string, next: string): Failure {
  return refusal(code, message, next);
}

/**
 * @param currency ISO 4217 code of the amount, if known
 * @returns lines that identify one request to the person who confirms it, with the card masked
 */
function shownOfRequest(
  operation: Operation,
  input: CallInput,
  currency: string | undefined,
): ShownLine[] {
  if (operation.isForeign) return shownWhole(input);
  const { target, amount, reference } = moneyOf(operation, input);
  const { body = {} } = input;
  const { card_holder: name } = isObject(body.card) ? body.card : body;
  const isRecord = operation.money?.givesBack !== undefined || kindOfId(target ?? '') !== undefined;
  return [
    ['Record', input.id ?? (isRecord ? (target ?? undefined) : undefined)],
    ['Name', name],
    ['Card', isRecord ? undefined : (target ?? undefined)],
    ['Amount', amount === null ? undefined : moneyText(amount, currency)],
    ['Reference', reference ?? undefined],
  ];
}

/** The longest query or body shown, in characters. */
const MAX_SHOWN = 1_000;

/** Shows a custom request (`gw api`) as it will be sent, without card data and secrets. */
function shownWhole({ query = {}, body }: CallInput): ShownLine[] {
  const asked = pairsOf(query).map(([name, value]) =>
    Object.entries(redactJson({ [name]: value }) as JsonObject).map((pair) => pair.join('=')),
  );
  const sent = body && JSON.stringify(redactJson(body));
  return [
    ['Query', asked.length === 0 ? undefined : cut(asked.flat().join('&'), MAX_SHOWN)],
    ['Body', sent && cut(sent, MAX_SHOWN)],
  ];
}
