/**
 * A text that is read more than once, and is the same each time: it is copied first, whatever it
 * comes from, so that nothing which happens to the original changes what is used of it. Of a regular
 * file it can be told whether it still is what was copied. The copy has the form that row-text.ts gives it.
 *
 * What is kept may hold card details, which gw never writes. So it goes to disk encrypted, with a
 * key that exists in this process only, in a file that loses its name as soon as it is open: when
 * the program ends, in whatever way, nothing is left that anybody could find or read.
 *
 * Bounds: one chunk in memory, as much disk as the text is long. Of a text with a line that is too
 * long, which may be one without an end, nothing is kept behind that line.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Failure, usage } from '../../failure.ts';
import type { Replay } from '../host.ts';
import { readChunks } from './input.ts';
import { splitLines } from './lines.ts';
import { isPipe, pipeChunks } from './read-pipe.ts';
import { RowText } from './row-text.ts';
import { writeWhole } from './write-whole.ts';

const STDIN = '-';
const STDIN_DESCRIPTOR = 0;
const CHUNK_BYTES = 64 * 1024;
const PRIVATE_FILE = 0o600;
const KEY_BYTES = 32;
const IV_BYTES = 16;
const LINE_FEED = 10;

/**
 * @param source a path, or `-` for stdin
 * @param maxLineBytes of a line that can be used
 * @param interrupted ends the reading of a pipe
 */
export async function openReplay(
  source: string,
  maxLineBytes: number,
  { stdin, interrupted }: { stdin: NodeJS.ReadStream; interrupted: AbortSignal },
): Promise<Replay> {
  // Before the first byte is read: a change while it is copied is one, too.
  const mark = isRegular(source) ? markOf(source) : undefined;
  const chunks = chunksOf(source, stdin, interrupted);
  const copy = openCopy();
  const digest = createHash('sha256');
  const name = source === STDIN ? 'standard input' : source;
  try {
    const encrypt = copy.coder();
    const limit = new LineLimit(maxLineBytes);
    const text = new RowText(name);
    let isTooLong = false;
    const keep = (bytes: Buffer) => {
      keepChunk(copy.file, encrypt.update(bytes));
      isTooLong = limit.isPassedBy(bytes);
    };
    for await (const chunk of chunks) {
      interrupted.throwIfAborted();
      digest.update(chunk);
      keep(text.push(chunk));
      if (isTooLong) break;
    }
    if (!isTooLong) keep(text.end());
  } catch (error) {
    copy.close();
    interrupted.throwIfAborted();
    throw isSystemError(error) ? unreadable(source, error) : error;
  }
  const original =
    mark === undefined ? undefined : new Original(source, mark, digest.digest('hex'));
  return {
    // Counter mode is its own inverse, and a regular file read from its start needs no more.
    lines: () => splitLines(readFrom(copy.file, copy.coder()), maxLineBytes, name),
    hasChanged: () => original?.hasChanged() ?? false,
    close: copy.close,
  };
}

function chunksOf(
  source: string,
  stdin: NodeJS.ReadStream,
  interrupted: AbortSignal,
): AsyncIterable<Buffer> {
  if (source === STDIN) return readChunks(stdin, interrupted);
  if (isPipe(source)) return pipeChunks(source, { interrupted });
  return fs.createReadStream(source, { signal: interrupted, highWaterMark: CHUNK_BYTES });
}

/** A regular file that was read, and may become another one meanwhile. */
class Original {
  readonly #source: string;
  readonly #digest: string;
  #mark: string;

  /** @param mark of a moment before what the digest is of was read */
  constructor(source: string, mark: string, digest: string) {
    this.#source = source;
    this.#mark = mark;
    this.#digest = digest;
  }

