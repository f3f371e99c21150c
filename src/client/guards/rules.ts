/**
 * The rules of a profile besides its limits: how much it sends within an hour or a day, that people say why, and what only
 * a second person sends.
 *
 * Tests: test/scripts/commands/rules.script, test/unit/client/profiles/store.test.ts
 */
import type { Operation } from '../../contract/operation.ts';
import { lacksCurrency } from '../../contract/operations.ts';
import type { Failure } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import { capText, parseAmount } from '../../journal/caps.ts';
import type { AppliedCap, Cap } from '../../journal/rules.ts';
import { refusal } from '../connection/refusals.ts';
import type { RequestOptions } from '../connection/request-options.ts';
import type { JudgedRequest } from '../exchange/evidence.ts';
import { currenciesIn, moneyOf } from '../exchange/said-money.ts';
import { capsOf, type Profile } from '../profiles/profile.ts';

/** @returns the caps of the profile that hold for requests of the operation */
function capsFor(profile: Profile, { countsAs }: Pick<Operation, 'countsAs'>): Cap[] {
  return countsAs === undefined ? [] : capsOf(profile).filter(({ of }) => of === countsAs);
}

/** @returns whether a cap of the profile holds for requests of the operation */
export function hasCaps(profile: Profile, operation: Pick<Operation, 'countsAs'>): boolean {
  return capsFor(profile, operation).length > 0;
}

/**
 * @param operator as the journal names the sender
 * @returns the caps of the profile for requests of the operation, and whose requests each counts
 */
export function appliedCaps(
  profile: Profile,
  operation: Pick<Operation, 'countsAs'>,
  operator: string,
): AppliedCap[] {
  return capsFor(profile, operation).map((cap) => ({
    ...cap,
    operator: cap.isEach ? operator : null,
  }));
}

/** @throws Failure guard if the request would not be counted by a cap that holds for it */
export function checkCounted(
  profile: Profile,
  operation: Pick<Operation, 'countsAs'>,
  { recordsMoney }: Pick<RequestOptions, 'recordsMoney'>,
): void {
  const [cap] = recordsMoney ? [] : capsFor(profile, operation);
  if (!cap) return;
  throw refusal(
    'journal-required',
    `The profile ${profile.name} sends at most ${capText(cap)}, which gw counts in the journal.`,
    'Run the command again without --no-journal.',
  );
}

/**
 * @param amount minor units in the currency; null if it is not known
 * @param currency ISO 4217 code; null if it is not known
 * @returns whether the profile wants another person to approve so much
 */
export function isForTwo(
  { twoPersonsAbove, currency: own }: Profile,
  amount: number | null,
  currency: string | null,
): boolean {
  if (!twoPersonsAbove) return false;
  const amounts = twoPersonsAbove.flatMap((text) => parseAmount(text, own) ?? []);
  const limit = amounts.find((one) => one.currency === (currency ?? own));
  return limit === undefined || amount === null || Math.abs(amount) > limit.minor;
}

/** @returns whether another person has to approve the request: a refund or purchase, or what gw cannot tell apart */
export function needsApproval(profile: Profile, { operation, input }: JudgedRequest): boolean {
  if (operation.effect === 'read' || !(operation.countsAs || operation.isForeign)) return false;
  if (operation.isForeign) return profile.twoPersonsAbove !== undefined;
  const { amount, currency } = moneyOf(operation, input);
  const isUnknown = currency === null && lacksCurrency(operation);
  return isForTwo(profile, isUnknown ? null : amount, currency);
}

/** @returns the failure of what another person has to approve first. @param how the command that proposes it */
export function approvalRequired({ name }: Profile, what: string, how: string): Failure {
  return refusal(
    'approval-required',
    `The profile ${name} sends ${what} only if another person approves.`,
    `${how} \`gw whoami -p ${name}\` shows the rules.`,
  );
}

/** @returns whether the profile wants to know why: of a refund, a stop, a deletion, and of what gw cannot tell apart */
export function needsNote(
  { requireNote }: Profile,
  { operation, input }: Pick<JudgedRequest, 'operation'> & Partial<JudgedRequest>,
): boolean {
  if (!requireNote || operation.effect === 'read') return false;
  const { effect, money, recurring, isForeign } = operation;
  const isStop = recurring !== undefined && input?.body?.[recurring.flag] === false;
  return effect === 'destroy' || money?.givesBack !== undefined || isStop || isForeign === true;
}

/** @throws Failure guard if the profile wants a note and there is none */
export function checkNote(
  profile: Profile,
  asked: Pick<JudgedRequest, 'operation'> & Partial<JudgedRequest>,
  note: string | null,
): void {
  if ((note ?? '').trim() !== '' || !needsNote(profile, asked)) return;
  throw refusal(
    'note-missing',
    `The profile ${profile.name} wants to know why: \`${asked.operation.name}\` needs a note.`,
    "Add --note 'WHY'. It is kept here and in a shared ledger, and never sent.",
  );
}

/**
 * An amount in a currency that has no cap would not be capped.
 * @param code ISO 4217 code of the amount, if known
 * @returns what is wrong, as a clause; undefined if nothing is
 */
export function capFault(
  profile: Profile,
  { operation, input }: JudgedRequest,
  code: string | undefined,
): { code: CodeOf<'guard'>; what: string } | undefined {
  const caps = capsFor(profile, operation).filter(({ currency }) => currency !== undefined);
  const [cap] = caps;
  const isUnknown = lacksCurrency(operation) && currenciesIn(input).length === 0;
  if (!cap || (!isUnknown && caps.some(({ currency }) => currency === code))) return undefined;
  return {
    code: 'limit-in-other-currency',
    what: `gw cannot compare an amount in ${isUnknown ? 'an unknown currency' : code} with the cap of the profile ${profile.name}, ${capText(cap)}`,
  };
}
