/**
 * stdout and stderr. A text arrives completely, or its writer gets an error.
 *
 * After the first failure, nothing more is written: text after a gap would look complete. A closed pipe (`gw plan list
 * | head -1`) is a failure too, so a command that moves money can still finish. At the end gw does not mention it, as
 * in any pipeline.
 *
 * An error may also arrive on the stream at any time after the write that caused it. It may come from a write by other
 * code (oclif) too. A listener per stream keeps it for the next write.
 *
 * On a terminal, a pager shows the output, as in git. gw collects the output and passes all of it to the pager at the
 * end. The first of GW_PAGER, PAGER and `less` names the pager; an empty value or `cat` means none. `less` quits at once
 * if everything fits on the screen. While the pager has the terminal, Ctrl-C is for the pager (host/ending.ts). Any other
 * request to stop gw first ends the pager.
 *
 * Tests: test/unit/host/streams.test.ts, test/unit/host/terminal/output.test.ts
 */

import type { ChildProcess } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { Failure } from '../../failure.ts';
import { reasonOf } from '../error-reason.ts';
import { writeWhole } from '../files/write-whole.ts';
import type { Host, Output } from '../host.ts';
import { environmentOfPrograms } from '../secret-variables.ts';

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
  // A write reports its own error. Without a listener, the same error would also be uncaught.
  stream.on('error', meet);
  if (!isStreamed(stream)) {
    // Node writes to a file only once, and ignores that a full disk or a limit cut off the rest. It discards writes to
    // something it cannot write to at all (a directory).
    stream._write = (chunk: Buffer, _encoding, done) => {
      try {
        if (!failure) writeWhole(stream.fd, chunk);
      } catch (error) {
        // Do not pass it to the stream, because oclif reports errors of the stream as defects.
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

/** Whether libuv writes all of a text: to a terminal, a pipe or a socket. */
function isStreamed(stream: StandardStream): boolean {
  if (stream.isTTY) return true;
  const status = fstatSync(stream.fd);
  return status.isFIFO() || status.isSocket();
}

/**
 * FORCE_COLOR takes precedence if it is set (`0` and `false` mean no, as in Node). NO_COLOR follows if it is not empty,
 * then CLICOLOR_FORCE. Otherwise a capable terminal has colour unless CLICOLOR is `0`.
 */
export function mayColor(isTerminal: boolean, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return isTerminal && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** GW_PLAIN decides if it is set (`0` and `false` mean no). Otherwise output is plain if the terminal cannot redraw. */
export function wantsPlain(env: Env): boolean {
  if (env.GW_PLAIN) return !['0', 'false'].includes(env.GW_PLAIN);
  return env.TERM === 'dumb';
}

/** Terminals whose font has few or no block characters. */
const WITHOUT_BLOCKS = new Set(['dumb', 'linux']);

/**
 * The locale says what encoding a terminal decodes. Windows has none, and its consoles accept UTF-8 from Node. Without
 * a locale, the C locale applies, which guarantees only ASCII.
 */
export function showsBlocks(env: Env, platform: string): boolean {
  if (WITHOUT_BLOCKS.has(env.TERM ?? '')) return false;
  if (platform === 'win32') return true;
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

function unread(error: NodeJS.ErrnoException): Failure {
  return new Failure(
    'output-unread',
    'The program reading the output has stopped.',
    'If the command moved money, look up the records instead of running it again.',
    { cause: error },
  );
}

function unwritten(error: NodeJS.ErrnoException): Failure {
  return new Failure(
    'output-unwritable',
    `The output could not be written: ${reasonOf(error)}.`,
    'Write it to a disk with enough space. If the command moved money, look up the records instead of running it again.',
    { cause: error },
  );
}

interface PagerParts {
  stdout: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when gw must stop; not by a Ctrl-C for the pager. */
  interrupted(): AbortSignal;
  /** Removes secrets from the pager's input. */
  scrub(text: string): string;
}

interface PagerOfProcess extends Pick<Host, 'paged' | 'endPaged'> {
  /** Whether the pager has the terminal now. */
  isOpen(): boolean;
}

/** Exit codes of a shell that did not find the program, or was not allowed to run it. */
const NOT_STARTED = [126, 127];

/** @returns the pager of this process, which has one terminal */
export function createPager({ stdout, env, interrupted, scrub }: PagerParts): PagerOfProcess {
  const command = env.GW_PAGER ?? env.PAGER ?? 'less';
  const isWanted = stdout.isTerminal && !stdout.isPlain && !['', 'cat'].includes(command.trim());
  let held = '';
  let child: ChildProcess | undefined;
  const end = async () => {
    const text = held;
    held = '';
    if (text === '') return;
    if (interrupted().aborted) return stdout.write(text);
    const { spawn } = await import('node:child_process');
    const pager = spawn(command, {
      // Start `less` without a shell, because a shell would report it as missing, and a machine without less is no
      // mistake.
      shell: command !== 'less',
      env: environment(),
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child = pager;
    const stop = () => pager.kill();
    interrupted().addEventListener('abort', stop, { once: true });
    const ended = new Promise<number | null>((resolve) => {
      pager.once('close', resolve).once('error', () => resolve(127));
    });
    // The reader does not want whatever the pager leaves unread, so ignore the error.
    pager.stdin!.on('error', () => undefined).end(scrub(text));
    const code = await ended;
    child = undefined;
    interrupted().removeEventListener('abort', stop);
    interrupted().throwIfAborted();
    if (code !== null && NOT_STARTED.includes(code)) await stdout.write(text);
  };
  const write = async (text: string) => {
    held += text;
  };
  return {
    isOpen: () => child !== undefined,
    paged: () => (isWanted ? Object.assign(withWrite(stdout, write), { end }) : undefined),
    endPaged: end,
  };
}

/** Keeps colours, does not clear the screen, and quits if everything fits on it, unless LESS says otherwise. */
function environment(): Record<string, string | undefined> {
  return { LESS: 'FRX', LV: '-c', ...environmentOfPrograms() };
}

/** @returns the same output with another way to write */
export function withWrite(output: Output, write: Output['write']): Output {
  return Object.create(output, { write: { value: write } });
}
