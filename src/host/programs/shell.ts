/**
 * Runs a command line of the user's own, such as a profile's `credentialCommand`.
 *
 * Its output is a secret, and the command line may contain one, so neither appears in a message. The command may ask
 * for a passphrase on the terminal, which only a process of the terminal's session can open. A process group of its own
 * would come with a session of its own in Node. So the command gets its own group only if there is no terminal. On a
 * terminal, it stays in gw's group, which Ctrl-C reaches.
 */
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../../failure.ts';
import { codeOf } from '../error-reason.ts';
import type { CommandName, Shell } from '../host.ts';
import { environmentOfPrograms } from '../secret-variables.ts';

const MAX_STDOUT_BYTES = 64 * 1024;

/** @param interrupted stops a running command */
export function createShell(interrupted: AbortSignal): Shell {
  return {
    run: (commandLine, timeoutMs, name = 'credential command') =>
      run({ commandLine, timeoutMs, name }, interrupted),
  };
}

async function run(
  { commandLine, timeoutMs, name }: { commandLine: string; timeoutMs: number; name: CommandName },
  interrupted: AbortSignal,
): Promise<string> {
  if (interrupted.aborted) throw interrupted.reason;
  const { spawn } = await import('node:child_process');
  const ownGroup = process.platform !== 'win32' && !hasControllingTerminal();
  const child = spawn(commandLine, {
    shell: true,
    env: environmentOfPrograms(),
    detached: ownGroup,
    stdio: [process.stdin.isTTY ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const stdout = child.stdout!;

  return new Promise((resolve, reject) => {
    const failed = (what: string, cause?: unknown) => failureOf(name, what, cause);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      interrupted.removeEventListener('abort', onInterrupt);
      act();
    };
    /** Does not wait for the child, because processes it leaves behind may hold its stdout open. */
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
    closeSync(openSync('/dev/tty', 'r+'));
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

function failureOf(name: CommandName, what: string, cause?: unknown): Failure {
  return new Failure(
    name === 'ledger command' ? 'ledger-command-failed' : 'credential-command-failed',
    `The ${name} ${what}.`,
    'Run that command on its own to see what it says (`gw whoami` prints it), then try again.',
    { cause },
  );
}
