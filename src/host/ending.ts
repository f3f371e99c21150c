/**
 * Ends the program, and handles SIGINT, SIGTERM and SIGHUP (a closed terminal). The first signal asks the program to
 * stop: it aborts an `AbortSignal` that all running work watches. So a ledger is closed and a child is stopped. The
 * second one ends the program at once.
 *
 * Writes to a pipe are asynchronous in Node, and `process.exit` drops what is still buffered. So the normal end first
 * waits until stdout and stderr have accepted everything.
 *
 * `process.exit` joins the threads of libuv's pool. A thread stuck in native code keeps the process alive, and so does
 * `process.reallyExit`. A keychain that waits for a person blocks such a thread (host/keychain.ts). To end anyway, gw
 * replaces the process with a shell that exits with the same code (`process.execve`, from Node 22.15 on).
 */

import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../failure.ts';
import { EXIT_CODES } from '../failure-codes.ts';

const { execve } = process as { execve?: (file: string, args: string[], env: object) => never };

/** Whether gw can end while a thread waits for a person, which none does on Windows. */
export const endsPastThreads = execve !== undefined || process.platform === 'win32';

/** Calls in native code that `process.exit` would wait for. */
const nativeCalls = new Set<Promise<unknown>>();

/** @param call a native call that is late; the end of the program does not wait for it */
export function mayNeverEnd(call: Promise<unknown>): void {
  nativeCalls.add(call);
  const end = () => nativeCalls.delete(call);
  call.then(end, end);
}

/** Ends the program with `code` once everything written has reached its destination. */
export async function exit(code: number): Promise<never> {
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  if (code === EXIT_CODES.interrupted) endInterrupted();
  if (nativeCalls.size > 0 && process.platform !== 'win32')
    execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  process.exit(code);
}

/**
 * Ends the program at once, and dies of SIGINT where that exists. A shell shows 130 either way. But if an interrupted
 * program merely exits with 130, bash goes on with its loop.
 */
function endInterrupted(): never {
  if (process.platform !== 'win32') {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  }
  process.exit(EXIT_CODES.interrupted);
}

/** The output handles errors of the stream (host/terminal/output.ts). Here an error only ends the wait. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

/**
 * Starts to listen, once per program.
 * @param isLent whether another program has the terminal, so that Ctrl-C is for that program
 * @returns the signal that the first interrupt aborts
 */
export function listenForInterrupts(isLent: () => boolean): AbortSignal {
  const controller = new AbortController();
  // Node reports the eleventh listener as a leak, but a batch has many requests in flight.
  setMaxListeners(0, controller.signal);
  const receive = () => {
    if (controller.signal.aborted) endInterrupted();
    controller.abort(interruption());
  };
  process.on('SIGINT', () => {
    if (!isLent()) receive();
  });
  process.on('SIGTERM', receive);
  process.on('SIGHUP', () => {
    if (!isHangupIgnored()) receive();
  });
  return controller.signal;
}

/**
 * Tells whether SIGHUP was ignored from the start, by `nohup` or `trap '' HUP`. Node resets that before gw runs, so gw
 * uses two traces. One is the name that a shell gives the program it starts. The other, on Linux, is the set of signals
 * that the parent ignores, which its children inherit.
 */
function isHangupIgnored(): boolean {
  if (basename(process.env._ ?? '') === 'nohup') return true;
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'latin1');
    const ignored = /^SigIgn:\s*([\da-f]+)$/m.exec(status)?.[1] ?? '0';
    // The lowest bit is signal 1, SIGHUP.
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return false; // There is no /proc, or the parent has ended.
  }
}

/** @returns the failure of a program that its user stopped */
export function interruption(cause?: unknown): Failure {
  return new Failure(
    'interrupted',
    'Interrupted.',
    'Before you repeat a command that moves money, check what it has already done with `gw journal list`.',
    { cause },
  );
}
