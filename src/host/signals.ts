/**
 * Handles SIGINT, SIGTERM and SIGHUP (a closed terminal). The first one asks the program to stop: it aborts a signal
 * that all running work watches. So a ledger is closed and a child is stopped. The second one ends the program at once.
 */
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../failure.ts';
import { endInterrupted } from './ending.ts';

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
