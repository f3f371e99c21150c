/**
 * Which requests of a live profile a person confirms, and what that person sees: what is left of a purchase, and what a
 * subscription will charge.
 */

import { isObject, type JsonObject } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { startsCharges } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { type Failure, invariant } from '../../failure.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { cut } from '../../host/redaction/safe.ts';
import { leftOf } from '../../journal/balance.ts';
import { moneyOf, targetOf } from '../exchange/said-money.ts';
import { type CallInput, pairsOf } from '../exchange/wire-request.ts';
import type { Profile } from '../profiles/profile.ts';
import type { ChargeDesk } from './charges.ts';
import type { ShownLine } from './guard.ts';
import type { TargetLookUp } from './refund-target.ts';
import { refusal } from './refusals.ts';
import type { RequestOptions } from './request-options.ts';

/** What a live profile has confirmed, by the effect of an operation. */
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
   * Asked before anything is looked up for a request that nobody could confirm.
   * @returns whether a person is asked to confirm the request
   * @throws Failure guard when it has to be confirmed and cannot be
   */
  async isAskedFor(operation: Operation, input: CallInput): Promise<boolean> {
    if (!this.#effectToConfirm(operation)) return false;
    const currency = await this.#asking.ledger.currencyOf(operation, input);
    this.#refuseUnanswerable(shownOfRequest(operation, input, currency), operation.name);
    return !this.#asking.run.options.isDryRun;
  }

  /**
   * Shows what a request is about, and has it confirmed where that is asked for.
   * @throws Failure guard unless it was
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
   * On a live profile, what moves money or destroys a record is confirmed with the profile's name. A dry run says
   * what would be asked, and goes on as if it were answered.
   * @param shown of what is about to be sent; `Amount` or `Total` is also named where nobody is there to ask
   * @param command what is about to happen, in addition to where
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
   * @returns a sentence about the effect that is yet to be confirmed, if there is one
   * @throws Failure guard when another profile was confirmed
   */
  #effectToConfirm(operation: Operation): string | undefined {
    const { account, options } = this.#asking.run;
    const sentence = LIVE_EFFECTS[liveEffectOf(operation)];
    if (sentence === undefined || isConfirmed(account.profile, options)) return undefined;
    return sentence;
  }

  /** @throws Failure guard where nobody is there to confirm; a dry run says so instead */
  #refuseUnanswerable(shown: readonly ShownLine[], command: string): void {
    const { account, options } = this.#asking.run;
    const { name } = account.profile;
    if (options.mayAsk || options.isDryRun) return;
    const amount = shown.find(([label]) => label === 'Amount' || label === 'Total')?.[1];
    const of = amount === undefined ? '' : ` of ${amount}`;
    const message = `gw cannot ask you here to confirm ${command}${of} on the live profile ${name}.`;
    throw refusal('nobody-to-confirm', message, `Add --confirm ${name} if you mean it.`);
  }

  /** As `ChargeDesk.check`, where there is a limit. */
  async checkCharges(operation: Operation, input: CallInput): Promise<void> {
    const { maxAmount } = this.#asking.run.account.profile;
    if (maxAmount === undefined || !startsCharges(operation, input)) return;
    await (await this.#chargeDesk()).check(operation, input);
  }

  /** The same as `ChargeDesk.requirePlan`. */
  async requirePlan(operation: Operation, input: CallInput): Promise<void> {
    await (await this.#chargeDesk()).requirePlan(operation, input);
  }

  /** As `ChargeDesk.lines`; none where a request starts no charges. */
  async chargeLines(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    return startsCharges(operation, input)
      ? (await this.#chargeDesk()).lines(operation, input)
      : [];
  }

  /** @returns whose purchase a refund is of, on which card, and what is left of it, as far as it is known here */
  async linesOfTarget(operation: Operation, input: CallInput): Promise<ShownLine[]> {
    const { ledger } = this.#asking;
    const kind = operation.money?.givesBack;
    const id = kind ? targetOf(operation, input) : null;
    if (!kind || id === null) return [];
    const seen = await ledger.rememberedOf(kind, id);
    const balance = await ledger.balance(id);
    const currency = balance && (await ledger.currencyOf(operation, input));
    return [
      ['Name', seen?.name ?? undefined],
      ['Card', seen?.record.card_number ?? undefined],
      ['Left before this refund', balance && moneyText(leftOf(balance), currency)],
    ];
  }

  /** Loaded for what starts charges. */
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
 * @param refused makes the failure
 * @throws Failure guard when another profile was confirmed
 */
export function isConfirmed(
  { name, environment }: Profile,
  { confirmedProfile }: Pick<RequestOptions, 'confirmedProfile'>,
  refused = notConfirmed,
): boolean {
  if (environment !== 'live' || confirmedProfile === name) return true;
  if (confirmedProfile === undefined) return false;
  throw refused(
    'other-profile-confirmed',
    `--confirm names ${confirmedProfile}, but this is the profile ${name}.`,
    `Use --confirm ${name} if you mean that one.`,
  );
}

/** @returns the failure of a request that was not confirmed */
export function notConfirmed(code: string, message: string, next: string): Failure {
  return refusal(code, message, next);
}

/**
 * @param currency ISO 4217 code of the amount, where it is known
 * @returns what identifies a single request to the person who confirms it, the card masked
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

/** The longest query or body that is shown, in characters. */
const MAX_SHOWN = 1_000;

/** A request that is no row of the interface is shown in the form in which it will be sent, without card data and secrets. */
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
