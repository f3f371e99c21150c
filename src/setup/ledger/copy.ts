/**
 * `gw ledger copy`: entries and records of one ledger into another, page by page. What is there
 * already stays as it is, so that it may be ended anywhere and begun again, and done for any number of
 * ledgers that become one.
 *
 * Rows come first, entries before all; then the index, since what is found by a name takes it from
 * records, and a refund takes its purchase from entries.
 */
import { plural } from '../../base/plural.ts';
import type { LedgerPlace } from '../../client/ledger/place.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { BEING_SENT, type RowSource } from '../../store/ledger/rows/ledger-rows.ts';
import { seenPath } from '../../store/paths.ts';
import { type OpenTarget, openSource, openTarget } from './ledgers.ts';
import { FILE_WORD, labelOfPlace, namedLedger } from './named-ledger.ts';

export interface Copied {
  /** Read, and of these not there before. */
  entries: { read: number; added: number };
  records: { read: number; added: number };
  /** Ids of entries whose line was sent from both ledgers. */
  conflicts: readonly string[];
  /** Requests that were being sent meanwhile. */
  beingSent: number;
}

export interface CopyOptions {
  /** As `namedLedger` takes them. */
  from: string;
  to: string | undefined;
  profile: string | undefined;
}

/** @throws Failure; what was copied until then stays */
export async function copyLedger({ host }: Context, options: CopyOptions): Promise<void> {
  const from = await namedLedger(host, options.from, options.profile);
  const to = await namedLedger(host, options.to, options.profile);
  refuseSame(host, from, to);
  if (isEmptyHere(host, options.from, from)) {
    await host.stderr.write(`There is nothing to copy: this machine has sent nothing yet.\n`);
    return;
  }
  const source = await openSource(host, from);
  try {
    const target = await openTarget(host, to);
    try {
      const copied = await copyRows(source.rows, target, progressOn(host));
      await host.stderr.write(`${said(copied, labelOfPlace(from), labelOfPlace(to)).join('\n')}\n`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A machine that is new to the team has no ledger of its own; a file that is named has to be there. */
function isEmptyHere({ files }: Host, named: string, from: LedgerPlace): boolean {
  if (named !== FILE_WORD || from.kind !== 'file') return false;
  return files.size(from.path) + files.size(seenPath(files)) === 0;
}

function refuseSame(host: Host, from: LedgerPlace, to: LedgerPlace): void {
  const isSame =
    from.kind === 'file' && to.kind === 'file'
      ? host.files.isSame(from.path, to.path)
      : labelOfPlace(from) === labelOfPlace(to);
  if (!isSame) return;
  throw usage(
    'ledgers-are-one',
    `Both ledgers are ${labelOfPlace(from)}.`,
    'Name two different ones, for example `gw ledger copy file postgres://ledger.example/gw`. Without the second, gw copies to the one in use.',
  );
}

/** Told of each page. */
export type Progress = (what: string, rows: number) => Promise<void>;

/** Writes all rows of one ledger into another, and its index. */
export async function copyRows(
  source: RowSource,
  { rows: target, index }: Pick<OpenTarget, 'rows' | 'index'>,
  progress: Progress = async () => undefined,
): Promise<Copied> {
  const found = { entries: none(), records: none() };
  const conflicts: string[] = [];
  let beingSent = 0;
  for await (const page of source.entries()) {
    const put = await target.putEntries(page);
    conflicts.push(...put.conflicts);
    beingSent += page.filter(
      ({ state, message }) => state === 'unknown' && message === BEING_SENT,
    ).length;
    await count(found, 'entries', [page.length, put.added], progress);
  }
  for await (const page of source.records())
    await count(found, 'records', [page.length, await target.putRecords(page)], progress);
  await progress('index', 0);
  for await (const page of source.records()) await index.records(page);
  for await (const page of source.entries()) await index.entries(page);
  index.finish();
  return { ...found, conflicts, beingSent };
}

const none = () => ({ read: 0, added: 0 });

async function count<What extends 'entries' | 'records'>(
  found: Record<What, { read: number; added: number }>,
  what: What,
  [read, added]: [number, number],
  progress: Progress,
): Promise<void> {
  found[what].read += read;
  found[what].added += added;
  await progress(what, found[what].read);
}

const PROGRESS_MS = 1_000;

/** At most a line a second, for whoever watches. */
function progressOn({ stderr, clock }: Pick<Host, 'stderr' | 'clock'>): Progress {
  if (!stderr.isTerminal) return async () => undefined;
  let next = clock.now().getTime() + PROGRESS_MS;
  return async (what, rows) => {
    const now = clock.now().getTime();
    if (what !== 'index' && now < next) return;
    next = now + PROGRESS_MS;
    await stderr.write(
      what === 'index' ? 'Writing the index.\n' : `${rows.toLocaleString('en')} ${what} so far.\n`,
    );
  };
}

const MAX_NAMED = 5;

function said(copied: Copied, from: string, to: string): string[] {
  const { entries, records, conflicts, beingSent } = copied;
  const some = conflicts.slice(0, MAX_NAMED).join(', ');
  const more = conflicts.length > MAX_NAMED ? ` and ${conflicts.length - MAX_NAMED} more` : '';
  return [
    `Copied from ${from} to ${to}: ${[
      sumText(entries, 'entry', 'entries'),
      sumText(records, 'record', 'records'),
    ].join(', ')}.`,
    ...(conflicts.length === 0
      ? []
      : [
          `Warning: ${conflicts.length} ${plural(conflicts.length, 'line of a batch was', 'lines of batches were')} sent from both ledgers: ${some}${more}. They were copied. Look at them with \`gw journal show ID\`.`,
        ]),
    ...(beingSent === 0
      ? []
      : [
          `${beingSent} ${plural(beingSent, 'request was', 'requests were')} being sent at the time and ${plural(beingSent, 'is', 'are')} unknown there. Copy again in a moment.`,
        ]),
  ];
}

function sumText({ read, added }: { read: number; added: number }, one: string, many: string) {
  const known = read - added;
  return `${added} ${plural(added, one, many)}${known > 0 ? ` (${known} known before)` : ''}`;
}
