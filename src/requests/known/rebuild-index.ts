/** The index of the ledger, written anew from what it indexes. */
import { indexEvents } from '../../events/store/index-events.ts';
import { deferAll } from '../../index/deferred.ts';
import { clearDocuments } from '../../index/write.ts';
import type { SqlStore } from '../../store/sql.ts';
import { indexDue } from './index-deferred.ts';

/**
 * In one step: others go on with the index that there was, and wait to write meanwhile.
 * @throws Failure guard when the ledger cannot be used
 */
export function rebuildIndex(store: SqlStore): Promise<void> {
  return store.write(function* () {
    yield* clearDocuments();
    yield* indexEvents();
    yield* deferAll();
    yield* indexDue(Number.MAX_SAFE_INTEGER);
  });
}
