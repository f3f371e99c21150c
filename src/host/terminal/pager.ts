/**
 * Shows output in a pager, as git does. gw collects the output and passes all of it to the pager at the end. The first
 * of GW_PAGER, PAGER and `less` names the pager; an empty value or `cat` means none. `less` quits at once if everything
 * fits on the screen.
 *
 * While the pager has the terminal, Ctrl-C is for the pager (host/signals.ts). Any other request to stop gw first ends
 * the pager.
 */
import type { ChildProcess } from 'node:child_process';
import type { Host, Output } from '../host.ts';
import { environmentOfPrograms } from '../secret-variables.ts';

interface PagerParts {
  stdout: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when gw must stop; not by a Ctrl-C for the pager. */
  interrupted(): AbortSignal;
  /** Removes secrets from the pager's input. */
  scrub(text: string): string;
}

interface PagerOfProcess extends Pick<Host, 'paged' | 'endPaged'> {
  /** Whether the pager has the terminal now. */
  isOpen(): boolean;
}

/** Exit codes of a shell that did not find the program, or was not allowed to run it. */
const NOT_STARTED = [126, 127];

/** @returns the pager of this process, which has one terminal */
export function createPager({ stdout, env, interrupted, scrub }: PagerParts): PagerOfProcess {
  const command = env.GW_PAGER ?? env.PAGER ?? 'less';
  const isWanted = stdout.isTerminal && !stdout.isPlain && !['', 'cat'].includes(command.trim());
  let held = '';
  let child: ChildProcess | undefined;
  const end = async () => {
    const text = held;
    held = '';
    if (text === '') return;
    if (interrupted().aborted) return stdout.write(text);
    const { spawn } = await import('node:child_process');
    const pager = spawn(command, {
      // Start `less` without a shell, because a shell would report it as missing, and a machine without less is no
      // mistake.
      shell: command !== 'less',
      env: environment(),
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child = pager;
    const stop = () => pager.kill();
    interrupted().addEventListener('abort', stop, { once: true });
    const ended = new Promise<number | null>((resolve) => {
      pager.once('close', resolve).once('error', () => resolve(127));
    });
    // The reader does not want whatever the pager leaves unread, so ignore the error.
    pager.stdin!.on('error', () => undefined).end(scrub(text));
    const code = await ended;
    child = undefined;
    interrupted().removeEventListener('abort', stop);
    interrupted().throwIfAborted();
    if (code !== null && NOT_STARTED.includes(code)) await stdout.write(text);
  };
  const write = async (text: string) => {
    held += text;
  };
  return {
    isOpen: () => child !== undefined,
    paged: () => (isWanted ? Object.assign(withWrite(stdout, write), { end }) : undefined),
    endPaged: end,
  };
}

/** Keeps colours, does not clear the screen, and quits if everything fits on it, unless LESS says otherwise. */
function environment(): Record<string, string | undefined> {
  return { LESS: 'FRX', LV: '-c', ...environmentOfPrograms() };
}

/** @returns the same output with another way to write */
export function withWrite(output: Output, write: Output['write']): Output {
  return Object.create(output, { write: { value: write } });
}
