/** A ledger whose index is brought up to date after each write. */
import type { Ledger } from '../../src/journal/ledger.ts';
import { learnAllDue } from '../../src/requests/known/learn-due.ts';

const WRITES = ['intend', 'settle', 'resolve', 'remember', 'forget', 'prune'] as const;

export function indexing<Given extends Ledger>(ledger: Given): Given {
  for (const name of WRITES) {
    const write = (ledger[name] as (...given: unknown[]) => Promise<unknown>).bind(ledger);
    const indexed = async (...given: unknown[]) => {
      try {
        return await write(...given);
      } finally {
        await learnAllDue(ledger.sql);
      }
    };
    Object.assign(ledger, { [name]: indexed });
  }
  return ledger;
}
