/** Processes that run `worker.ts`. Node 20 runs no TypeScript, so it is bundled first. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { WorkerAnswer, WorkerJob, WorkerRequest } from './worker.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');

export interface WorkerProgram {
  start(count: number): Workers;
  remove(): void;
}

export interface Workers {
  /** Gives every process its list, all at the same time. @throws when one of them fails */
  run(path: string, listFor: (process: number) => WorkerRequest[]): Promise<WorkerAnswer[][]>;
  stop(): Promise<void>;
}

export async function bundleWorker(): Promise<WorkerProgram> {
  // Below node_modules, so that the bundle finds the packages it leaves out.
  const directory = mkdtempSync(join(REPOSITORY, 'node_modules/.gw-emulator-test-'));
  const file = join(directory, 'worker.mjs');
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'worker.ts'),
    platform: 'node',
    external: [/^[^./]/],
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return {
    start(count) {
      const children = Array.from({ length: count }, () => fork(file, { execArgv: [] }));
      return {
        run: (path, listFor) =>
          Promise.all(children.map((child, n) => ask(child, { path, requests: listFor(n) }))),
        async stop() {
          const ended = children.map((child) => once(child, 'exit'));
          for (const child of children) child.kill();
          await Promise.all(ended);
        },
      };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function ask(child: ChildProcess, job: WorkerJob): Promise<WorkerAnswer[]> {
  child.send(job);
  const [{ answers, error }] = await once(child, 'message');
  if (error) throw new Error(error);
  return answers;
}
