/**
 * Detects that a ledger on a server may have forgotten requests: an older state was restored, or another server has it
 * now. The machine that notices adds a row to `gw.doubts`. Until an owner accepts all of them, no machine sends
 * anything that moves money, but all still write outcomes.
 *
 *   marks       entries that this machine has seen must be there (ledger-marks.ts)
 *   system_id   the server and the database must be those that created or accepted the ledger
 *   timeline    no standby may have taken over since
 *
 * `complete_since` in the ledger is when an owner last accepted, or when the newest pruned entry was written. Entries
 * written up to then may be missing.
 *
 * A ledger must also have the entries of an account that this machine has seen in another ledger: an empty one knows as
 * little as a restored one. That refuses on this machine alone, because a mistyped address must not stop those who use
 * the ledger there.
 */
import { instantText } from '../../base/text.ts';
import { attempt, Failure } from '../../failure.ts';
import { SYSTEM_ID, TIMELINE } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import type { Author } from '../ledger.ts';
import { digestOf, type LedgerMark, type LedgerMarks } from './ledger-marks.ts';

/** The state of a ledger, according to its server. */
export interface Standing {
  /** Id of the ledger. */
  id: string;
  /** Whether a standby has every commit too. */
  isSynchronous: boolean;
  /** Whether another server or database has the ledger now; null if unknown. */
  isOther: boolean | null;
  /** Whether a standby took over, or an older state of the server was restored; null if unknown. */
  isLater: boolean | null;
  completeSince: string | null;
  /** Ids of marks that the ledger lacks, as JSON. */
  missing: string | null;
  /** The doubts that no owner has accepted, as JSON. */
  doubts: string | null;
}

/** The state of a ledger, with the marks that were compared with it. */
export type Compared = Standing & { marks: readonly LedgerMark[] };

/** A reason to think that a ledger lacks entries, as in `gw.doubts`. Who told it is known once it is there. */
export interface Doubt {
  number?: number;
  reason: string;
  /** Id of the missing entry, and when it was written. */
  entry?: string | null;
  entry_at?: string | null;
  told_by?: string;
  entered_at?: string;
}

/** An operator, and a machine with the entries that it has seen. */
export interface Onlooker {
  server: Server;
  author: Author;
  marks: LedgerMarks | undefined;
}

const DOUBTS = `(SELECT json_agg(doubt) FROM (
  SELECT *, operator || ' on ' || machine || ' (role ' || entered_by || ')' AS told_by
    FROM gw.doubts WHERE accepted_at IS NULL ORDER BY number) AS doubt)`;

/** @returns columns of `gw.ledger` that make up a `Standing` */
export function standingColumns(marks: readonly LedgerMark[]): string {
  const ids = marks.map(({ entry }) => `'${entry}'`);
  return `ledger.id, current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
    system_id <> ${SYSTEM_ID} AS "isOther", timeline <> ${TIMELINE} AS "isLater",
    complete_since AS "completeSince", ${DOUBTS} AS doubts,
    (SELECT json_agg(mark) FROM unnest(ARRAY[${ids}]::text[]) AS mark
      WHERE NOT EXISTS (SELECT FROM gw.money_requests WHERE id = mark)
        AND NOT EXISTS (SELECT FROM gw.doubts WHERE entry = mark AND accepted_at IS NOT NULL)) AS missing`;
}

/** Servers with a synchronous standby, as far as this process has seen. */
const SYNCHRONOUS = new WeakSet<Server>();

/**
 * @param compared the marks are all that this machine has
 * @param accounts those to send for, as far as they are known
 * @param run writes what nobody has told yet. If that fails, this machine refuses all the same.
 * @returns why nothing may be sent; undefined if sending is allowed
 */
