/**
 * The thread that jq runs on: jq is WebAssembly, and whatever runs it does nothing else meanwhile. It takes
 * one run after the other. Lines are passed on as jq prints them, and jq waits while too many of them are on
 * their way, so that an expression without an end takes no more memory than another.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { loadJq } from 'jq-wasm/inline';
import type { JqEnd } from '../host.ts';
import { callsOf, replaceSystemCalls } from './jq-calls.ts';
import { Lines } from './jq-lines.ts';

/** What the thread is asked. */
export interface JqRequest {
  expression: string;
  /** Parts of JSON texts in UTF-8. */
  input: Uint8Array[];
}

/** What it answers: lines, any number of times, and then how jq ended. */
export type JqAnswer = { lines: Uint8Array } | { end: JqEnd };

/** A result a line; what comes after is no flag, whatever it begins with. */
const FLAGS = ['-c', '--'];
const STDOUT = 1;
/** Bytes of stderr that are kept: its first line is what is said. */
const MOST_STDERR = 16 * 1024;
/** Messages on their way. */
const MOST_WAITING = 4;

/** How many messages are on their way; the other thread counts down. */
const waiting = new Int32Array(workerData as SharedArrayBuffer);
const lines = new Lines((whole) => {
  post({ lines: whole }, [whole.buffer]);
  const count = Atomics.add(waiting, 0, 1) + 1;
  if (count >= MOST_WAITING) Atomics.wait(waiting, 0, count);
});
let stderr = Buffer.alloc(0);
let input: Uint8Array[] = [];

function post(answer: JqAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transferred);
}

function print(fd: number, part: Uint8Array): void {
  if (fd === STDOUT) lines.add(part);
  else if (stderr.length < MOST_STDERR) stderr = Buffer.concat([stderr, part]);
}

/** Fills a part of memory with input. @returns how many bytes */
function read(part: Uint8Array): number {
  const [first] = input;
  if (first === undefined) return 0;
  const taken = first.subarray(0, part.length);
  part.set(taken);
  if (taken.length < first.length) input[0] = first.subarray(taken.length);
  else input.shift();
  return taken.length;
}

function serve(): void {
  replaceSystemCalls(callsOf({ print, read }));
  const jq = loadJq();
  parentPort?.on('message', async (request: JqRequest) => {
    input = request.input;
    stderr = Buffer.alloc(0);
    let exitCode: number | undefined;
    let broken = '';
    try {
      ({ exitCode } = (await jq).raw('', request.expression, FLAGS));
    } catch (error) {
      broken = error instanceof Error ? error.message : String(error);
    }
    lines.pass();
    post({ end: { exitCode, stderr: stderr.toString().trim() || broken } });
  });
}

serve();
