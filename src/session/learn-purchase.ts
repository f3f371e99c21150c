/** Before a refund: asks the gateway for the purchase when this machine has never seen it. */
import type { CallInput, Client } from '../client/client.ts';
import { purchaseGet } from '../contract/operations.ts';
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
  { body }: CallInput,
): Promise<void> {
  const id = body?.transaction_id;
  if (typeof id !== 'string') return;
  if (await ledger.balance(destination, id)) return;
  try {
    await client.call(purchaseGet, { id });
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  }
}
