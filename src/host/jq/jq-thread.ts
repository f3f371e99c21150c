/** jq on a thread of its own (jq-worker.ts), which starts with the first run and stays for the next. */
import { Worker } from 'node:worker_threads';
import type { Jq, JqEnd, JqRun } from '../host.ts';
import type { JqAnswer, JqRequest } from './jq-worker.ts';

/** Characters of input that are encoded and handed over together. */
const PART = 1_000_000;

/** @param program path of the built `jq-worker` */
export function createJq(program: string): Jq {
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const runNow: Jq['run'] = async (expression, input, run) => {
    thread ??= new Thread(program);
    try {
      const end = await thread.run({ expression, input: encode(input) }, run);
      if (end.exitCode === undefined) await drop();
      return end;
    } catch (error) {
      await drop();
      throw error;
    }
  };
  const drop = async () => {
    const dropped = thread;
    thread = undefined;
    await dropped?.end();
  };
  return {
    run(expression, input, run) {
      const ended = last.then(() => runNow(expression, input, run));
      last = ended.catch(() => undefined);
      return ended;
    },
  };
}

class Thread {
  readonly #worker: Worker;
  /** How many messages with lines are on their way. */
  readonly #waiting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  constructor(program: string) {
    // What jq-wasm writes to the console is said in a Failure.
    this.#worker = new Worker(program, {
      workerData: this.#waiting.buffer,
      stdout: true,
      stderr: true,
    });
  }

  async run(request: JqRequest, run: JqRun): Promise<JqEnd> {
    const worker = this.#worker;
    // A thread that has nothing to do keeps no program alive.
    worker.ref();
    const done = new AbortController();
    try {
      const ended = this.#attend(run, done.signal);
      worker.postMessage(
        request,
        request.input.map(({ buffer }) => buffer as ArrayBuffer),
      );
      return await ended;
    } finally {
      done.abort();
      worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Passes lines on, one message after the other, until jq has ended. */
  #attend({ write, interrupted }: JqRun, done: AbortSignal): Promise<JqEnd> {
    const worker = this.#worker;
    const decoder = new TextDecoder();
    return new Promise((resolve, reject) => {
      let written = Promise.resolve();
      const hear = (answer: JqAnswer) => {
        if ('end' in answer) {
          written.then(() => resolve(answer.end), reject);
          return;
        }
        written = written.then(async () => {
          await write(decoder.decode(answer.lines));
          Atomics.sub(this.#waiting, 0, 1);
          Atomics.notify(this.#waiting, 0);
        });
        written.catch(reject);
      };
      const breakOff = (error: unknown) =>
        resolve({ exitCode: undefined, stderr: error instanceof Error ? error.message : '' });
      worker.on('message', hear).on('error', breakOff).on('exit', breakOff);
      interrupted?.addEventListener('abort', () => reject(interrupted.reason), { signal: done });
      done.addEventListener('abort', () => {
        worker.off('message', hear).off('error', breakOff).off('exit', breakOff);
      });
    });
  }
}

function encode(input: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let waiting: string[] = [];
  let length = 0;
  const take = () => {
    if (length > 0) parts.push(encoder.encode(waiting.join('')));
    waiting = [];
    length = 0;
  };
  for (const text of input) {
    waiting.push(text);
    length += text.length;
    if (length >= PART) take();
  }
  take();
  return parts;
}
