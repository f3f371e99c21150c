/**
 * The thread that runs jq. jq is WebAssembly, and blocks its thread while it runs, so it must be ended from outside
 * (jq-thread.ts). Runs follow one another.
 */
import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm/inline';
import type { JqEnd } from '../host.ts';

/** A request to the thread, which answers with a JqEnd. */
export interface JqRequest {
  expression: string;
  /** Parts of JSON texts. */
  input: readonly string[];
}

/** One result per line. Nothing after `--` is a flag, whatever it begins with. */
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
    // jq checks everything except its memory. Too little room for the results is a lack of memory too.
    return { exitCode: undefined, stderr: 'cannot allocate memory', stdout: '' };
  }
}
