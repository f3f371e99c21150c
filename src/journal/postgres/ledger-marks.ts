/**
 * Marks: entries that this machine has seen in a shared ledger. If the ledger lacks one of them, an older state was
 * restored. It may then lack other requests that were sent.
 *
 * Marks belong to the profile. Any server that its address leads to must have their entries. Each mark is an empty file
 * whose name says everything, so processes add and remove marks without a lock:
 *
 *     ledger-marks/live/1773135000123-8a4f0e1c-…      when it was written (Unix time in ms), and its id
 *
 * One mark is usually enough. A transaction that finds the marks and writes an entry replaces them with that entry. No
 * state of the ledger has the entry without them. An entry that was only read replaces marks at least a minute older,
 * because a transaction takes seconds.
 *
 * Marks are not synced to disk at once. A mark is lost only if this machine and the server fail together.
 */
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Files } from '../../host/host.ts';

/** Longer than any transaction takes. */
const SETTLED_MS = 60_000;
/** An id appears unescaped in SQL and in a path. */
const NAME = /^(\d{1,15})-([\w-]{1,64})$/;

export interface LedgerMark {
  /** Id of an entry. */
  entry: string;
  /** When the server wrote it, by the server's clock (ISO 8601, UTC). */
  at: string;
}

export class LedgerMarks {
  readonly #files: Pick<Files, 'append' | 'list' | 'remove'>;
  readonly #directory: string;

  /** @param directory directory of one profile's marks */
  constructor(files: Pick<Files, 'append' | 'list' | 'remove'>, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /** @returns the entries that the ledger must have, oldest first */
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
   * Keeps an entry that a transaction wrote, and drops the marks it replaces.
   * @param found marks that the transaction found in the ledger
   * @throws Failure usage if the mark cannot be written
   */
  wrote(mark: LedgerMark, found: readonly LedgerMark[]): void {
    this.#files.append(this.#fileOf(mark), '');
    for (const one of found) if (one.entry !== mark.entry) this.#files.remove(this.#fileOf(one));
  }

  /** Keeps the newest entry of a ledger that has all marks. Ignores a mark that cannot be written. */
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
