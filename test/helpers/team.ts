/** Machines of a team: homes and process groups of their own, one ledger on a server. */
import type { LedgerEntry } from '../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../src/journal/postgres/postgres-ledger.ts';
import { type Place, placeFor } from './batch.ts';
import { serverOf } from './postgres.ts';
import { PROGRAM } from './program.ts';
import { type Running, start } from './run.ts';
import { temporaryDirectory } from './temporary.ts';

export interface Machine extends Place {
  /** The operator in its entries. */
  operator: string;
}

/** @param url of the gateway @param ledger address of the ledger */
export function machineFor(operator: string, url: string, ledger: string): Machine {
  const place = placeFor(temporaryDirectory(), url);
  return {
    ...place,
    operator,
    env: { ...place.env, GW_LEDGER_URL: ledger, GW_OPERATOR: operator },
  };
}

/** Starts gw in a process group of its own. */
export function startOn({ home, env }: Machine, args: readonly string[]): Running {
  const options = { cwd: home, env, input: '', detached: true };
  return start(process.execPath, [PROGRAM, ...args], options);
}

/** Kills it like a machine that dies. @returns false if it has ended by itself */
export function killMachine({ child }: Running): boolean {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
  process.kill(-child.pid, 'SIGKILL');
  return true;
}

/** Everything a ledger on a server holds. */
export async function teamEntries(ledger: string): Promise<LedgerEntry[]> {
  const author = { operator: 'a test', machine: 'a test' };
  const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
  const opened = openPostgresLedger(serverOf(ledger), { author, clock });
  try {
    return await opened.list({ limit: 1_000_000 });
  } finally {
    await opened.close();
  }
}
