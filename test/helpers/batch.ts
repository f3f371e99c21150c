/** Batches of the built program, against a server of this process. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProcesses } from '../../src/host/processes.ts';
import type { LedgerEntry } from '../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../src/journal/sqlite/sqlite-ledger.ts';
import { PROGRAM } from './program.ts';
import { type Ended, type Running, start } from './run.ts';

export interface Place {
  /** HOME of the programs, and where their files are. */
  home: string;
  env: Record<string, string>;
}

/** @param url the gateway that the account TEST is for */
export function placeFor(home: string, url: string): Place {
  return {
    home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      GW_USERNAME: 'TEST',
      GW_API_TOKEN: 'TEST',
      GW_BASE_URL: url,
      GW_ENVIRONMENT: 'sandbox',
    },
  };
}

export function startGw({ home, env }: Place, args: readonly string[], input?: string): Running {
  return start(process.execPath, [PROGRAM, ...args], { cwd: home, env, input: input ?? '' });
}

export function gw(place: Place, args: readonly string[], input?: string): Promise<Ended> {
  return startGw(place, args, input).ended;
}

export interface Result {
  line: number;
  outcome: string;
  earlier?: boolean;
  entry?: string;
  record?: Record<string, unknown>;
  error?: Record<string, unknown>;
}

export function resultsOf({ stdout }: Pick<Ended, 'stdout'>): Result[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
}

/** Writes a CSV of refunds, ten of each purchase. @returns its path, and the references in order */
export function writeRefunds(
  { home }: Place,
  purchases: readonly string[],
  count: number,
): { file: string; references: string[] } {
  const references = Array.from({ length: count }, (_, n) => `R-${n}`);
  const rows = references.map(
    (reference, n) => `${purchases[n % purchases.length]},100,${reference}`,
  );
  const file = path.join(home, 'refunds.csv');
  writeFileSync(file, `transaction_id,amount,reference\n${rows.join('\n')}\n`);
  return { file, references };
}

/** Everything the ledger of a place holds. */
export async function entriesOf({ home }: Place): Promise<LedgerEntry[]> {
  const file = path.join(home, '.local/state/gw/ledger.db');
  // Opened as gw does, so requests of a process that ended are unknown.
  const ledger = await openSqliteLedger(
    file,
    { now: () => new Date() },
    { processes: createProcesses() },
  );
  try {
    return await ledger.list({ limit: 1_000_000 });
  } finally {
    await ledger.close();
  }
}
