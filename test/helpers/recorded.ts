import type { Ledger, MoneyRequest } from '../../src/ledger/ledger.ts';

/** Writes down an intent that nothing speaks against. @returns its id */
export async function recorded(ledger: Ledger, request: MoneyRequest): Promise<string> {
  const intended = await ledger.intend(request);
  if (intended.kind !== 'recorded') throw new Error(`The ledger says: ${intended.kind}`);
  return intended.id;
}
