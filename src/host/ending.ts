/**
 * How the program ends.
 *
 * Writes to a pipe are asynchronous in Node, and `process.exit` drops what is still buffered, so
 * the ordinary end first waits until stdout and stderr have taken everything.
 *
 * `process.exit` joins the threads of libuv's pool: a thread that is stuck in native code keeps the
 * process alive, and `process.reallyExit` does no better. A keychain that waits for a person is such a
 * thread (host/keychain.ts). A shell that takes the place of the process ends it, with its exit code.
 */
import { EXIT_CODES } from '../failure.ts';

/** Threads of native code, which `process.exit` would wait for. */
const nativeCalls = new Set<Promise<unknown>>();

/** @param call of native code that is late: the end of the program does not wait for it */
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

/** Before Node 22.15 the exit code is lost: it is 137 (SIGKILL), which is no success either. */
function endPastThreads(code: number): void {
  const { execve } = process as { execve?: (file: string, args: string[], env: object) => never };
  if (process.platform !== 'win32') execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends the program at once, and dies of SIGINT where that exists: a shell shows 130 either way, but
 * bash goes on with the next turn of a loop when an interrupted program merely exits with 130.
 */
export function endInterrupted(): never {
  if (process.platform !== 'win32') {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  }
  process.exit(EXIT_CODES.interrupted);
}

/** An error of the stream is its output's business (host/terminal/output.ts); here it only means: no more to wait for. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
