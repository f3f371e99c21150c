/**
 * Looks up the purchase to refund: how much was paid, and how much is left. gw asks the gateway only for a purchase
 * that this machine has never seen paid. What was paid can only grow, by a later capture: then gw refuses too much, and
 * `--full` asks. One that was only authorised may be paid later, so gw asks each time.
 *
 * Tests: test/unit/client/connection/call.test.ts, test/unit/requests/currency-of-amounts.test.ts,
 * test/system/captured.test.ts
 */

import { textOrNull } from '../../base/text.ts';
import { currencyCode } from '../../contract/currency.ts';
import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { Failure, invariant } from '../../failure.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { PurchaseBalance } from '../../journal/balance.ts';
import type { LedgerAccess } from '../connection/ledger-access.ts';
import { refusal } from '../connection/refusals.ts';
import type { CommandRun, GatewayWire } from '../connection/wire.ts';
import type { Reply } from '../exchange/classify.ts';
import { exchange } from '../exchange/exchange.ts';
import { targetOf } from '../exchange/said-money.ts';
import { type CallInput, wireRequest } from '../exchange/wire-request.ts';
import { CHECK_MODE, wrongMode } from './guard.ts';
import { meetsAll } from './plans.ts';

/** The purchase to refund. */
export interface LookedUp {
  /** Id that the gateway uses. */
  id: string;
  /** undefined if gw does not know that it was paid. */
  balance: PurchaseBalance | undefined;
  /** ISO 4217 code, if known. */
  currency: string | undefined;
  /** Whether the gateway says that no money was taken yet. */
  isOnlyAuthorised: boolean;
}

/** The part of a connection that asks. */
interface Gateway {
  call(operation: Operation, input: CallInput): Promise<Reply>;
  ledger: LedgerAccess;
}

/**
 * Asks the gateway for the purchase to refund, and the ledger for its refunds.
 * @param target the purchase as the user names it
 * @throws Failure if it cannot be looked up
 */
export async function lookUpTarget(
  gateway: Gateway,
  operation: Operation,
  target: string,
): Promise<LookedUp> {
  const { givesBack } = operation.money ?? {};
  const lookUp = givesBack && lookUpOf(givesBack);
  invariant(lookUp, `${operation.name} gives back what cannot be looked up`);
  const { records } = await gateway.call(lookUp, { id: target });
  const { ledger } = gateway;
  await ledger.allSeen();
  const [record = {}] = records;
  const { id = target, currency } = record;
  const purchase = String(id);
  return {
    id: purchase,
    balance: (await ledger.balances([purchase])).get(purchase),
    currency: typeof currency === 'string' ? currency : await ledger.currencyKnown({ purchase }),
    isOnlyAuthorised: outcomeOf(lookUp.kind, record) === 'authorised',
  };
}

/** A run, with what it can ask. */
export interface TargetLookUp {
  run: CommandRun;
  wire: GatewayWire;
  ledger: LedgerAccess;
  /** Why `learnCurrencies` did not see purchases, by id. */
  unseen: Map<string, Failure>;
}

/**
 * Looks up what a guard has to know, even if the profile does not permit the look-up.
 * @returns the failure if the gateway does not answer it. @throws Failure interrupted if the user ends it
 */
export async function lookUpUnasked(
  { wire: line, ledger }: TargetLookUp,
  operation: Operation,
  input: CallInput,
): Promise<Reply | Failure> {
  try {
    const wire = await line.connect('read');
    const reply = await exchange(wire, { operation, input }, wireRequest(wire, operation, input));
    await ledger.see(input, reply);
    await ledger.allSeen();
    return reply;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return error;
  }
}

/**
 * Before a refund, asks the gateway for the purchase if this machine has never seen it. The interface does not say
 * which identifier a refund takes. So a purchase that cannot be looked up may still be refunded, and the gateway
 * decides. gw reports anything odd about the answer. A dry run says that it does not ask.
 * @param isShown whether a person confirms the refund next; if not, the refund's own answer shows the mode
 * @throws Failure guard if the purchase was only authorised; interrupted if the user ends it
 */
export async function learnTarget(
  asking: TargetLookUp,
  operation: Operation,
  input: CallInput,
  isShown: boolean,
): Promise<void> {
  const { run, ledger } = asking;
  const { options, account, context } = run;
  const { givesBack } = operation.money ?? {};
  const lookUp = givesBack && options.refusesOverRefunds && lookUpOf(givesBack);
  const id = targetOf(operation, input);
  if (!lookUp || id === null) return;
  // A dry run creates no ledger.
  if (!options.isDryRun) await ledger.open();
  if ((await ledger.balances([id])).get(id)?.paid) return;
  const say = (text: string) => note(context.host.stderr, neutralise(text));
  if (options.isDryRun)
    return say(`gw does not know how much of ${id} is left to refund: the real run looks it up.`);
  const answer = await lookUpUnasked(asking, lookUp, { id });
  if (answer instanceof Failure) {
    if (answer.code === 'contradictory-answer')
      await say(
        `Note: gw asked the gateway how much of ${id} is left to refund. ${answer.message}`,
      );
    return;
  }
  const why = isShown && wrongMode(account.profile, answer.envelope.test);
  if (why) await say(`Note: ${why}. ${CHECK_MODE}`);
  const outcome = outcomeOf(lookUp.kind, answer.records[0] ?? {});
  if (outcome === 'authorised') throw onlyAuthorised(id, operation);
  if (isUnsuccessful(outcome))
    await say(`Note: the gateway says that ${id} was ${outcome}, so nothing was paid.`);
}

/**
 * Finds out in which currencies purchases were paid. gw asks the gateway once for each that `needed` has and this
 * machine has not seen, in a dry run too.
 * @returns ISO 4217 codes by purchase id, for those that are known
 * @throws Failure if no purchase can be looked up: nothing was sent
 */
export async function learnCurrencies(
  asking: TargetLookUp,
  operation: Operation,
  purchases: readonly string[],
  needed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { ledger, run } = asking;
  const { inFlight = 1 } = run.parts;
  const lookUp = lookUpOf(operation.money?.givesBack ?? operation.kind);
  invariant(lookUp, `${operation.name} gives back what cannot be looked up`);
  const known = new Map(await ledger.currenciesOf(purchases));
  const seen = await ledger.balances(purchases);
  // The gateway does not say the currency of a purchase that was seen without one.
  const unseen = purchases.filter((id) => needed.has(id) && !known.has(id) && !seen.get(id)?.paid);
  const ask = async (id: string) => {
    const answer = await lookUpUnasked(asking, lookUp, { id });
    const isForAll = answer instanceof Failure && (answer.status === undefined || meetsAll(answer));
    if (isForAll) throw answer;
    if (answer instanceof Failure) asking.unseen.set(id, answer);
    const currency = answer instanceof Failure ? null : textOrNull(answer.records[0]?.currency);
    if (currency !== null) known.set(id, currencyCode(currency));
  };
  if (unseen.length === 0) return known;
  const { default: pMap } = await import('p-map');
  await pMap(unseen, ask, { concurrency: inFlight });
  return known;
}

/** @returns the failure for a refund of a purchase that was only authorised */
export function onlyAuthorised(id: string, { name }: Operation): Failure {
  return refusal(
    'purchase-only-authorised',
    `${neutralise(id)} was only authorised. No money was taken, so there is nothing to refund.`,
    'Wait until the gateway says that the money was taken. Add --allow-over-refund to let the gateway decide.',
    { operation: name },
  );
}
