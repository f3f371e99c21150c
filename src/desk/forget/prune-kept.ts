/** Deletes old entries with their records, and old events, for every command that does so. */
import { plural } from '../../base/text.ts';
import { parseAge } from '../../cli/flags/parse-time.ts';
import { openOwnLedger } from '../../client/ledger/open.ts';
import type { LedgerChoice } from '../../client/ledger/place.ts';
import { openEvents } from '../../events/store/event-file.ts';
import type { Context } from '../../host/context.ts';

/** The parts that are pruned, together with their things in the index. */
export type Forgotten = 'journal' | 'events';

/**
 * @param text `90d`, `12w` or `2y`
 * @returns that long ago, ISO 8601, UTC
 * @throws Failure usage if the text is not an age
 */
export function instantOfAge({ host }: Context, text: string): string {
  return new Date(host.clock.now().getTime() - parseAge(text)).toISOString();
}

/**
 * Deletes, and prints the numbers on stderr. Unknown outcomes, and events that wait to be passed on, stay.
 * @param before ISO 8601, UTC
 * @throws Failure guard or usage if the ledger cannot be opened
 */
export async function pruneKept(
  context: Context,
  before: string,
  what: readonly Forgotten[],
  choice: LedgerChoice = {},
): Promise<void> {
  const day = before.slice(0, 10);
  const { stderr } = context.host;
  const old = { context, choice, before, day };
  if (what.includes('journal')) await stderr.write(await pruneJournal(old));
  if (what.includes('events')) await stderr.write(await pruneEvents(old));
}

interface Old {
  context: Context;
  choice: LedgerChoice;
  before: string;
  day: string;
}

async function pruneJournal({ context, choice, before, day }: Old): Promise<string> {
  const ledger = await openOwnLedger(context.host, choice);
  try {
    const { entries, records, unresolved } = await ledger.prune(before);
    const forgotten = `${entries} ${plural(entries, 'entry', 'entries')} and ${records} ${plural(records, 'record', 'records')}`;
    const kept = keptText(unresolved, 'the outcome is unknown');
    return `Removed ${forgotten} from before ${day}.${kept}\n`;
  } finally {
    await ledger.close();
  }
}

async function pruneEvents({ context, before, day }: Omit<Old, 'choice'>): Promise<string> {
  const store = openEvents(context.host);
  try {
    const { events, waiting } = await store.prune(before);
    const kept = keptText(waiting, 'waiting to be passed on');
    return `Removed ${events} ${plural(events, 'event', 'events')} from before ${day}.${kept}\n`;
  } finally {
    await store.close();
  }
}

function keptText(count: number, why: string): string {
  return count === 0 ? '' : ` Kept ${count} of that age: ${why}.`;
}
