/** Before money is given back: asks the gateway for what it is of when this machine has never seen it. */
import type { CallInput, Client } from '../client/client.ts';
import { lookUpOf, type Operation, targetOf } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import type { Destination, Ledger } from '../journal/ledger.ts';

/**
 * What a purchase was paid with never changes, so it is asked for once. Which identifier a refund
 * takes is not shown in the interface: a purchase that cannot be looked up may be refunded all the
 * same, and the gateway decides.
 * @throws Failure interrupted when the user ends it
 */
export async function learnPurchase(
  client: Pick<Client, 'call'>,
  ledger: Ledger,
  destination: Destination,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  const id = targetOf(operation, input);
  const lookUp = operation.money?.givesBack && lookUpOf(operation.money.givesBack);
  if (id === null || !lookUp || (await ledger.balance(destination, id))) return;
  try {
    await client.call(lookUp, { id });
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  }
}
