/**
 * Transactions of a ledger on a server. A transaction that writes an intent first locks the rows of its targets. If two
 * intents concern the same target, the second waits. Each transaction also reads the ledger's state in the same round
 * trip. So gw writes nothing to a ledger of another form, and no intent to one that was restored.
 *
 * A transaction that stalls while it holds locks delays others for at most `IDLE_MS`. Then the server ends and rolls
 * back the transaction.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../../host/host.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { TARGET_LOCKS } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { BEGIN, isLost, type RunStatement, type Server } from '../../store/postgres/server.ts';
import type { IntentConditions, MoneyRequest } from '../ledger.ts';
import { beginLease, type Lease } from '../sending.ts';
import type { LedgerMark, LedgerMarks } from './ledger-marks.ts';
import { restoredFailure, type Standing, standingColumns } from './restored.ts';

const IDLE_MS = 3_000;
const LOCK_MS = 2 * IDLE_MS;

/** Before the server answers, the write is on its disk, and on that of any standby it waits for. */
const BEGIN_WITHIN_LIMITS = `
  ${BEGIN};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS};
  SET LOCAL lock_timeout = ${LOCK_MS};
  SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;

/** Connection to a ledger, with what this machine knows of it. */
export interface LedgerConnection {
  server: Server;
  clock: Pick<Clock, 'now' | 'uptimeMs'>;
  /** Entries of the ledger that this machine has seen. */
  marks: LedgerMarks | undefined;
}

/** A transaction that has begun. */
export interface LedgerTransaction {
  run: RunStatement;
  /** When the transaction began, by the server's clock (ISO 8601, UTC). */
  now: string;
  /** Begins before the transaction, so waiting for locks uses up part of it. */
  lease: Lease;
  /** Marks that were compared; the ledger has all of them. */
  marks: readonly LedgerMark[];
}

interface BegunLedger extends Standing {
  form: number;
  now: string;
}

/**
 * Does work in one transaction. The work may run twice, so it must change nothing but rows.
 * @param locks numbers of the rows to lock. With locks, the transaction is for sending, and a ledger that may have
 *   forgotten entries is refused.
 * @throws what `Server.transaction` throws; Failure guard if the ledger's form is not the one this gw writes, or
 *   nothing may be sent
 */
export function transact<Result>(
  { server, clock, marks }: LedgerConnection,
  locks: readonly number[],
  work: (transaction: LedgerTransaction) => Promise<Result>,
): Promise<Result> {
  const isForSending = locks.length > 0;
  let lease = beginLease(clock);
  let known: readonly LedgerMark[] = [];
  const begin = () => {
    known = isForSending && marks ? marks.all() : [];
    lease = beginLease(clock);
    return beginning(locks, known);
  };
  return server.transaction(async (run, began = []) => {
    const ledger = (began as readonly Partial<BegunLedger>[]).find(
      ({ form }) => form !== undefined,
    );
    const { form = 0, now = '' } = ledger ?? {};
    refuseOtherForm(form, labelOfAddress(server.address));
    const refused = isForSending && restoredFailure(server, ledger as BegunLedger, known);
    if (refused) throw refused;
    return work({ run, now, lease, marks: known });
  }, begin);
}

/**
 * Does work that is safe to do twice in a transaction without locks. Retries once if the connection was lost at commit.
 */
export async function transactAgain<Result>(
  connection: LedgerConnection,
  work: (transaction: LedgerTransaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transact(connection, [], work);
  } catch (error) {
    if (!isLost(error)) throw error;
    return transact(connection, [], work);
  }
}

/** Everybody locks the rows in the same order, so two transactions that need several cannot deadlock. */
function beginning(locks: readonly number[], marks: readonly LedgerMark[]): string {
  const began = `${BEGIN_WITHIN_LIMITS};
    SELECT form, now() AS now, ${standingColumns(marks)} FROM gw.ledger`;
  if (locks.length === 0) return began;
  return `${began};
    SELECT number FROM gw.target_locks WHERE number IN (${locks}) ORDER BY number FOR UPDATE`;
}

/**
 * The target decides what is a duplicate, and the refunded purchase decides what is left. A line is locked under its
 * batch, whatever it asks for.
 * @returns numbers below `TARGET_LOCKS`; every version of gw gives the same numbers for the same names
 */
export function locksOf(
  { target, refundOf }: Pick<MoneyRequest, 'target' | 'refundOf'>,
  line: IntentConditions['line'],
): number[] {
  const names = [target ?? '', ...(refundOf === null || refundOf === target ? [] : [refundOf])];
  if (line) names.push(`${line.batch} ${line.line}`);
  return names.map(
    (name) => createHash('sha256').update(name).digest().readUInt32BE() % TARGET_LOCKS,
  );
}
