/**
 * SIGINT and SIGTERM. The first one asks the program to stop: it aborts a signal that whatever is
 * under way watches, so that a ledger is closed and a child is stopped. The second one does not ask.
 */
import { setMaxListeners } from 'node:events';
import { Failure } from '../failure.ts';
import { endInterrupted } from './ending.ts';

/** Starts to listen, once per program. @returns the signal that the first interrupt aborts */
export function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  // Node warns of the eleventh listener as of a leak, and a batch has many requests in flight.
  setMaxListeners(0, controller.signal);
  const receive = () => {
    if (controller.signal.aborted) endInterrupted();
    controller.abort(interruption());
  };
  process.on('SIGINT', receive);
  process.on('SIGTERM', receive);
  return controller.signal;
}

/** @returns the failure of a program that its user stopped */
export function interruption(cause?: unknown): Failure {
  return new Failure('interrupted', 'Interrupted.', {
    code: 'interrupted',
    next: 'Before you repeat a command that moves money, look up what it has already done.',
    cause,
  });
}
