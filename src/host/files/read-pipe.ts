/**
 * Reads a named pipe, or what a shell gives for `<(…)`, to its end: without blocking the program, so that
 * Ctrl-C ends it, and not for ever, so that a pipe nobody writes to is no trap for a script.
 *
 * Bounds: `maxBytes` in all, and a minute until the first byte. Whoever writes may take their time then.
 */
import fs from 'node:fs';
import net from 'node:net';
import { type Failure, usage } from '../../failure.ts';

const FIRST_BYTE_MS = 60_000;

/** @returns whether a path leads to a pipe, links followed */
export function isPipe(path: string): boolean {
  try {
    return fs.statSync(path).isFIFO();
  } catch {
    return false; // What is wrong with it shows when it is opened.
  }
}

interface PipeOptions {
  /** Ends the wait. */
  interrupted: AbortSignal;
  firstByteMs?: number;
}

/**
 * @param path of a pipe
 * @returns what is written to it, until nobody writes to it any more
 * @throws Failure usage when nobody writes to it; Failure interrupted as soon as the program is
 */
async function* pipeChunks(
  path: string,
  { interrupted, firstByteMs = FIRST_BYTE_MS }: PipeOptions,
): AsyncGenerator<Buffer> {
  interrupted.throwIfAborted();
  // Opening one that nobody writes to would wait otherwise, where nothing can end it.
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const stream = new net.Socket({ fd, readable: true, writable: false });
  const stop = () => stream.destroy(interrupted.reason);
  interrupted.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => stream.destroy(silent(path, firstByteMs)), firstByteMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', stop);
    stream.destroy();
  }
}

/** As `pipeChunks`. @returns all of it, at most one byte more than `maxBytes` */
export async function readPipe(
  path: string,
  maxBytes: number,
  options: PipeOptions,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of pipeChunks(path, options)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes + 1);
}

function silent(path: string, ms: number): Failure {
  return usage(
    'pipe-silent',
    `Nobody wrote to ${path} within ${ms / 1_000} seconds.`,
    'Check the command that writes to it, or name a file.',
    { sent: false },
  );
}
