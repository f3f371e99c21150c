/**
 * Entries of a shared ledger that this machine has seen there. A ledger that lacks one of them went back to an older
 * state, and may lack others that were sent.
 *
 * They are kept with the profile: whatever server its address leads to, the ledger there has to have them. Each is
 * an empty file whose name says all, so that several processes add and remove them without a lock:
 *
 *     ledger-marks/live/1773135000123-8a4f0e1c-…      when it was written (Unix time in ms), and its id
 *
 * One is usually enough. Whoever writes an entry in a transaction that found the marks there replaces them by
 * that entry: no state of the ledger has it without them. An entry that was only looked at replaces what is a
 * minute older, since a transaction takes seconds.
 *
 * No mark is written to the disk at once: it is lost only if this machine and the server fail together.
 */
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Files } from '../../host/host.ts';

/** Longer than any transaction takes. */
const SETTLED_MS = 60_000;
/** An id stands in SQL and in a path as it is. */
const NAME = /^(\d{1,15})-([\w-]{1,64})$/;

export interface LedgerMark {
  /** Id of an entry. */
  entry: string;
  /** When it was written, by the server's clock. ISO 8601, UTC. */
  at: string;
}

export class LedgerMarks {
  readonly #files: Pick<Files, 'append' | 'list' | 'remove'>;
  readonly #directory: string;

  /** @param directory of the marks of one profile */
  constructor(files: Pick<Files, 'append' | 'list' | 'remove'>, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /** @returns the entries that the ledger has to have, in the order in which they were written */
  all(): LedgerMark[] {
    return this.#files
      .list(this.#directory)
      .flatMap((name) => {
        const [, ms, entry] = NAME.exec(name) ?? [];
        return entry === undefined ? [] : [{ entry, at: new Date(Number(ms)).toISOString() }];
      })
      .sort((one, other) => one.at.localeCompare(other.at));
  }

  /**
   * Keeps an entry that was written in a transaction.
   * @param found marks that the transaction found there
   * @throws Failure usage when it cannot be kept
   */
  wrote(mark: LedgerMark, found: readonly LedgerMark[]): void {
    this.#files.append(this.#fileOf(mark), '');
    for (const one of found) if (one.entry !== mark.entry) this.#files.remove(this.#fileOf(one));
  }

  /** Keeps the newest entry of a ledger that has all marks, as far as it can. */
  saw(newest: LedgerMark, found: readonly LedgerMark[]): void {
    const isKept = found.some(({ entry }) => entry === newest.entry);
    if (isKept || !NAME.test(nameOf(newest))) return;
    const before = Date.parse(newest.at) - SETTLED_MS;
    try {
      this.wrote(
        newest,
        found.filter(({ at }) => Date.parse(at) < before),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  #fileOf(mark: LedgerMark): string {
    return join(this.#directory, nameOf(mark));
  }
}

function nameOf({ entry, at }: LedgerMark): string {
  return `${Date.parse(at)}-${entry}`;
}
