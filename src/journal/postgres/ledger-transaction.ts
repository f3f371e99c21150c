/**
 * Transactions of a ledger on a server. Whoever writes an intent locks the rows of its targets first, so that
 * of two who write about the same one waits for the other; and each reads what the ledger is in the same
 * round trip, so that one that has become another is written to by nobody.
 *
 * Who stalls with locks holds others up for `IDLE_MS`: then the server ends that transaction, and nothing of it
 * is kept.
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

/** What is written is on the disk of the server before it is answered, and on that of a standby it waits for. */
const BEGIN_WITHIN_LIMITS = `
  ${BEGIN};
  SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS};
  SET LOCAL lock_timeout = ${LOCK_MS};
  SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;

/** The way to a ledger, and what this machine knows of it. */
export interface LedgerConnection {
  server: Server;
  clock: Pick<Clock, 'now' | 'uptimeMs'>;
  /** Entries of the ledger that this machine has seen. */
  marks: LedgerMarks | undefined;
}

/** A transaction that has begun. */
export interface LedgerTransaction {
  run: RunStatement;
  /** When it began, by the server's clock (ISO 8601, UTC). */
  now: string;
  /** Begins before the transaction does: what waits for locks has part of it already. */
  lease: Lease;
  /** The marks that were compared: the ledger has them. */
  marks: readonly LedgerMark[];
}

interface BegunLedger extends Standing {
  form: number;
  now: string;
}

/**
 * Does work in one transaction; it may be repeated, so it changes nothing but rows.
 * @param locks numbers of the rows that it needs. With some it is for what is to be sent, and a ledger that may
 *   have forgotten entries is refused
 * @throws as `Server.transaction`; Failure guard when the ledger has another form than this gw writes, or is to be
 *   sent nothing for
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

/** As `transact` without locks, for what may be done twice: once more where the end of the transaction was lost. */
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

/** In one order by all, so that of two who want several neither waits for the other for ever. */
function beginning(locks: readonly number[], marks: readonly LedgerMark[]): string {
  const began = `${BEGIN_WITHIN_LIMITS};
    SELECT form, now() AS now, ${standingColumns(marks)} FROM gw.ledger`;
  if (locks.length === 0) return began;
  return `${began};
    SELECT number FROM gw.target_locks WHERE number IN (${locks}) ORDER BY number FOR UPDATE`;
}

/**
 * A target decides what repeats, and what it gives back from decides what is left; a line is one of its batch,
 * whatever it asks for.
 * @returns numbers below `TARGET_LOCKS`; the same for the same names in every version of gw
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

/**
 * Waits for statements that went out together. What follows one that failed fails for that reason alone, so all of
 * them have to end before the transaction does.
 * @returns their results @throws what the first of them did that failed
 */
export async function allOf<Results extends readonly unknown[] | []>(
  statements: Results,
): Promise<{ -readonly [Index in keyof Results]: Awaited<Results[Index]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
