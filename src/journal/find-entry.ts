import { Failure } from '../failure.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

/**
 * @param id an entry's id, or enough of its beginning to identify it
 * @throws Failure notFound if no entry matches, usage if several do
 */
export async function findEntry(ledger: Ledger, id: string): Promise<LedgerEntry> {
  const [entry, second] = id === '' ? [] : await ledger.find(id);
  if (!entry) {
    throw new Failure(
      'entry-not-found',
      'The journal has no entry with that id.',
      'Run `gw journal list` to see the entries.',
    );
  }
  if (second) {
    throw new Failure(
      'entry-ambiguous',
      'More than one entry begins with that id.',
      'Give more characters of the id.',
    );
  }
  return entry;
}
