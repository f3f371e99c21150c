/**
 * Detects that a ledger on a server may have forgotten requests: an older state was restored, or another server has it
 * now. Until an owner accepts that, gw sends nothing that moves money, but still writes outcomes.
 *
 *   marks       entries that this machine has seen must be there (ledger-marks.ts)
 *   system_id   the server must be the one that created or accepted the ledger
 *   timeline    no standby may have taken over since
 *
 * `complete_since` in the ledger is when an owner last accepted, or when the newest pruned entry was written. Entries
 * written up to then may be missing.
 */
import { instantText } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import { SYSTEM_ID, TIMELINE } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import type { LedgerMark } from './ledger-marks.ts';

/** The state of a ledger, according to its server. */
export interface Standing {
  /** Whether a standby has every commit too. */
  isSynchronous: boolean;
  /** Whether another server has the ledger now; null if unknown. */
  isOther: boolean | null;
  /** Whether a standby took over, or an older state of the server was restored; null if unknown. */
  isLater: boolean | null;
  completeSince: string | null;
  /** Ids of marks that the ledger lacks, as JSON. */
  missing: string | null;
}

/** @returns columns of `gw.ledger` that make up a `Standing` */
export function standingColumns(marks: readonly LedgerMark[]): string {
  const ids = marks.map(({ entry }) => `'${entry}'`);
  return `current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
    system_id <> ${SYSTEM_ID} AS "isOther", timeline <> ${TIMELINE} AS "isLater",
    complete_since AS "completeSince",
    (SELECT json_agg(mark) FROM unnest(ARRAY[${ids}]::text[]) AS mark
      WHERE NOT EXISTS (SELECT FROM gw.money_requests WHERE id = mark)) AS missing`;
}

/** Servers with a synchronous standby, as far as this process has seen. */
const SYNCHRONOUS = new WeakSet<Server>();

/** @returns why nothing may be sent; undefined if sending is allowed */
export function restoredFailure(
  server: Server,
  standing: Standing,
  marks: readonly LedgerMark[],
): Failure | undefined {
  const label = labelOfAddress(server.address);
  const mark = missingOf(standing, marks).at(-1);
  if (mark)
    return restored(
      `This machine has seen an entry of ${instantText(mark.at)} that the ledger at ${label} lacks. An older state of it was restored, or it is another ledger.`,
      'If the profile is to use another ledger, bring the old one there first (pg_dump).',
    );
  const { isOther, isLater, isSynchronous } = standing;
  if (isOther || (isLater && !SYNCHRONOUS.has(server)))
    return restored(
      `Another server has the ledger at ${label} now: it was restored, or a standby took over. It may lack the last requests.`,
    );
  if (isSynchronous) SYNCHRONOUS.add(server);
  return undefined;
}

function restored(message: string, more = ''): Failure {
  return new Failure('guard', message, {
    code: 'ledger-restored',
    next: `Compare it with the gateway (\`gw reconcile\`, \`gw journal list --unresolved\`). Then its owner runs \`gw ledger init --accept-restore\`. ${more}`.trim(),
  });
}

/** @returns marks that the ledger must have but lacks */
function missingOf(
  { completeSince, missing }: Standing,
  marks: readonly LedgerMark[],
): LedgerMark[] {
  const ids = new Set(JSON.parse(missing ?? '[]') as string[]);
  return marks.filter(
    ({ entry, at }) => ids.has(entry) && (completeSince === null || at > completeSince),
  );
}

/** @returns why nothing may be sent with this ledger; undefined if sending is allowed */
export async function findRestored(
  server: Server,
  marks: readonly LedgerMark[],
): Promise<Failure | undefined> {
  const [standing] = await server.runAgain<Standing>(
    `SELECT ${standingColumns(marks)} FROM gw.ledger`,
  );
  return standing && restoredFailure(server, standing, marks);
}

/** Period in which a ledger lacks entries. */
export interface Gap {
  /** When the newest entry before the gap was written (ISO 8601, UTC); null if there is none. */
  since: string | null;
  /** When the newest missing entry was written, as far as this machine has seen. */
  until: string | undefined;
}

/** @returns the period from which entries may be missing */
export async function findGap(run: RunStatement, marks: readonly LedgerMark[]): Promise<Gap> {
  const [standing] = await run<Standing>(`SELECT ${standingColumns(marks)} FROM gw.ledger`);
  const missing = standing ? missingOf(standing, marks) : [];
  const before = missing[0]?.at ?? 'infinity';
  const [found] = await run<{ since: string | null }>(
    'SELECT max(created_at) AS since FROM gw.money_requests WHERE created_at < $1',
    [before],
  );
  return { since: found?.since ?? null, until: missing.at(-1)?.at };
}
