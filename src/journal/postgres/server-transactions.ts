/**
 * Transactions of a ledger on a server. Whoever writes an intent locks the rows of its targets first, so that
 * of two who write about the same one waits for the other; and each reads what the ledger is in the same
 * round trip, so that one that has become another is written to by nobody.
 *
 * Who stalls with locks holds others up for `IDLE_MS`: then the server ends that transaction, and nothing of it
 * is kept.
 */
import { createHash } from 'node:crypto';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { TARGET_LOCKS } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { perform } from '../../store/postgres/postgres-store.ts';
import { BEGIN, type Server } from '../../store/postgres/server.ts';
import type { Work } from '../../store/sql.ts';
import type { Intent } from '../requests/intents.ts';
import type { LedgerMark } from './ledger-marks.ts';
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

interface Began extends Standing {
  form: number;
  now: string;
}

export interface TransactionSettings {
  /** Numbers of the rows that it needs. */
  locks?: readonly number[];
  /** Told right before it begins, and again when it is repeated. */
  onBegin?: () => void;
  /** Asked right before it begins, and again when it is repeated: marks that the ledger has to have (restored.ts). */
  marks?: () => readonly LedgerMark[];
}

/**
 * Does work in one transaction. With locks it is for what is to be sent.
 * @throws as `Server.transaction`; Failure guard when the ledger has another form than this gw writes, or is to be
 *   sent nothing for
 */
export function transact<Result>(
  server: Server,
  work: () => Work<Result>,
  { locks = [], onBegin, marks = () => [] }: TransactionSettings = {},
): Promise<Result> {
  let asked: readonly LedgerMark[] = [];
  const begin = () => {
    asked = marks();
    onBegin?.();
    return beginning(locks, asked);
  };
  return server.transaction(async (run, began = []) => {
    const ledger = (began as readonly Partial<Began>[]).find(({ form }) => form !== undefined);
    refuseOtherForm(ledger?.form ?? 0, labelOfAddress(server.address));
    const refused = locks.length > 0 && restoredFailure(server, ledger as Began, asked);
    if (refused) throw refused;
    return perform(run, work(), ledger?.now);
  }, begin);
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
