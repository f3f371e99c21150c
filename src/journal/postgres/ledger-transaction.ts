/**
 * Transactions of a ledger on a server. A transaction that writes an intent first locks the rows of its targets. If two
 * intents concern the same target, the second waits. Each transaction also reads the ledger's state in the same round
 * trip. So gw writes nothing to a ledger of another form, and no intent to one that was restored.
 *
 * A transaction that stalls while it holds locks delays others for at most `IDLE_MS`. Then the server ends and rolls
 * back the transaction.
 */
import { createHash } from 'node:crypto';
import { Failure, orFailure } from '../../failure.ts';
import type { Clock } from '../../host/host.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { TARGET_LOCKS } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { BEGIN, type Begun, isLost, type RunStatement } from '../../store/postgres/server.ts';
import { beginLease, type Lease } from '../sending.ts';
import type { Intent } from '../statements.ts';
import type { LedgerMark } from './ledger-marks.ts';
import { type Onlooker, restoredFailure, type Standing, standingColumns } from './restored.ts';

const IDLE_MS = 3_000;
const LOCK_MS = 2 * IDLE_MS;

/** Before the server answers, the write is on its disk, and on that of any standby it waits for. */
const BEGIN_WITHIN_LIMITS = `
  ${BEGIN};
  SELECT set_config('idle_in_transaction_session_timeout', '${IDLE_MS}', true),
         set_config('lock_timeout', '${LOCK_MS}', true),
         set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;

/** Connection to a ledger, with what this machine knows of it. */
export interface LedgerConnection extends Onlooker {
  clock: Pick<Clock, 'now' | 'uptimeMs'>;
}

/** A transaction that has begun. */
export interface LedgerTransaction extends Pick<Begun<unknown>, 'commit'> {
  run: RunStatement;
  /** When the transaction began, by the server's clock (ISO 8601, UTC). */
  now: string;
  /** Begins before the transaction, so waiting for locks uses up part of it. */
  lease: Lease;
  /** Id of the ledger. */
  ledger: string;
  /** Marks that were compared. */
  marks: readonly LedgerMark[];
}

interface BegunLedger extends Standing {
  form: number;
  now: string;
}

/** Work in a transaction. It may run twice, so it must change nothing but rows. */
export interface LedgerWork<Asked, Result> {
  /** Asks what the work needs to know, behind the locks, in the round trip that begins the transaction. */
  ask?: (run: RunStatement) => Promise<Asked>;
  /** Writes, once the ledger has said that it may be written to. */
  write: (transaction: LedgerTransaction, asked: Asked) => Promise<Result>;
}

/**
 * Does work in one transaction.
 * @param intents what is to be sent; undefined for other work. A ledger that may have forgotten entries is refused, and
 *   the transaction writes only why.
 * @throws what `Server.transaction` throws; Failure guard if the ledger's form is not the one this gw writes, or
 *   nothing may be sent
 */
export async function transact<Result, Asked = undefined>(
  connection: LedgerConnection,
  intents: readonly Intent[] | undefined,
  { ask, write }: LedgerWork<Asked, Result>,
): Promise<Result> {
  const { server, clock } = connection;
  const locks = [...new Set(intents?.flatMap(locksOf))];
  const accounts = (intents ?? []).map(({ request }) => request.account);
  let lease = beginLease(clock);
  let marks: readonly LedgerMark[] = [];
  let refused: Failure | undefined;
  const begin = () => {
    marks = (intents && connection.marks?.all()) ?? [];
    lease = beginLease(clock);
    refused = undefined;
    return beginning(locks, marks);
  };
  const ended = await orFailure(
    server.transaction<Result | Failure, Asked>(
      async (run, { rows, asked, commit }) => {
        const ledger = (rows as readonly BegunLedger[]).find(({ form }) => form !== undefined);
        refuseOtherForm(ledger?.form ?? 0, labelOfAddress(server.address));
        const { id, now } = ledger as BegunLedger;
        const compared = { ...(ledger as BegunLedger), marks };
        if (intents) refused = await restoredFailure(connection, compared, accounts, run);
        return refused ?? write({ run, commit, now, lease, ledger: id, marks }, await asked);
      },
      { begin, ...(ask && { ask }) },
    ),
  );
  // The refusal holds even if its reason could not be written.
  if (ended instanceof Failure) throw refused ?? ended;
  return ended;
}

/**
 * Does work that is safe to do twice in a transaction without locks. Retries once if the connection was lost at commit.
 */
export async function transactAgain<Result, Asked = undefined>(
  connection: LedgerConnection,
  work: LedgerWork<Asked, Result>,
): Promise<Result> {
  try {
    return await transact(connection, undefined, work);
  } catch (error) {
    if (!isLost(error)) throw error;
    return transact(connection, undefined, work);
  }
}

/**
 * Everybody locks the rows in the same order, so two transactions that need several cannot deadlock. The ledger is read
 * after that, so whoever waited sees the doubts of those before.
 */
function beginning(locks: readonly number[], marks: readonly LedgerMark[]): string {
  const lock = `SELECT FROM gw.target_locks WHERE number IN (${locks}) ORDER BY number FOR UPDATE`;
  return `${BEGIN_WITHIN_LIMITS}; ${locks.length === 0 ? '' : `${lock};`}
    SELECT form, now() AS now, ${standingColumns(marks)} FROM gw.ledger`;
}

/**
 * The target decides what is a duplicate, and the refunded purchase decides what is left. A line is locked under its
 * batch, whatever it asks for. Requests under a cap of one account wait for each other, so that each sees the others.
 * @returns numbers below `TARGET_LOCKS`; every version of gw gives the same numbers for the same names
 */
export function locksOf({ request, conditions }: Intent): number[] {
  const { target, refundOf, account, operation } = request;
  const names = [target ?? '', ...(refundOf === null || refundOf === target ? [] : [refundOf])];
  const line = conditions?.line;
  if (line) names.push(`${line.batch} ${line.line}`);
  if (conditions?.caps?.length) names.push(`${account} ${operation}`);
  return names.map(
    (name) => createHash('sha256').update(name).digest().readUInt32BE() % TARGET_LOCKS,
  );
}
