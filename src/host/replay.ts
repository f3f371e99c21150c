/**
 * A text that is read more than once: a file is read again, and what comes through a pipe is kept.
 *
 * What is kept may hold card details, which gw never writes. So it goes to disk encrypted, with a
 * key that exists in this process only, in a file that loses its name as soon as it is open: when
 * the program ends, in whatever way, nothing is left that anybody could find or read.
 *
 * Bounds: one chunk in memory, as much disk as the text is long.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { usage } from '../failure.ts';
import type { Replay } from './host.ts';
import { readChunks } from './input.ts';
import { splitLines } from './lines.ts';

const STDIN = '-';
const CHUNK_BYTES = 64 * 1024;
const PRIVATE_FILE = 0o600;
const KEY_BYTES = 32;
const IV_BYTES = 16;

/** @param interrupted ends the reading of a pipe */
export async function openReplay(
  source: string,
  stdin: NodeJS.ReadStream,
  interrupted: AbortSignal,
): Promise<Replay> {
  if (source === STDIN) return keep(readChunks(stdin, interrupted), 'standard input', interrupted);
  if (!isRegular(source)) {
    // Opened without blocking the program: a named pipe waits for whoever writes to it.
    return keep(fs.createReadStream(source, { signal: interrupted }), source, interrupted);
  }
  const file = attempt(source, () => fs.openSync(source, 'r'));
  return {
    lines: (maxLineBytes) => splitLines(readFrom(file), maxLineBytes, source),
    close: () => fs.closeSync(file),
  };
}

function isRegular(source: string): boolean {
  const status = attempt(source, () => fs.statSync(source));
  if (status.isDirectory()) {
    throw usage('file-is-directory', `${source} is a directory.`, 'Name a file in it instead.');
  }
  return status.isFile();
}

function attempt<Result>(source: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (code === 'ENOENT') {
      throw usage(
        'file-not-found',
        `${source} does not exist.`,
        'Check the path, or use - to read from stdin.',
      );
    }
    throw usage(
      'file-unreadable',
      `${source} could not be read: ${code}.`,
      'Name another file.',
      cause,
    );
  }
}

async function keep(
  chunks: AsyncIterable<Buffer>,
  name: string,
  interrupted: AbortSignal,
): Promise<Replay> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gw-'));
  const secret = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const coder = () => createCipheriv('aes-256-ctr', secret, iv);
  let file: number;
  try {
    file = fs.openSync(path.join(folder, 'input'), 'wx+', PRIVATE_FILE);
  } finally {
    // The descriptor outlives the name. Windows keeps the name until the file is closed.
    if (process.platform !== 'win32') fs.rmSync(folder, { recursive: true, force: true });
  }
  const close = () => {
    fs.closeSync(file);
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    const encrypt = coder();
    for await (const chunk of chunks) {
      interrupted.throwIfAborted();
      writeAll(file, encrypt.update(chunk));
    }
  } catch (error) {
    close();
    interrupted.throwIfAborted();
    throw error;
  }
  return {
    // Counter mode is its own inverse, and a regular file read from its start needs no more.
    lines: (maxLineBytes) => splitLines(readFrom(file, coder()), maxLineBytes, name),
    close,
  };
}

function writeAll(file: number, bytes: Buffer): void {
  let done = 0;
  try {
    while (done < bytes.length) done += fs.writeSync(file, bytes, done);
  } catch (cause) {
    throw usage(
      'input-not-kept',
      `The input could not be kept in ${os.tmpdir()}: ${cause instanceof Error ? cause.message : cause}.`,
      'Make room there, set TMPDIR to another directory, or give the input as a file.',
      cause,
    );
  }
}

async function* readFrom(
  file: number,
  coder?: ReturnType<typeof createCipheriv>,
): AsyncGenerator<Buffer> {
  // One buffer for all: whoever takes a chunk is done with it before the next.
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const taken = fs.readSync(file, chunk, 0, CHUNK_BYTES, position);
    if (taken === 0) return;
    position += taken;
    const bytes = chunk.subarray(0, taken);
    yield coder ? coder.update(bytes) : bytes;
  }
}
