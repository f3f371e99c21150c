/**
 * A copy of the ledger's file may lack what was sent after it was made. Until its owner accepts that, gw sends nothing
 * that moves money by it, as by an older state of a ledger on a server (src/journal/postgres/restored.ts).
 */
import { instantText } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import { change, onlyRow, type Work } from '../sql.ts';
import { Database } from '../sqlite/database.ts';
import { ledgerFile } from './ledger-file.ts';

/** @returns when the copy was made (ISO 8601, UTC), if nobody has accepted it; else null */
export function* copiedAt(): Work<string | null> {
  return (yield* onlyRow<{ at: string | null }>('SELECT copied_at AS at FROM ledger')).at;
}

/** @throws Failure guard if the ledger is a copy that nobody has accepted */
export function* refuseCopy(): Work<void> {
  const at = yield* copiedAt();
  if (at !== null)
    throw new Failure(
      'ledger-restored',
      `This ledger is a backup of ${instantText(at)}: it lacks what was sent since.`,
      'Compare with the gateway (`gw reconcile`, `gw journal list --unresolved`). Then accept that: `gw ledger init file --accept-restore`.',
    );
}

/** @param at when a new copy was made (ISO 8601, UTC); null once its owner has accepted it */
export function setCopied(path: string, at: string | null): void {
  const database = new Database(ledgerFile(path));
  try {
    database.write((queries) => queries.do(change('UPDATE ledger SET copied_at = ?', [at])));
    // Whoever copies the file next may leave its log behind.
    database.set('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
