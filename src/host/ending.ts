/**
 * How the program ends.
 *
 * Writes to a pipe are asynchronous in Node, and `process.exit` drops what is still buffered, so
 * the ordinary end first waits until stdout and stderr have taken everything.
 *
 * `process.exit` joins the threads of libuv's pool: a thread that is stuck in native code keeps the
 * process alive for good, and `process.reallyExit` does no better. Nothing in gw may therefore
 * block such a thread; this is why the keychain is read in a child process (host/keychain/keychain.ts).
 */
import fs from 'node:fs';
import { devNull } from 'node:os';
import { EXIT_CODES } from '../failure.ts';

/** Ends the program with `code` once everything written has reached its destination. */
export async function exit(code: number): Promise<never> {
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  if (code === EXIT_CODES.interrupted) endInterrupted();
  process.exit(code);
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

/**
 * To be called at the very end. Node puts each terminal that the program began with back as it was, and
 * aborts where one was closed meanwhile: the exit code is lost then, and memory may be left in a file.
 */
export function letGoOfClosedTerminals(): void {
  if (process.platform === 'win32') return;
  for (const fd of [0, 1, 2]) {
    if (!isClosedTerminal(fd)) continue;
    fs.closeSync(fd);
    // Takes the lowest number that is free.
    fs.openSync(devNull, 'r+');
  }
}

function isClosedTerminal(fd: number): boolean {
  try {
    const about = fs.fstatSync(fd);
    if (!about.isCharacterDevice() || about.rdev === fs.statSync(devNull).rdev) return false;
    // Loaded with any terminal, and with nothing else.
    return !process.getBuiltinModule('node:tty').isatty(fd);
  } catch {
    return false; // There are no devices here, or they may not be looked at.
  }
}

/** An error of the stream is its output's business (host/terminal/output.ts); here it only means: no more to wait for. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
