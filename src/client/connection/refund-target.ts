/**
 * What money is to be given back of: how much was paid for it, and how much of that is left. The gateway is
 * asked for what this machine has never seen. What a purchase was paid with never changes.
 */

import { isUnsuccessful, outcomeOf } from '../../contract/normal.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { Failure, invariant } from '../../failure.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { PurchaseBalance } from '../../journal/balance.ts';
import type { Reply } from '../exchange/classify.ts';
import { exchange } from '../exchange/exchange.ts';
import { targetOf } from '../exchange/said-money.ts';
import { type CallInput, wireRequest } from '../exchange/wire-request.ts';
import { CHECK_MODE, wrongMode } from './guard.ts';
import type { LedgerAccess } from './ledger-access.ts';
import type { CommandRun, GatewayWire } from './wire.ts';

/** What money is to be given back of. */
export interface LookedUp {
  /** As the gateway names it. */
  id: string;
  /** undefined where it is not known to be paid. */
  balance: PurchaseBalance | undefined;
  /** ISO 4217 code, where it is known. */
  currency: string | undefined;
}

/** Of a connection, what asks. */
interface Gateway {
  call(operation: Operation, input: CallInput): Promise<Reply>;
  ledger: LedgerAccess;
}

/**
 * Asks the gateway for what money is to be given back of, and the ledger for what was given back.
 * @param target as the user names it
 * @throws Failure when it cannot be looked up
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
  const [{ id = target, currency } = {}] = records;
  const purchase = String(id);
  return {
    id: purchase,
    balance: await ledger.balance(purchase),
    currency: typeof currency === 'string' ? currency : await ledger.currencyKnown({ purchase }),
  };
}

/** A run, and what it asks. */
export interface TargetLookUp {
  run: CommandRun;
  wire: GatewayWire;
  ledger: LedgerAccess;
}

/**
 * Looks up what a guard has to know; whether the profile permits it is not asked.
 * @returns the failure where the gateway does not say. @throws Failure interrupted when the user ends it
 */
export async function lookUpUnasked(
  { wire: line, ledger }: TargetLookUp,
  operation: Operation,
  input: CallInput,
): Promise<Reply | Failure> {
  const wire = await line.connect();
  try {
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
 * Before money is given back: asks the gateway for what it is of, when this machine has never seen it. Which
 * identifier a refund takes is not shown in the interface: a purchase that cannot be looked up may be refunded
 * all the same, and the gateway decides; what is odd about the answer is said. A dry run says that it does not ask.
 * @param isShown whether somebody is asked to confirm the refund next; else its own answer tells its mode
 * @throws Failure interrupted when the user ends it
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
  // A dry run makes no ledger.
  if (!options.isDryRun) await ledger.open();
  if (await ledger.balance(id)) return;
  const say = (text: string) => note(context.host.stderr, neutralise(text));
  if (options.isDryRun)
    return say(
      `gw does not know how much of ${id} is left to refund: the real run looks it up first.`,
    );
  const answer = await lookUpUnasked(asking, lookUp, { id });
  if (answer instanceof Failure) {
    if (answer.code === 'contradictory-answer')
      await say(`Note: gw asked how much is left to refund of ${id}. ${answer.message}`);
    return;
  }
  const why = isShown && wrongMode(account.profile, answer.envelope.test);
  if (why) await say(`Note: ${why}. ${CHECK_MODE}`);
  const outcome = outcomeOf(lookUp.kind, answer.records[0] ?? {});
  if (isUnsuccessful(outcome))
    await say(`Note: the gateway says that ${id} was ${outcome}, so that nothing was paid.`);
}
