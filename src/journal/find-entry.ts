import { Failure } from '../failure.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

/**
 * @param id an entry's id, or enough of its beginning to tell it
 * @throws Failure notFound or usage unless it tells exactly one
 */
export async function findEntry(ledger: Ledger, id: string): Promise<LedgerEntry> {
  const [entry, second] = id === '' ? [] : await ledger.find(id);
  if (!entry) {
    throw new Failure('notFound', 'The journal has no such entry.', {
      code: 'entry-not-found',
      next: '`gw journal list` shows the entries.',
    });
  }
  if (second) {
    throw new Failure('usage', 'Several entries begin like that.', {
      code: 'entry-ambiguous',
      next: 'Give more of the id.',
    });
  }
  return entry;
}
