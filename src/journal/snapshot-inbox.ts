/**
 * Snapshots of records on their way to the ledger. A look-up appends them to a file beside it, and whoever
 * opens the ledger next takes them in: opening a database for each look-up would double its time.
 *
 * Appending and taking may meet; `Files.append` and `Files.take` see to it that nothing is lost then.
 * A line that a full disk cut off is passed over.
 */
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Files } from '../host/host.ts';
import type { RecordSnapshot } from './ledger.ts';

/** A file of this size is taken in at once, so that it does not grow for good. */
export const MAX_INBOX_BYTES = 1024 * 1024;

type InboxFiles = Pick<Files, 'append' | 'read' | 'take' | 'size'>;

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

  /** @returns whether it is time to take in what is there. @throws Failure usage when it cannot be written */
  append(snapshots: readonly RecordSnapshot[]): boolean {
    // A line that was cut off has no end, so each begins with one.
    const lines = snapshots.map((snapshot) => `\n${JSON.stringify(snapshot)}`).join('');
    return this.#files.append(this.#path, lines) > MAX_INBOX_BYTES;
  }

  /** To be called by one process at a time. @returns what was appended so far, which is gone from the file */
  take(): RecordSnapshot[] {
    return snapshotsIn(this.#files.take(this.#path));
  }

  /** @returns what was appended so far, which stays */
  peek(): RecordSnapshot[] {
    return snapshotsIn(this.#files.read(this.#path, 2 * MAX_INBOX_BYTES));
  }
}

function snapshotsIn(text = ''): RecordSnapshot[] {
  return text.split('\n').flatMap((line) => {
    const snapshot = parse(line);
    return snapshot ? [snapshot] : [];
  });
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

/** A ledger that cannot be opened would stop payments, and a line here is not worth that. */
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
