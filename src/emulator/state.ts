/** The stored state of the test gateway for commands: opens it, starts it over, describes it. */

import { existsSync, renameSync } from 'node:fs';
import type { Dialect } from '../contract/local-account.ts';
import type { RecordKind } from '../contract/record.ts';
import { usage } from '../failure.ts';
import type { Host } from '../host/host.ts';
import { emulatorPath } from '../store/paths.ts';
import { allRows, onlyRow } from '../store/sql.ts';
import { NotOurFile } from '../store/sqlite/file-failure.ts';
import { countQueued } from './deliveries/queue.ts';
import type { ClockState, GatewayClock } from './gateway-clock.ts';
import { type Beginning, contentsOf } from './initial-contents.ts';
import type { Merchant } from './resources/merchants.ts';
import type { Table } from './resources/record-lookup.ts';
import { Store, type Transaction } from './store.ts';

/** The beginning is for a new file. An existing file keeps its contents, so a seed is refused for it. */
export interface StateOptions extends Beginning {
  /** A file, which is created with its directories (0700) if it is missing, or `:memory:`. */
  path: string;
  clock: Pick<GatewayClock, 'now'>;
}

/**
 * Opens the state; the caller closes it.
 * @throws Failure usage if the file cannot be used, or a seed is given for a file that has state
 */
export function openState({ path, clock, ...beginning }: StateOptions): Store {
  const store = new Store({ path, clock, contents: () => contentsOf(beginning) });
  if (beginning.seed && !store.isNew) {
    store.close();
    throw usage(
      'seed-not-used',
      `The built-in test gateway's file ${path} already has records, so the seed was not used.`,
      'Add --fresh to start over, or choose another file.',
    );
  }
  return store;
}

/**
 * Opens the state for a command, and closes it after `work`.
 * @param db the value of --db
 * @returns the result of `work`
 * @throws Failure usage if the file cannot be used
 */
export async function withState<Result>(
  { clock, files }: Pick<Host, 'clock' | 'files'>,
  db: string | undefined,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openState({ path: db ?? emulatorPath(files), clock });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/**
 * Replaces the whole contents of the file by those of a new one, in one step. A server or process that has the file
 * open goes on with the new contents. A damaged file, or one that is not the test gateway's, is moved aside and not
 * deleted.
 * @returns the new place of the old file, if it was moved; how many deliveries were queued
 * @throws Failure usage if the file cannot be written or is locked
 */
export function resetState({ path, clock, ...beginning }: StateOptions): {
  movedTo?: string;
  queued: number;
} {
  const contents = contentsOf(beginning);
  const replace = () => {
    const store = new Store({ path, clock, contents: () => contents });
    try {
      const queued = store.read(countQueued);
      if (!store.isNew) store.replaceContents(contents);
      return queued;
    } finally {
      store.close();
    }
  };
  try {
    return { queued: replace() };
  } catch (error) {
    if (!(error instanceof NotOurFile)) throw error;
    const movedTo = moveAside(path);
    return { movedTo, queued: replace() };
  }
}

function moveAside(path: string): string {
  let target = `${path}.old`;
  for (let n = 2; existsSync(target); n++) target = `${path}.old-${n}`;
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(path + part)) renameSync(path + part, target + part);
  }
  return target;
}

export interface StateDescription {
  path: string;
  seed: string;
  dialect: Dialect;
  clock: {
    /** The gateway's own time. */
    now: Date;
    /** true if time stands still. */
    frozen: boolean;
    /** The lead of the gateway's time over the outer clock while it runs; negative if it is behind. */
    offsetMs: number;
  };
  /** The first day that is not billed yet. */
  billingDay: string;
  /** The number of hooks, and of the deliveries queued for them. */
  hooks: number;
  queued: number;
  merchants: (Merchant & { records: Record<RecordKind, number> })[];
}

/** Describes the contents of the store at one moment. */
export function describeState(store: Store): StateDescription {
  return store.read((tx) => {
    const settings = tx.do(onlyRow<ClockState>('SELECT frozen_at, offset_ms FROM gateway'));
    const merchants = tx.do(
      allRows<Merchant>('SELECT prefix, username, currency FROM merchants ORDER BY rowid'),
    );
    return {
      path: store.path,
      seed: tx.seed,
      dialect: tx.dialect,
      clock: {
        now: tx.now,
        frozen: settings.frozen_at !== null,
        offsetMs: settings.offset_ms,
      },
      billingDay: tx.billingDay,
      hooks: tx.do(onlyRow<{ n: number }>('SELECT count(*) AS n FROM hooks')).n,
      queued: countQueued(tx),
      merchants: merchants.map((merchant) => ({
        ...merchant,
        records: countRecords(tx, merchant),
      })),
    };
  });
}

function countRecords(tx: Transaction, merchant: Merchant): Record<RecordKind, number> {
  const rows = (table: Table | 'cards') =>
    tx.do(
      onlyRow<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE merchant = ?`, [
        merchant.prefix,
      ]),
    ).n;
  return {
    card: rows('cards'),
    purchase: rows('purchases'),
    refund: rows('refunds'),
    plan: rows('plans'),
    customer: rows('customers'),
    subscription: rows('subscriptions'),
  };
}
