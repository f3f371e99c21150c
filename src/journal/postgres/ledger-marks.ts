/**
 * Marks: entries that this machine has seen in a shared ledger. If the ledger lacks one of them, an older state was
 * restored. It may then lack other requests that were sent.
 *
 * Marks belong to this machine, whatever its profiles are called. Any server that has the ledger must have their
 * entries. Each mark is an empty file whose name says everything, so processes add and remove marks without a lock. It
 * has digests of the ledger's id and of the account:
 *
 *     ledger-marks/1773135000123-<ledger>-<account>-<entry>      first, when the entry was written (Unix time in ms)
 *
 * An account that changes to another ledger takes its marks along: that ledger has to have their entries too.
 *
 * One mark of an account is usually enough. A transaction that finds the marks and writes an entry replaces them with that entry. No
 * state of the ledger has the entry without them. An entry that was only read replaces marks at least a minute older,
 * because a transaction takes seconds.
 *
 * Marks are not synced to disk at once. A mark is lost only if this machine and the server fail together.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Files } from '../../host/host.ts';

/** Longer than any transaction takes. */
const SETTLED_MS = 60_000;
/** An id appears unescaped in SQL and in a path. */
const NAME = /^(\d{1,15})-([0-9a-f]{16})-([0-9a-f]{16})-([\w-]{1,64})$/;

/** @returns what a mark has for the id of a ledger, or for an account */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export interface LedgerMark {
  /** Digest of the ledger's id. */
  ledger: string;
  /** Digest of the account that the entry is of. */
  account: string;
  /** Id of an entry. */
  entry: string;
  /** When the server wrote it, by the server's clock (ISO 8601, UTC). */
  at: string;
}

export class LedgerMarks {
  readonly #files: Pick<Files, 'append' | 'list' | 'remove'>;
  readonly #directory: string;

  constructor(files: Pick<Files, 'append' | 'list' | 'remove'>, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /** @returns the marks of all ledgers and accounts, oldest first */
  all(): LedgerMark[] {
    return this.#files
      .list(this.#directory)
      .flatMap((name) => {
        const [, ms, ledger = '', account = '', entry] = NAME.exec(name) ?? [];
        const at = new Date(Number(ms ?? 0)).toISOString();
        return entry === undefined ? [] : [{ ledger, account, entry, at }];
      })
      .sort((one, other) => one.at.localeCompare(other.at));
  }

  /**
   * Keeps an entry that a transaction wrote, and drops the marks of its account that it replaces.
   * @param found marks that the transaction compared with the ledger
   * @throws Failure usage if the mark cannot be written
   */
  wrote(mark: LedgerMark, found: readonly LedgerMark[]): void {
    this.#files.append(this.#fileOf(mark), '');
    for (const one of found)
      if (one.account === mark.account && one.entry !== mark.entry)
        this.#files.remove(this.#fileOf(one));
  }

  /** Keeps the newest entry of a ledger that has all its marks. Ignores a mark that cannot be written. */
  saw(newest: LedgerMark, found: readonly LedgerMark[]): void {
    const isKept = found.some(({ entry }) => entry === newest.entry);
    if (isKept || !NAME.test(nameOf(newest))) return;
    const before = Date.parse(newest.at) - SETTLED_MS;
    try {
      this.wrote(
        newest,
        found.filter(({ ledger, at }) => ledger === newest.ledger && Date.parse(at) < before),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  #fileOf(mark: LedgerMark): string {
    return join(this.#directory, nameOf(mark));
  }
}

function nameOf({ ledger, account, entry, at }: LedgerMark): string {
  return `${Date.parse(at)}-${ledger}-${account}-${entry}`;
}
