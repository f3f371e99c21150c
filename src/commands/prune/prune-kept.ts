/**
 * `gw prune`: deletes old entries with their records, and old events, in lots. After each, the index forgets them too, so
 * that the next search finds nothing to do.
 *
 * Tests: test/scripts/commands/prune.script
 */
import { DAY_MS } from '../../base/calendar.ts';
import { counted } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { KEEP_DAYS } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { listProfiles } from '../../client/profiles/store.ts';
import { openEvents } from '../../events/store/event-file.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { confirmByName } from '../../requests/confirm-live.ts';
import { learnAllDue, learnInLots } from '../../requests/known/learn-due.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { ownStore } from '../../requests/known/own-events.ts';
import { inLots } from '../../requests/lots.ts';
import type { SqlStore } from '../../store/sql.ts';

/** The parts that are pruned, together with their things in the index. */
export const PRUNED = ['journal', 'events'] as const;

const STAYS = 'What was removed so far is gone, the oldest first.';

export interface PruneOptions {
  /** ISO 8601, UTC. */
  before: string;
  what: readonly (typeof PRUNED)[number][];
  request: RequestOptions;
}

/**
 * Deletes, and prints the numbers on stderr. Unknown outcomes, and events that wait to be passed on, stay.
 * @throws Failure usage for a time in the future; guard if it must be confirmed and was not, or the ledger cannot be
 *   used; interrupted between two lots
 */
export async function pruneKept({ host }: Context, options: PruneOptions): Promise<void> {
  const { before, what, request } = options;
  if (before > host.clock.now().toISOString())
    throw usage(
      'time-in-future',
      `${before.slice(0, 10)} is in the future: this would remove everything up to now.`,
      'Nothing was removed. Give an earlier time, such as --before 2y.',
    );
  if (what.includes('journal')) await pruneJournal(host, before, request);
  if (what.includes('events')) await pruneEvents(host, before);
}

async function pruneJournal(host: Host, before: string, request: RequestOptions): Promise<void> {
  await confirmIfKept(host, before, request);
  const ledger = await openLedger(host, { needs: 'sends', profile: request.profile });
  try {
    const { entries, records, unresolved } = await ledger.older(before);
    await pruneInLots(host, ledger, ledger.sql, { before, total: entries + records });
    const removed = `${counted(entries, 'entry', 'entries')} and ${counted(records, 'record', 'records')}`;
    await say(host, before, removed, [unresolved, 'the outcome is unknown']);
  } finally {
    await ledger.close();
  }
}

async function pruneEvents(host: Host, before: string): Promise<void> {
  const store = openEvents(host);
  try {
    const { events, waiting } = await store.older(before);
    const index = ownStore(host);
    if (index) await pruneInLots(host, store, index, { before, total: events });
    await say(host, before, counted(events, 'event', 'events'), [
      waiting,
      'waiting to be passed on',
    ]);
  } finally {
    await store.close();
  }
}

/** @param index learns what is due, which others may have left */
async function pruneInLots(
  host: Host,
  kept: { prune(before: string): Promise<number> },
  index: Omit<SqlStore, 'close'>,
  { before, total }: { before: string; total: number },
): Promise<void> {
  await learnInLots(host, index);
  await inLots(host, { total, stays: STAYS }, async () => {
    const removed = await kept.prune(before);
    await learnAllDue(index);
    return removed;
  });
}

function say(
  { stderr }: Pick<Host, 'stderr'>,
  before: string,
  removed: string,
  [kept, why]: readonly [number, string],
): Promise<void> {
  const left = kept === 0 ? '' : ` Kept ${kept} of that age: ${why}.`;
  return stderr.write(`Removed ${removed} from before ${before.slice(0, 10)}.${left}\n`);
}

/**
 * Asks before entries go that are younger than the longest `keepDays` of this machine's profiles, since several of them
 * may have the same ledger.
 * @throws Failure guard if entries are still needed as a guard, and the user did not type the profile's name
 */
async function confirmIfKept(host: Host, before: string, request: RequestOptions): Promise<void> {
  const { clock, env, files } = host;
  const own = (await listProfiles(files)).filter(({ isBuiltIn }) => !isBuiltIn);
  const kept = own.map(({ profile }) => profile.keepDays ?? KEEP_DAYS);
  const days = kept.length === 0 ? KEEP_DAYS : Math.max(...kept);
  if (before <= new Date(clock.now().getTime() - days * DAY_MS).toISOString()) return;
  const { profile } = await resolveProfile({ flag: request.profile, env, files });
  await confirmByName(
    { host, profile, options: request },
    `deletes requests of the last ${days} days for everybody, and gw sends a repeat of one again`,
  );
}
