/** `gw ledger init --from`: copies the entries and records of a ledger file into a ledger on a server. */
import { count, plural, quantity } from '../../base/text.ts';
import { openLedgerAt } from '../../client/ledger/open.ts';
import { hasLedger, type LedgerHost } from '../../client/ledger/place.ts';
import { usage } from '../../failure.ts';
import { checkForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import {
  entryPages,
  recordPages,
  takeEntries,
  takePruned,
  takeRecords,
} from '../../store/ledger/take-along.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import { Database } from '../../store/sqlite/database.ts';
import { FILE_WORD, namedLedger, noLedger } from './named-ledger.ts';

export interface TakenAlong {
  /** The rows of the file, and how many of them were added. */
  entries: { read: number; added: number };
  records: { read: number; added: number };
  /** The number of entries without an outcome in the file. */
  open: number;
  /** Ids of entries whose line was sent from both ledgers. */
  conflicts: string[];
}

/**
 * Copies a file, all of it or nothing.
 * @param named a path, or `file` for the one of this user
 * @param label of the server's ledger
 * @returns the lines of the report
 * @throws Failure if there is no such file, or it cannot be read; as `Server.transaction`
 */
export async function takeAlong(
  host: LedgerHost,
  server: Server,
  { named, label }: { named: string; label: string },
): Promise<string[]> {
  const path = await pathOf(host, named);
  if (path === undefined) return ['There is nothing to copy: this machine has sent nothing yet.'];
  const file = new Database(ledgerFile(path));
  try {
    const taken = await server.transaction(async (run) => {
      await checkForm(run, label);
      return takeTables(run, file);
    });
    return said(taken, path, label);
  } finally {
    file.close();
  }
}

/** @returns the path; undefined if this machine has sent nothing yet */
async function pathOf(host: LedgerHost, named: string): Promise<string | undefined> {
  const place = await namedLedger(host, named, undefined);
  if (place.kind !== 'file') throw noFile();
  const { files } = host;
  const isOwn = named === FILE_WORD || files.isSame(place.path, ledgerPath(files));
  if (isOwn && !hasLedger(host, place)) return undefined;
  // Opening the ledger adds the records of look-ups that still wait in a file.
  if (isOwn) await (await openLedgerAt(host, place)).close();
  if (files.size(place.path) > 0) return place.path;
  throw noLedger(place.path);
}

async function takeTables(run: RunStatement, file: Database): Promise<TakenAlong> {
  const taken: TakenAlong = {
    entries: { read: 0, added: 0 },
    records: { read: 0, added: 0 },
    open: 0,
    conflicts: [],
  };
  for (const page of entryPages(file)) {
    const { added, conflicts } = await takeEntries(run, page);
    taken.entries.read += page.length;
    taken.entries.added += added;
    taken.open += page.filter(({ state }) => state === 'sending').length;
    taken.conflicts.push(...conflicts);
  }
  for (const page of recordPages(file)) {
    taken.records.read += page.length;
    taken.records.added += await takeRecords(run, page);
  }
  await takePruned(run, file);
  return taken;
}

const MAX_NAMED = 5;

function said(
  { entries, records, open, conflicts }: TakenAlong,
  from: string,
  label: string,
): string[] {
  const lines = [
    `Copied ${copied(entries, 'entry', 'entries')} and ${copied(records, 'record', 'records')} from ${from} to the ledger at ${label}.`,
  ];
  if (open > 0)
    lines.push(
      `${quantity(open, 'request has', 'requests have')} no outcome in the file and ${plural(open, 'is', 'are')} unknown in the ledger. If gw is still sending, run the same command again when it has ended.`,
    );
  if (conflicts.length > 0) {
    const some = conflicts.slice(0, MAX_NAMED).join(', ');
    const more = conflicts.length > MAX_NAMED ? ` and ${conflicts.length - MAX_NAMED} more` : '';
    lines.push(
      `Warning: ${quantity(conflicts.length, 'line of a batch was', 'lines of batches were')} sent from both ledgers: ${some}${more}. Look at them with \`gw journal show ID\`.`,
    );
  }
  return [...lines, WITHOUT_WEBHOOKS];
}

/** A sum over the tables of the server would lack such charges, and nothing there shows it. */
const WITHOUT_WEBHOOKS =
  'Webhooks stay in the file that received them. Other machines, and SQL on the server, lack the charges of subscriptions that webhooks alone tell of: `gw report charges` on this machine has them.';

function copied({ read, added }: { read: number; added: number }, one: string, many: string) {
  const known = read - added;
  return `${quantity(added, one, many)}${known > 0 ? ` (${count(known)} known before)` : ''}`;
}

function noFile() {
  return usage(
    'ledger-no-file',
    '--from takes a ledger in a file.',
    'Use `--from file` for the one of this machine, or a path such as ./ledger.db. A server is copied with pg_dump.',
  );
}
