/** Runs jq on a thread of its own (jq-worker.ts), which starts with the first run and stays for later ones. */
import { Worker } from 'node:worker_threads';
import type { Jq, JqEnd } from '../host.ts';

/** jq's own memory is limited to 256 MiB. Its results need more on top, in bytes. */
const MAX_GROWTH_BYTES = 1024 * 1024 * 1024;
/** How often to check how much memory jq has taken, in milliseconds. */
const WATCH_MS = 100;

/**
 * @param program path of the built `jq-worker`
 * @param maxGrowthBytes how much this process may grow while jq runs
 */
export function createJq(program: string, maxGrowthBytes = MAX_GROWTH_BYTES): Jq {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const runNow: Jq['run'] = async (expression, input, interrupted) => {
    // Hides what jq-wasm writes to the console; the Failure reports it.
    worker ??= new Worker(program, { stdout: true, stderr: true });
    const used = worker;
    // An idle thread must not keep the program alive.
    used.ref();
    const ended = answerOf(used, maxGrowthBytes, interrupted);
    used.postMessage({ expression, input });
    const end = await ended.catch((error) => ({ error }));
    used.unref();
    if (!('error' in end) && end.exitCode !== undefined) return end;
    worker = undefined;
    await used.terminate();
    if ('error' in end) throw end.error;
    return end;
  };
  return {
    run(...run) {
      const ended = last.then(() => runNow(...run));
      last = ended.catch(() => undefined);
      return ended;
    },
  };
}

/** @returns how the run ended or broke off. @throws the reason of the interrupt */
function answerOf(
  worker: Worker,
  maxGrowthBytes: number,
  interrupted: AbortSignal | undefined,
): Promise<JqEnd> {
  const done = new AbortController();
  const before = process.memoryUsage.rss();
  return new Promise<JqEnd>((resolve, reject) => {
    const breakOff = (reason: unknown) =>
      resolve({
        exitCode: undefined,
        stderr: reason instanceof Error ? reason.message : '',
        stdout: '',
      });
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > maxGrowthBytes)
        breakOff(new Error('its results take too much memory'));
    }, WATCH_MS);
    worker.on('message', resolve).on('error', breakOff).on('exit', breakOff);
    interrupted?.addEventListener('abort', () => reject(interrupted.reason), {
      signal: done.signal,
    });
    done.signal.addEventListener('abort', () => {
      clearInterval(watch);
      worker.off('message', resolve).off('error', breakOff).off('exit', breakOff);
    });
  }).finally(() => done.abort());
}