export async function restoredFailure(
  { server, author }: Pick<Onlooker, 'server' | 'author'>,
  compared: Compared,
  accounts: readonly string[],
  run?: RunStatement,
): Promise<Failure | undefined> {
  const label = labelOfAddress(server.address);
  const missing = missingOf(compared);
  const told = JSON.parse(compared.doubts ?? '[]') as Doubt[];
  const doubts = doubtsOf(server, compared, missing);
  if (run)
    for (const { reason, entry = null, entry_at = null } of doubts)
      if (!told.some((one) => one.reason === reason && one.entry === entry))
        await attempt(run(TELL, [reason, entry, entry_at, author.operator, author.machine]));
  const all = [...doubts, ...told];
  // A missing entry says most.
  const doubt = all.find(({ entry }) => entry) ?? all[0];
  if (doubt) return restored(doubtText(doubt, label), ACCEPT);
  const senders = accounts.map(digestOf);
  const elsewhere = missing.findLast(({ account }) => senders.includes(account));
  if (elsewhere)
    return restored(
      `This machine has seen an entry of ${instantText(elsewhere.at)} of the same account in another ledger. The ledger at ${label} lacks it (${elsewhere.entry}).`,
      'Check the address. If the account changes its ledger, bring the other one there first (pg_dump), or the owner of this one runs `gw ledger init --accept-restore`. If it uses both, give each an XDG_STATE_HOME of its own.',
    );
  if (compared.isSynchronous) SYNCHRONOUS.add(server);
  return undefined;
}

const TELL =
  'INSERT INTO gw.doubts (reason, entry, entry_at, operator, machine) VALUES ($1, $2, $3, $4, $5)';
const ACCEPT =
  'No machine sends anything until its owner accepts that. Compare it with the gateway (`gw reconcile`, `gw journal list --unresolved`). Then its owner runs `gw ledger init --accept-restore`.';

function restored(message: string, next: string): Failure {
  return new Failure('ledger-restored', message, next);
}

/** @returns what this machine notices, the newest missing entry first */
function doubtsOf(
  server: Server,
  { id, isOther, isLater }: Standing,
  missing: readonly LedgerMark[],
): Doubt[] {
  const own = missing.filter(({ ledger }) => ledger === digestOf(id)).toReversed();
  const doubts: Doubt[] = own.map(({ entry, at }) => ({ reason: OLDER, entry, entry_at: at }));
  if (isOther)
    return [...doubts, { reason: 'it is on another server or in another database than before' }];
  if (!isLater || SYNCHRONOUS.has(server)) return doubts;
  return [...doubts, { reason: `a standby took over, or ${OLDER}` }];
}

const OLDER = 'an older state of it was restored';

/** @returns a doubt in sentences, with who told it and when */
export function doubtText(doubt: Doubt, label: string): string {
  const { reason, entry, entry_at, told_by = 'This machine', entered_at } = doubt;
  const what = entry
    ? `has seen an entry of ${instantText(entry_at ?? '')} that the ledger at ${label} lacks (${entry})`
    : `noticed that the ledger at ${label} may lack the last requests`;
  const when = entered_at === undefined ? '' : ` It was noticed on ${instantText(entered_at)}.`;
  return `${told_by} ${what}: ${reason}.${when}`;
}

/** @returns marks that the ledger lacks, oldest first, but for those that an owner has given up */
function missingOf({ completeSince, missing, marks }: Compared): LedgerMark[] {
  const ids = new Set(JSON.parse(missing ?? '[]') as string[]);
  return marks.filter(
    ({ entry, at }) => ids.has(entry) && (completeSince === null || at > completeSince),
  );
}

/**
 * Looks at a ledger, and tells what this machine notices.
 * @returns why nothing may be sent with this ledger; undefined if sending is allowed
 */
export async function findRestored(onlooker: Onlooker): Promise<Failure | undefined> {
  const { server } = onlooker;
  const marks = onlooker.marks?.all() ?? [];
  const [standing] = await server.runAgain<Standing>(
    `SELECT ${standingColumns(marks)} FROM gw.ledger`,
  );
  const run = server.run.bind(server);
  return standing && restoredFailure(onlooker, { ...standing, marks }, [], run);
}

/** @returns what an owner has to accept, and when the newest entry before that was written (ISO 8601, UTC) */
export async function findGap(server: Server): Promise<{ doubts: Doubt[]; since: string | null }> {
  const [found] = await server.runAgain<{ doubts: string | null; since: string | null }>(
    `SELECT ${DOUBTS} AS doubts, max(created_at) AS since FROM gw.money_requests
      WHERE created_at < coalesce(
        (SELECT min(entry_at) FROM gw.doubts WHERE accepted_at IS NULL), 'infinity')`,
  );
  return { doubts: JSON.parse(found?.doubts ?? '[]') as Doubt[], since: found?.since ?? null };
}
