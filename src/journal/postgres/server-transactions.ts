/**
 * Transactions of a ledger on a server. Whoever writes an intent locks the rows of its targets first, so that
 * of two who write about the same one waits for the other; and each reads what the ledger is in the same
 * round trip, so that one that has become another is written to by nobody.
 *
 * Who stalls with locks holds others up for `IDLE_MS`: then the server ends that transaction, and nothing of it
 * is kept.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../failure.ts';
import { refuseOtherForm, SYSTEM_ID, TIMELINE } from '../../store/ledger/init.ts';
import { TARGET_LOCKS } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { perform } from '../../store/postgres/postgres-store.ts';
import { BEGIN, type Server } from '../../store/postgres/server.ts';
import type { Work } from '../../store/sql.ts';
import type { Intent } from '../requests/intents.ts';

const IDLE_MS = 3_000;
const LOCK_MS = 2 * IDLE_MS;

/** What is written is on the disk of the server before it is answered, and on that of a standby it waits for. */
const BEGIN_WITH_LEDGER = `
  ${BEGIN};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS};
  SET LOCAL lock_timeout = ${LOCK_MS};
  SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true);
  SELECT form, now() AS now, current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
         system_id <> ${SYSTEM_ID} AS "isOther", timeline <> ${TIMELINE} AS "isLater"
    FROM gw.ledger`;

interface Began {
  form?: number;
  now?: string;
  /** Whether what is kept is on a standby as well. */
  isSynchronous?: boolean;
  /** Whether the server is not the one that has the ledger, as far as that is known. */
  isOther?: boolean | null;
  /** Whether a standby has taken over, or an older state of the server was restored. */
  isLater?: boolean | null;
}

/** Servers of which this process knows that a standby has all that they kept. */
const SYNCHRONOUS = new WeakSet<Server>();

/**
 * What has taken over may have forgotten what was sent a moment ago: it would be sent again. Only what is sent
 * is held up by that; outcomes are written.
 */
function refuseRestored(server: Server, { isOther, isLater, isSynchronous }: Began): void {
  if (isOther || (isLater && !SYNCHRONOUS.has(server))) {
    const label = labelOfAddress(server.address);
    throw new Failure(
      'guard',
      `Another server has the ledger at ${label} now: it was restored, or a standby took over. It may lack the last requests.`,
      {
        code: 'ledger-restored',
        next: 'Compare it with the gateway (`gw reconcile`, `gw journal list --unresolved`). Then its owner runs `gw ledger init --accept-restore`.',
      },
    );
  }
  if (isSynchronous) SYNCHRONOUS.add(server);
}

export interface TransactionSettings {
  /** Numbers of the rows that it needs. */
  locks?: readonly number[];
  /** Told right before it begins, and again when it is repeated. */
  onBegin?: () => void;
}

/**
 * Does work in one transaction.
 * @throws as `Server.transaction`; Failure guard when the ledger has another form than this gw writes
 */
export function transact<Result>(
  server: Server,
  work: () => Work<Result>,
  { locks = [], onBegin }: TransactionSettings = {},
): Promise<Result> {
  const begin = () => {
    onBegin?.();
    return beginning(locks);
  };
  return server.transaction(async (run, began = []) => {
    const ledger = (began as readonly Began[]).find(({ form }) => form !== undefined) ?? {};
    refuseOtherForm(ledger.form ?? 0, labelOfAddress(server.address));
    if (locks.length > 0) refuseRestored(server, ledger);
    return perform(run, work(), ledger.now);
  }, begin);
}

/** In one order by all, so that of two who want several neither waits for the other for ever. */
function beginning(locks: readonly number[]): string {
  if (locks.length === 0) return BEGIN_WITH_LEDGER;
  return `${BEGIN_WITH_LEDGER};
    SELECT number FROM gw.target_locks WHERE number IN (${locks}) ORDER BY number FOR UPDATE`;
}

/**
 * A target decides what repeats, and what it gives back from decides what is left. The account is no part
 * of it, since one that is not known may be any; a line is one of its batch, whatever it asks for.
 * @returns numbers below `TARGET_LOCKS`; the same for the same names in every version of gw
 */
export function locksOf({ request, conditions }: Omit<Intent, 'id'>): number[] {
  const { target, refundOf } = request;
  const names = [target ?? '', ...(refundOf === null || refundOf === target ? [] : [refundOf])];
  if (conditions?.line) names.push(`${conditions.line.batch} ${conditions.line.line}`);
  return names.map(
    (name) => createHash('sha256').update(name).digest().readUInt32BE() % TARGET_LOCKS,
  );
}
