/** Runs real processes. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import { scanOutput } from './scan.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** The output so far, of both streams. */
  output(): string;
  /** Resolves when what the process has printed, on both streams, matches. */
  printed(pattern: RegExp): Promise<void>;
}

export interface RunOptions extends SpawnOptions {
  /** Text for stdin, which is closed after it; without it stdin stays open. */
  input?: string | Buffer;
  /** true for a program of the tests that prints secrets on purpose: its output is not scanned. */
  printsSecrets?: boolean;
}

/** For an environment whose compiled code is to be in its own home, as a user's is. */
export const OWN_CACHE = { XDG_CACHE_HOME: '' };

/** The one command that shows the numbers of the test cards, on stdout. */
const LISTS_TEST_CARDS = /\bemulator cards\b/;

/**
 * Starts a program. A process that outlives the test's own time limit is killed with the test run. Whoever has a home of
 * its own shares the compiled code of gw (run-root.ts): compiling takes as long as all else that a command does.
 */
export function start(
  command: string,
  args: readonly string[],
  { input, printsSecrets = false, env, ...options }: RunOptions = {},
): Running {
  const { XDG_CACHE_HOME } = process.env;
  const child = spawn(command, args, {
    stdio: 'pipe',
    ...options,
    ...(env && { env: { XDG_CACHE_HOME, ...env } }),
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  const look = () => {
    for (const watcher of watchers) watcher();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  child.stdin?.on('error', () => undefined);
  if (input !== undefined) child.stdin?.end(input);

  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      try {
        if (!printsSecrets) {
          const place = `what ${path.basename(command)} ${args[1] ?? ''} printed`;
          scanOutput(stdout, place, { hasTestCards: LISTS_TEST_CARDS.test(args.join(' ')) });
          scanOutput(stderr, place);
        }
        resolve({ code, signal, stdout, stderr });
      } catch (error) {
        reject(error);
      }
    });
  });
  return {
    child,
    ended,
    output: () => stdout + stderr,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          if (!pattern.test(stdout + stderr)) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
        ended
          .then(() => {
            throw new Error(`ended without printing ${pattern}: ${stdout}${stderr}`);
          })
          .catch(reject);
      }),
  };
}

/** Runs a program to its end. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  return start(command, args, { input: '', ...options }).ended;
}
