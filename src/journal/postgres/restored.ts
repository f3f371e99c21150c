/**
 * Whether a ledger on a server may have forgotten what was sent: an older state of it was restored, or another
 * server has it now. Nothing that moves money is sent then until an owner accepts that; outcomes are written.
 *
 *   marks       entries that this machine has seen have to be there (ledger-marks.ts)
 *   system_id   the server is the one that the ledger was made on, or accepted on
 *   timeline    no standby has taken over from it since
 *
 * `complete_since` of the ledger is when an owner last accepted, or of when the newest entry is that was pruned: what
 * was written until then may be missing.
 */
import { instantText } from '../../base/text.ts';
import { Failure } from '../../failure.ts';
import { SYSTEM_ID, TIMELINE } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import type { LedgerMark } from './ledger-marks.ts';

/** The state of a ledger, as its server knows it. */
export interface Standing {
  /** Whether what is kept is on a standby as well. */
  isSynchronous: boolean;
  /** Whether the server is not the one that has the ledger, as far as that is known. */
  isOther: boolean | null;
  /** Whether a standby has taken over, or an older state of the server was restored. */
  isLater: boolean | null;
  completeSince: string | null;
  /** Ids of marks that it does not have, as JSON. */
  missing: string | null;
}

/** @returns columns of `gw.ledger` that make a `Standing` */
export function standingColumns(marks: readonly LedgerMark[]): string {
  const ids = marks.map(({ entry }) => `'${entry}'`);
  return `current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
    system_id <> ${SYSTEM_ID} AS "isOther", timeline <> ${TIMELINE} AS "isLater",
    complete_since AS "completeSince",
    (SELECT json_agg(mark) FROM unnest(ARRAY[${ids}]::text[]) AS mark
      WHERE NOT EXISTS (SELECT FROM gw.money_requests WHERE id = mark)) AS missing`;
}

/** Servers of which this process knows that a standby has all that they kept. */
const SYNCHRONOUS = new WeakSet<Server>();

/** @returns why nothing may be sent, if so */
export function restoredFailure(
  server: Server,
  standing: Standing,
  marks: readonly LedgerMark[],
): Failure | undefined {
  const label = labelOfAddress(server.address);
  const mark = missingOf(standing, marks).at(-1);
  if (mark)
    return restored(
      `The ledger at ${label} does not have an entry of ${instantText(mark.at)} that this machine has seen: an older state of it was restored, or it is another ledger.`,
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

/** @returns marks that the ledger has to have and does not */
function missingOf(
  { completeSince, missing }: Standing,
  marks: readonly LedgerMark[],
): LedgerMark[] {
  const ids = new Set(JSON.parse(missing ?? '[]') as string[]);
  return marks.filter(
    ({ entry, at }) => ids.has(entry) && (completeSince === null || at > completeSince),
  );
}

/** @returns why nothing may be sent to a ledger, if so */
export async function findRestored(
  server: Server,
  marks: readonly LedgerMark[],
): Promise<Failure | undefined> {
  const [standing] = await server.runAgain<Standing>(
    `SELECT ${standingColumns(marks)} FROM gw.ledger`,
  );
  return standing && restoredFailure(server, standing, marks);
}

/** The time in which a ledger lacks entries. */
export interface Gap {
  /** When its newest entry before them was written (ISO 8601, UTC); null where it has none. */
  since: string | null;
  /** When the newest was written of those that are missing, as far as this machine has seen it. */
  until: string | undefined;
}

/** @returns since when entries may be missing in a ledger */
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
