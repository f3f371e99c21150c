/**
 * Runs a command line of the user's own, such as a profile's `credentialCommand`.
 *
 * What it prints is a secret, and its own text may hold one, so neither appears in a message. Such a command may ask for a passphrase
 * on the terminal; only a process of the terminal's session may open it. Therefore the command gets
 * a process group of its own, which Node makes only together with a session of its own, just where
 * there is no terminal to lose; on a terminal, it stays in the group of gw, which Ctrl-C reaches.
 */
import fs from 'node:fs';
import { Failure } from '../../failure.ts';
import { codeOf } from '../error-reason.ts';
import type { Shell } from '../host.ts';
import { SECRET_VARIABLES } from '../secret-variables.ts';

const MAX_STDOUT_BYTES = 64 * 1024;

/** @param interrupted stops a command that runs */
export function createShell(interrupted: AbortSignal): Shell {
  return {
    run: (commandLine, timeoutMs) => run(commandLine, timeoutMs, interrupted),
  };
}

async function run(
  commandLine: string,
  timeoutMs: number,
  interrupted: AbortSignal,
): Promise<string> {
  if (interrupted.aborted) throw interrupted.reason;
  const { spawn } = await import('node:child_process');
  const ownGroup = process.platform !== 'win32' && !hasControllingTerminal();
  const child = spawn(commandLine, {
    shell: true,
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !SECRET_VARIABLES.includes(name)),
    ),
    detached: ownGroup,
    stdio: [process.stdin.isTTY ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const stdout = child.stdout!;

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      interrupted.removeEventListener('abort', onInterrupt);
      act();
    };
    /** Does not wait for the child: what it leaves running may hold its stdout open. */
    const giveUp = (failure: unknown) =>
      settle(() => {
        stop(child.pid, ownGroup);
        stdout.destroy();
        child.unref();
        reject(failure);
      });
    const onInterrupt = () => giveUp(interrupted.reason);
    const timer = setTimeout(() => giveUp(failed(`did not finish in ${timeoutMs} ms`)), timeoutMs);
    interrupted.addEventListener('abort', onInterrupt, { once: true });

    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_STDOUT_BYTES) chunks.push(chunk);
      else giveUp(failed(`printed more than ${MAX_STDOUT_BYTES} bytes`));
    });
    child.on('error', (error) => giveUp(failed('could not be started', error)));
    child.on('close', (code, signal) =>
      settle(() => {
        if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(failed(signal ? `was ended by ${signal}` : `exited with ${code}`));
      }),
    );
  });
}

function hasControllingTerminal(): boolean {
  try {
    fs.closeSync(fs.openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
}

function stop(pid: number | undefined, ownGroup: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(ownGroup ? -pid : pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function failed(what: string, cause?: unknown): Failure {
  return new Failure('auth', `The credential command ${what}.`, {
    code: 'credential-command-failed',
    next: 'Run that command on its own to see what it says (`gw profile show` prints it), then try again.',
    cause,
  });
}
