/** The checks of a batch that was killed and lost answers, after everything ended. */
import { expect } from 'vitest';
import type { LedgerEntry } from '../../src/journal/ledger.ts';
import { resultsOf } from './batch.ts';
import type { FaultGateway } from './fault-gateway.ts';
import type { Ended } from './run.ts';

export interface Quiet {
  gateway: FaultGateway;
  entries: readonly LedgerEntry[];
  /** The references of the lines, in order. */
  references: readonly string[];
  /** How the last run of each process ended. */
  last: readonly Ended[];
  /** How many requests may have been under way at a kill. */
  mostAbandoned: number;
  /** Outcomes of a line that say nothing of it. */
  isSilent?: (outcome: string) => boolean;
  /** The kills and faults, for the message of a failure. */
  seen: string;
}

const isAbandoned = ({ message }: LedgerEntry) => message?.startsWith('gw ended') ?? false;

/** On a machine that stands still for a moment, an answer that was sent may come too late. */
const ranOut = ({ message }: LedgerEntry) =>
  message?.includes('the time limit was reached') ?? false;

/** No refund twice, none lost, and unknown exactly those whose answer was lost; each run tells the whole of it. */
export function expectAgreement(quiet: Quiet): void {
  const { gateway, entries, references, seen, mostAbandoned } = quiet;
  const made = gateway.refunds();
  const referencesOf = (state: string) =>
    new Set(entries.filter((entry) => entry.state === state).map((entry) => entry.reference));
  const done = referencesOf('done');
  const unknown = referencesOf('unknown');
  const none = (found: Iterable<unknown>, what: string) =>
    expect([...found], `${what}; ${seen}`).toEqual([]);

  none(
    [...made].filter(([, count]) => count > 1),
    'refunded twice',
  );
  none(
    [...done].filter((reference) => !made.has(String(reference))),
    'done, and not',
  );
  none(
    references.filter((reference) => !done.has(reference) && !unknown.has(reference)),
    'neither done nor unknown when all is quiet',
  );
  none(
    [...done].filter((reference) => unknown.has(reference)),
    'both',
  );
  none(referencesOf('sending'), 'still sending');

  // A line with a lost answer is unknown. An unknown line lost its answer, or was in flight at a kill.
  none(
    [...gateway.lost].filter((reference) => !unknown.has(reference)),
    'lost, and known',
  );
  const uncertain = entries.filter(({ state }) => state === 'unknown');
  const isExplained = (entry: LedgerEntry) =>
    gateway.lost.has(String(entry.reference)) || isAbandoned(entry) || ranOut(entry);
  none(
    uncertain.filter((entry) => !isExplained(entry)),
    'unknown for no reason',
  );
  const abandoned = uncertain.filter(isAbandoned).length;
  expect(abandoned, seen).toBeLessThanOrEqual(mostAbandoned);
  expectWhole(quiet, done);
  process.stdout.write(
    `${seen}; ${done.size} done, ${unknown.size} unknown (${abandoned} by kills)\n`,
  );
}

function expectWhole(
  { last, references, isSilent = () => false, seen }: Quiet,
  done: ReadonlySet<string | null>,
): void {
  for (const run of last) {
    const results = resultsOf(run);
    expect(results.map(({ line }) => line)).toEqual(references.map((_, n) => n + 2));
    for (const [n, { outcome }] of results.entries()) {
      const reference = references[n] ?? '';
      if (!isSilent(outcome))
        expect(outcome === 'done', `${reference}; ${seen}`).toBe(done.has(reference));
    }
  }
}
