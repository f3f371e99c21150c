/**
 * Record snapshots on their way to the ledger. A look-up appends them to a file beside the ledger. The next process
 * that opens the ledger takes them in. Opening a database for each look-up would double its time.
 *
 * `Files.append` and `Files.take` lose nothing if they run at the same time. A line that a full disk cut off is
 * skipped.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Files } from '../../host/host.ts';
import type { RecordSnapshot } from '../../journal/ledger.ts';

/** A file of this size is taken in at once, so it cannot grow without limit. */
export const MAX_INBOX_BYTES = 1024 * 1024;

type InboxFiles = Pick<Files, 'append' | 'take' | 'size'>;

export class SnapshotInbox {
  readonly #files: InboxFiles;
  readonly #path: string;

  constructor(files: InboxFiles, path: string) {
    this.#files = files;
    this.#path = path;
  }

  get isEmpty(): boolean {
    return this.#files.size(this.#path) === 0;
  }

  /**
   * @returns whether the file is due to be taken in
   * @throws Failure usage if the file cannot be written
   */
  append(snapshots: readonly RecordSnapshot[]): boolean {
    // A truncated line has no newline at its end, so each line starts with one.
    const lines = snapshots.map((snapshot) => `\n${JSON.stringify(snapshot)}`).join('');
    return this.#files.append(this.#path, lines) > MAX_INBOX_BYTES;
  }

  /** Removes and returns all snapshots. Only one process may call this at a time. */
  take(): RecordSnapshot[] {
    const lines = this.#files.take(this.#path)?.split('\n') ?? [];
    return lines.flatMap((line) => parse(line) ?? []);
  }
}

function parse(line: string): RecordSnapshot | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) && isSnapshot(value) ? (value as unknown as RecordSnapshot) : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['account', 'profile', 'environment', 'host', 'kind', 'id', 'seenBy', 'seenAt'];
const TEXTS_OR_NULL = ['reference', 'name', 'lastFour'];

/** Skip bad lines: if a line kept the ledger from opening, it would stop payments. */
function isSnapshot(value: JsonObject): boolean {
  const { amount, record } = value;
  return (
    TEXTS.every((name) => typeof value[name] === 'string') &&
    TEXTS_OR_NULL.every((name) => value[name] === null || typeof value[name] === 'string') &&
    (amount === null || Number.isSafeInteger(amount)) &&
    record !== undefined &&
    isObject(record)
  );
}