  /** Its content decides, once the file system says that something has happened to it. */
  hasChanged(): boolean {
    const mark = markOf(this.#source);
    if (mark === this.#mark) return false;
    if (mark === undefined || digestOf(this.#source) !== this.#digest) return true;
    this.#mark = mark;
    return false;
  }
}

/** @returns what differs once a file is written to or replaced (a change time cannot be set back) */
function markOf(source: string): string | undefined {
  try {
    const options = { bigint: true } as const;
    const { dev, ino, size, mtimeNs, ctimeNs } =
      source === STDIN ? fs.fstatSync(STDIN_DESCRIPTOR, options) : fs.statSync(source, options);
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return undefined;
  }
}

function digestOf(source: string): string | undefined {
  let file: number | undefined;
  try {
    file = source === STDIN ? STDIN_DESCRIPTOR : fs.openSync(source, 'r');
    const digest = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = 0; ; ) {
      const taken = fs.readSync(file, chunk, 0, CHUNK_BYTES, position);
      if (taken === 0) return digest.digest('hex');
      position += taken;
      digest.update(chunk.subarray(0, taken));
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined && file !== STDIN_DESCRIPTOR) fs.closeSync(file);
  }
}

/** @throws Failure usage when there is none, or it is a directory */
function isRegular(source: string): boolean {
  if (source === STDIN) return isRegularStdin();
  try {
    const status = fs.statSync(source);
    if (!status.isDirectory()) return status.isFile();
  } catch (cause) {
    throw unreadable(source, cause);
  }
  throw usage('file-is-directory', `${source} is a directory.`, 'Name a file in it instead.');
}

function isRegularStdin(): boolean {
  try {
    return fs.fstatSync(STDIN_DESCRIPTOR).isFile();
  } catch {
    return false; // It is closed, which shows when it is read.
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadable(source: string, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  if (code === 'ENOENT') {
    return usage(
      'file-not-found',
      `${source} does not exist.`,
      'Check the path, or use - to read from stdin.',
    );
  }
  return usage(
    'file-unreadable',
    `${source} could not be read: ${code}.`,
    'Name another file.',
    cause,
  );
}

interface Copy {
  file: number;
  /** Makes what encrypts, and decrypts, from the beginning. */
  coder: () => ReturnType<typeof createCipheriv>;
  close: () => void;
}

function openCopy(): Copy {
  const secret = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const { folder, file } = namelessFile();
  return {
    file,
    coder: () => createCipheriv('aes-256-ctr', secret, iv),
    close() {
      fs.closeSync(file);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function namelessFile(): { folder: string; file: number } {
  try {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gw-'));
    try {
      return { folder, file: fs.openSync(path.join(folder, 'input'), 'wx+', PRIVATE_FILE) };
    } finally {
      // The descriptor outlives the name. Windows keeps the name until the file is closed.
      if (process.platform !== 'win32') fs.rmSync(folder, { recursive: true, force: true });
    }
  } catch (cause) {
    throw notKept(cause);
  }
}

function keepChunk(file: number, bytes: Buffer): void {
  try {
    writeWhole(file, bytes);
  } catch (cause) {
    throw notKept(cause);
  }
}

function notKept(cause: unknown): Failure {
  return usage(
    'input-not-kept',
    `gw could not keep a copy of the input in ${os.tmpdir()}: ${cause instanceof Error ? cause.message : cause}.`,
    'Nothing was sent. Free some space there, or set TMPDIR to another directory.',
    cause,
  );
}

/** Tells when a line is too long, without looking for where it begins. */
class LineLimit {
  readonly #maxLineBytes: number;
  #begunBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  isPassedBy(chunk: Buffer): boolean {
    const end = chunk.lastIndexOf(LINE_FEED);
    this.#begunBytes = end === -1 ? this.#begunBytes + chunk.length : chunk.length - end - 1;
    // Two more, for a CR LF.
    return this.#begunBytes > this.#maxLineBytes + 2;
  }
}

async function* readFrom(
  file: number,
  coder: ReturnType<typeof createCipheriv>,
): AsyncGenerator<Buffer> {
  // One buffer for all: whoever takes a chunk is done with it before the next.
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const taken = fs.readSync(file, chunk, 0, CHUNK_BYTES, position);
    if (taken === 0) return;
    position += taken;
    yield coder.update(chunk.subarray(0, taken));
  }
}
