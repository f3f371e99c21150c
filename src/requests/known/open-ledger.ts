/** The door of every command to the ledger in use. */
import { count } from '../../base/text.ts';
import {
  hasLedger,
  type LedgerChoice,
  type LedgerHost,
  type LedgerOptions,
  type LedgerPlace,
  ledgerPlace,
} from '../../client/ledger/place.ts';
import { Failure, orFailure } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Ledger } from '../../journal/ledger.ts';
import type { LotHost } from '../lots.ts';

/** Learning this many takes a second or more. */
const MANY_DUE = 1_000;

/** The parts of the host by which a ledger is opened and its index learns what is due. */
export type KnownHost = LedgerHost & LotHost;

/** The needs of a command. */
export interface LedgerNeeds extends LedgerChoice, Omit<LedgerOptions, 'own' | 'readSources'> {
  /**
   * - `sends`: entries and records, to read or to write. A missing file is made.
   * - `learns`: things as well. The index first learns what is due, which writes. A missing file is made.
   * - `reads`: the same as `learns`, of a ledger that is there. Without one, nothing is opened.
   */
  needs: 'reads' | 'learns' | 'sends';
}

/**
 * Opens the ledger in use. With a ledger on a server, its things also cover the events that this machine received.
 * @returns undefined if the caller only reads and nothing is kept
 * @throws Failure guard if it cannot be used; interrupted while it learns
 */
export async function openLedger(
  host: KnownHost,
  needs: LedgerNeeds & { needs: 'learns' | 'sends' },
): Promise<Ledger>;
export async function openLedger(host: KnownHost, needs: LedgerNeeds): Promise<Ledger | undefined>;
export async function openLedger(
  host: KnownHost,
  { needs, profile, ...options }: LedgerNeeds,
): Promise<Ledger | undefined> {
  const place = await ledgerPlace(host, { profile });
  if (needs === 'reads' && !hasLedger(host, place)) return undefined;
  const { openLedgerAt } = await import('../../client/ledger/open.ts');
  if (needs === 'sends') return openLedgerAt(host, place, options);
  const ledger = await openLedgerAt(host, place, { ...options, ...(await sourcesAt(host, place)) });
  try {
    await learn(host, ledger);
  } catch (error) {
    await ledger.close();
    throw error;
  }
  return ledger;
}

/** @returns how the sources of things are read at a place, of which events are this machine's own */
async function sourcesAt(
  host: KnownHost,
  place: LedgerPlace,
): Promise<Pick<LedgerOptions, 'own' | 'readSources'>> {
  if (place.kind === 'server') {
    const { ownEvents } = await import('./own-events.ts');
    return { own: await ownEvents(host) };
  }
  const { readSources } = await import('./learn-due.ts');
  return { readSources };
}

/** @throws Failure interrupted; a reader goes on with what is known after any other failure */
async function learn(host: KnownHost, ledger: Ledger): Promise<void> {
  const due = await ledger.things.due();
  // Progress is for a terminal: a program reads one error object on stderr.
  if (due > MANY_DUE && host.stderr.isTerminal)
    await host.stderr.write(`gw first adds ${count(due)} new entries to the index.\n`);
  if (due === 0) return;
  const { learnInLots } = await import('./learn-due.ts');
  const failure = await orFailure(learnInLots(host, ledger.sql));
  if (!(failure instanceof Failure)) return;
  if (failure.kind === 'interrupted') throw failure;
  await host.stderr.write(
    `Note: gw could not index its newest entries. A search may not find them. ${neutralise(failure.message)}\n`,
  );
}
