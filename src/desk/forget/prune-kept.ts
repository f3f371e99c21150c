/** `gw prune`: deletes old entries with their records, and old events. */
import { counted } from '../../base/text.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import type { LedgerChoice } from '../../client/ledger/place.ts';
import { openEvents } from '../../events/store/event-file.ts';
import type { Context } from '../../host/context.ts';

/** The parts that are pruned, together with their things in the index. */
export const PRUNED = ['journal', 'events'] as const;

/**
 * Deletes, and prints the numbers on stderr. Unknown outcomes, and events that wait to be passed on, stay.
 * @param before ISO 8601, UTC
 * @throws Failure guard or usage if the ledger cannot be opened
 */
export async function pruneKept(
  { host }: Context,
  before: string,
  what: readonly (typeof PRUNED)[number][],
  choice: LedgerChoice,
): Promise<void> {
  const say = (removed: string, kept: number, why: string) => {
    const left = kept === 0 ? '' : ` Kept ${kept} of that age: ${why}.`;
    return host.stderr.write(`Removed ${removed} from before ${before.slice(0, 10)}.${left}\n`);
  };
  if (what.includes('journal')) {
    const ledger = await openOwnLedger(host, choice);
    try {
      const { entries, records, unresolved } = await ledger.prune(before);
      const removed = `${counted(entries, 'entry', 'entries')} and ${counted(records, 'record', 'records')}`;
      await say(removed, unresolved, 'the outcome is unknown');
    } finally {
      await ledger.close();
    }
  }
  if (what.includes('events')) {
    const store = openEvents(host);
    try {
      const { events, waiting } = await store.prune(before);
      await say(counted(events, 'event', 'events'), waiting, 'waiting to be passed on');
    } finally {
      await store.close();
    }
  }
}
