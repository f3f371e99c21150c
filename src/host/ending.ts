/**
 * Ends the program.
 *
 * Writes to a pipe are asynchronous in Node, and `process.exit` drops what is still buffered. So the normal end first
 * waits until stdout and stderr have accepted everything.
 *
 * `process.exit` joins the threads of libuv's pool. A thread stuck in native code keeps the process alive, and so does
 * `process.reallyExit`. A keychain that waits for a person blocks such a thread (host/keychain.ts). To end anyway, gw
 * replaces the process with a shell that exits with the same code.
 */
import { EXIT_CODES } from '../failure.ts';

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
  if (nativeCalls.size > 0) endPastThreads(code);
  process.exit(code);
}

/** Before Node 22.15, the exit code is lost and becomes 137 (SIGKILL), which is not success either. */
function endPastThreads(code: number): void {
  const { execve } = process as { execve?: (file: string, args: string[], env: object) => never };
  if (process.platform !== 'win32') execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends the program at once, and dies of SIGINT where that exists. A shell shows 130 either way. But if an interrupted
 * program merely exits with 130, bash goes on with its loop.
 */
export function endInterrupted(): never {
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
