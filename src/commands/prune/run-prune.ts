/**
 * `gw prune`: deletes old entries with their records, and old events, in lots. After each, the table of things forgets them too, so
 * that the next search finds nothing to do.
 *
 * Tests: test/scripts/commands/prune.script
 */
import { DAY_MS } from '../../base/calendar.ts';
import { quantity } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { isOnServer } from '../../client/ledger/place.ts';
import { KEEP_DAYS } from '../../client/profiles/profile.ts';
import { resolveProfile } from '../../client/profiles/resolve.ts';
import { listProfiles } from '../../client/profiles/store.ts';
import { AssistantCalls } from '../../events/store/assistant-calls.ts';
import { openEvents } from '../../events/store/event-file.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { confirmByName } from '../../requests/confirm-live.ts';
import { learnAllDue, learnInLots } from '../../requests/known/learn-due.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import { ownStore } from '../../requests/known/own-events.ts';
import { inLots, type LotHost } from '../../requests/lots.ts';
import type { SqlStore } from '../../store/sql.ts';

/** The parts that are pruned, together with their things in the index. */
export const PRUNED = ['journal', 'events', 'calls'] as const;

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
  if (what.includes('calls')) await pruneCalls(host, before, what.length === 1);
}

async function pruneJournal(
  host: KnownHost & ConfirmHost,
  before: string,
  request: RequestOptions,
): Promise<void> {
  await confirmIfProtected(host, before, request);
  const ledger = await openLedger(host, { needs: 'sends', profile: request.profile });
  try {
    const { entries, records, unresolved } = await ledger.older(before);
    const removed = { entries: 0, records: 0 };
    await pruneInLots(host, ledger.sql, entries + records, async () => {
      const lot = await ledger.prune(before);
      removed.entries += lot.entries;
      removed.records += lot.records;
      return lot.entries + lot.records;
    });
    const rows = `${quantity(removed.entries, 'entry', 'entries')} and ${quantity(removed.records, 'record', 'records')}`;
    await say(host, before, rows, [unresolved, 'the outcome is unknown']);
  } finally {
    await ledger.close();
  }
}

async function pruneEvents(host: LotHost & Pick<Host, 'files'>, before: string): Promise<void> {
  const store = openEvents(host);
  try {
    const { events, waiting } = await store.older(before);
    const things = ownStore(host);
    let removed = 0;
    if (things)
      await pruneInLots(host, things, events, async () => {
        const lot = await store.prune(before);
        removed += lot;
        return lot;
      });
    await say(host, before, quantity(removed, 'event', 'events'), [
      waiting,
      'waiting to be passed on',
    ]);
  } finally {
    await store.close();
  }
}

/** @param isAsked whether only these are to go; else, nothing is said on a machine that no assistant asked */
async function pruneCalls(
  host: LotHost & Pick<Host, 'files'>,
  before: string,
  isAsked: boolean,
): Promise<void> {
  const calls = new AssistantCalls(host);
  const total = await calls.older(before);
  let removed = 0;
  await inLots(host, { doing: 'removing', total, stays: STAYS }, async () => {
    const lot = await calls.prune(before);
    removed += lot;
    return lot;
  });
  if (removed > 0 || isAsked)
    await say(host, before, quantity(removed, 'call of an assistant', 'calls of assistants'), [
      0,
      '',
    ]);
}

/**
 * First brings the table of things up to date, so that each lot has only its own deletions to bring there.
 * @param things the store with that table
 * @param total about how many rows there are to delete
 * @param pruneLot deletes the next rows, and says how many; 0 if none is left
 */
async function pruneInLots(
  host: LotHost,
  things: Omit<SqlStore, 'close'>,
  total: number,
  pruneLot: () => Promise<number>,
): Promise<void> {
  await learnInLots(host, things);
  await inLots(host, { doing: 'removing', total, stays: STAYS }, async () => {
    const removed = await pruneLot();
    await learnAllDue(things);
    return removed;
  });
}

function say(
  { stderr }: Pick<Host, 'stderr'>,
  before: string,
  removed: string,
  [stayed, why]: readonly [number, string],
): Promise<void> {
  const left = stayed === 0 ? '' : ` Kept ${stayed} of that age: ${why}.`;
  return stderr.write(`Removed ${removed} from before ${before.slice(0, 10)}.${left}\n`);
}

type ConfirmHost = Pick<Host, 'clock' | 'env' | 'files' | 'prompts' | 'stderr'>;

/**
 * Asks before entries go that are younger than the longest `keepDays` of this machine's profiles, since several of them
 * may have the same ledger.
 * @throws Failure guard if entries are still needed as a guard, and the user did not type the profile's name
 */
async function confirmIfProtected(
  host: ConfirmHost,
  before: string,
  request: RequestOptions,
): Promise<void> {
  const { clock, env, files } = host;
  const own = (await listProfiles(files)).filter(({ isBuiltIn }) => !isBuiltIn);
  const days = Math.max(
    ...(own.length === 0 ? [KEEP_DAYS] : own.map(({ profile }) => profile.keepDays ?? KEEP_DAYS)),
  );
  if (before <= new Date(clock.now().getTime() - days * DAY_MS).toISOString()) return;
  const { profile } = await resolveProfile({ flag: request.profile, env, files });
  const shared = isOnServer(env, profile);
  await confirmByName(
    { host, profile, options: request },
    `deletes requests of the last ${days} days${shared ? ' for everybody' : ''}, and gw sends a repeat of one again`,
  );
}
