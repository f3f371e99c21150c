import type {
  IntentConditions,
  IntentRefusal,
  Ledger,
  MoneyRequest,
} from '../../src/journal/ledger.ts';

/** Writes down an intent that nothing speaks against. @returns its id */
export async function recorded(ledger: Ledger, request: MoneyRequest): Promise<string> {
  const intended = await ledger.intend(request);
  if (intended.kind !== 'recorded') throw new Error(`The ledger says: ${intended.kind}`);
  return intended.id;
}

/** @returns how the ledger would refuse one request */
export async function foreseen(
  ledger: Ledger,
  request: MoneyRequest,
  conditions: IntentConditions,
): Promise<IntentRefusal | undefined> {
  const [refused] = await ledger.foresee([{ request, conditions }]);
  return refused;
}

/** @returns a purchase as the ledger is told of it */
export function sandboxPurchase(reference: string): MoneyRequest {
  return {
    account: 'a1',
    profile: 'sandbox',
    environment: 'sandbox',
    host: 'gateway.example',
    operation: 'purchase create',
    target: 'tok',
    refundOf: null,
    amount: 2500,
    currency: 'AUD',
    reference,
    body: { reference },
    note: null,
  };
}
