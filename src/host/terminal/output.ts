/**
 * stdout and stderr: a text arrives whole, or its writer hears why it did not.
 *
 * The first failure is the last write that is tried: what came after a gap would look like all there
 * is. That the reader of a pipe has gone (`gw plan list | head -1`) is a failure too, so that whoever
 * has money under way sees it through; at its end nothing is said of it, as in any pipeline.
 *
 * An error may also be one of the stream, at any moment after the write that met it, or of a write of
 * somebody else (oclif): a listener for each stream keeps it for the next write.
 */

import fs from 'node:fs';
import { Failure } from '../../failure.ts';
import { reasonOf } from '../error-reason.ts';
import { writeWhole } from '../files/write-whole.ts';
import type { Output } from '../host.ts';

const CLOSED_PIPE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);
const UNKNOWN_WIDTH = 80;

type Env = Readonly<Record<string, string | undefined>>;
type StandardStream = NodeJS.WriteStream & { fd: number };

/** @param asksPlain whether the command line has `--plain` */
export function createOutput(stream: StandardStream, env: Env, asksPlain = false): Output {
  const isPlain = asksPlain || wantsPlain(env);
  let failure: Failure | undefined;
  const meet = (error: NodeJS.ErrnoException): Failure => {
    const isUnread =
      CLOSED_PIPE.has(error.code ?? '') || (stream.isTTY === true && error.code === 'EIO');
    failure ??= isUnread ? unread(error) : unwritten(error);
    return failure;
  };
  // A write reports its own error; without a listener the same error would be an uncaught one.
  stream.on('error', meet);
  if (!isStreamed(stream)) {
    // Node writes once to a file, and takes what a full disk or a limit cut off for written; what it
    // cannot write to at all (a directory) it takes for a place where all is lost on purpose.
    stream._write = (chunk: Buffer, _encoding, done) => {
      try {
        if (!failure) writeWhole(stream.fd, chunk);
      } catch (error) {
        // Not to the stream, of whose errors oclif makes defects.
        meet(error as Error);
      }
      done();
    };
  }

  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.isTTY ? stream.columns || UNKNOWN_WIDTH : UNKNOWN_WIDTH;
    },
    get color() {
      return mayColor(stream.isTTY === true, env);
    },
    get blocks() {
      return !isPlain && showsBlocks(env, process.platform);
    },
    isPlain,
    write: (text) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        stream.write(text, (error) => {
          if (error) meet(error);
          if (failure) reject(failure);
          else resolve();
        });
      }),
  };
}

/** A terminal, a pipe or a socket, which libuv writes to until all is taken. */
function isStreamed(stream: StandardStream): boolean {
  if (stream.isTTY) return true;
  const status = fs.fstatSync(stream.fd);
  return status.isFIFO() || status.isSocket();
}

/**
 * FORCE_COLOR decides when it is set (`0` and `false` mean no, as in Node), because it is the more
 * deliberate of the two; then NO_COLOR when it is not empty; then CLICOLOR_FORCE; then whether it is a capable
 * terminal of which CLICOLOR does not say `0`.
 */
export function mayColor(isTerminal: boolean, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return isTerminal && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** GW_PLAIN decides when it is set (`0` and `false` mean no); then whether the terminal can draw anything again. */
export function wantsPlain(env: Env): boolean {
  if (env.GW_PLAIN) return !['0', 'false'].includes(env.GW_PLAIN);
  return env.TERM === 'dumb';
}

/** Of the terminals whose font has none or few of the blocks. */
const WITHOUT_BLOCKS = new Set(['dumb', 'linux']);

/**
 * The locale says what a terminal decodes; Windows has none, and its consoles take UTF-8 from Node.
 * A locale that is not given is the C locale, in which nothing but ASCII can be counted on.
 */
export function showsBlocks(env: Env, platform: string): boolean {
  if (WITHOUT_BLOCKS.has(env.TERM ?? '')) return false;
  if (platform === 'win32') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

function unread(error: NodeJS.ErrnoException): Failure {
  return new Failure('unread', 'The program reading the output has stopped.', {
    code: 'output-unread',
    next: 'If the command moved money, look up the records instead of running it again.',
    cause: error,
  });
}

function unwritten(error: NodeJS.ErrnoException): Failure {
  return new Failure('incomplete', `The output could not be written: ${reasonOf(error)}.`, {
    code: 'output-unwritable',
    next: 'Write it to a disk with enough space. If the command moved money, look up the records instead of running it again.',
    cause: error,
  });
}
