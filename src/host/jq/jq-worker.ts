/**
 * The thread that jq runs on: jq is WebAssembly, and whatever runs it does nothing else meanwhile. So it is ended
 * from outside (jq-thread.ts). It takes one run after the other.
 */
import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm/inline';
import type { JqEnd } from '../host.ts';

/** What the thread is asked; it answers a JqEnd. */
export interface JqRequest {
  expression: string;
  /** Parts of JSON texts. */
  input: readonly string[];
}

/** A result a line; what comes after is no flag, whatever it begins with. */
const FLAGS = ['-c', '--'];

const jq = loadJq();
parentPort?.on('message', async (request: JqRequest) => {
  parentPort?.postMessage(await run(request));
});

async function run({ expression, input }: JqRequest): Promise<JqEnd> {
  const { raw } = await jq;
  try {
    const { stdout, stderr, exitCode } = raw(input.join(''), expression, FLAGS);
    return { exitCode, stderr, stdout: stdout === '' ? '' : `${stdout}\n` };
  } catch {
    // jq checks all but its memory, and what there is too little of for its results is memory as well.
    return { exitCode: undefined, stderr: 'cannot allocate memory', stdout: '' };
  }
}
