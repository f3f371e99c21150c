/**
 * stdout and stderr.
 *
 * A pipe whose reader is gone (`gw plan list | head -1`) shows as an error of the stream, at any
 * moment after the write that met it, so one listener per stream deals with it for good. On stdout
 * it is the end of the program, as it is for every tool in a pipeline. On stderr the text is
 * dropped: what gw says there is commentary, and no reason to abandon a payment that is under way.
 */

import { Failure } from '../failure.ts';
import { reasonOf } from './error-reason.ts';
import type { Output } from './host.ts';

const CLOSED_PIPE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);
const UNKNOWN_WIDTH = 80;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * @param onClosedPipe called once when nobody reads the stream any more; what is written
 *   afterwards is dropped
 */
export function createOutput(
  stream: NodeJS.WriteStream,
  env: Env,
  onClosedPipe: () => void,
): Output {
  let isClosed = false;

  /** @returns whether the error means that nobody reads the stream any more */
  const meetsClosedPipe = (error: NodeJS.ErrnoException): boolean => {
    const code = error.code ?? '';
    if (!isClosed && !CLOSED_PIPE.has(code) && !(stream.isTTY && code === 'EIO')) return false;
    if (!isClosed) {
      isClosed = true;
      onClosedPipe();
    }
    return true;
  };
  // A write reports its own error; without a listener the same error would be an uncaught one.
  stream.on('error', meetsClosedPipe);

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
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (!error || meetsClosedPipe(error)) resolve();
          else reject(unwritten(error));
        });
      }),
  };
}

/**
 * FORCE_COLOR decides when it is set (`0` and `false` mean no, as in Node), because it is the more
 * deliberate of the two; then NO_COLOR when it is not empty; then whether it is a capable terminal.
 */
export function mayColor(isTerminal: boolean, env: Env): boolean {
  if (env.FORCE_COLOR !== undefined) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

function unwritten(error: NodeJS.ErrnoException): Failure {
  return new Failure('incomplete', `The output could not be written: ${reasonOf(error)}.`, {
    code: 'output-unwritable',
    next: 'Write it to a place with enough space; look records up rather than repeat a command that moves money.',
    cause: error,
  });
}
