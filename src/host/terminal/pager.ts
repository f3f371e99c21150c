/**
 * What a person may want to leaf through, handed whole to a program when it is complete, as git does: the first of
 * GW_PAGER, PAGER and `less`, which ends by itself where all fits a screen. An empty one or `cat` is none.
 *
 * While it has the terminal, Ctrl-C is the pager's (host/signals.ts). Whatever else asks gw to stop ends the pager first.
 */
import type { ChildProcess } from 'node:child_process';
import type { Host, Output } from '../host.ts';
import { SECRET_VARIABLES } from '../secret-variables.ts';

interface PagerParts {
  stdout: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when gw is to stop; not by a Ctrl-C that is the pager's. */
  interrupted(): AbortSignal;
  /** Takes secrets out of what the pager is given. */
  scrub(text: string): string;
}

interface PagerOfProcess extends Pick<Host, 'paged' | 'endPaged'> {
  /** Whether the terminal is the pager's now. */
  isOpen(): boolean;
}

/** Exit codes of a shell that found no such program, or was not allowed to run it. */
const NOT_STARTED = [126, 127];

/** @returns the pager of this process: there is one terminal */
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
      // A machine without less is no mistake, so no shell says so.
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
    // What it does not take, its reader does not want.
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

/** Colours as they are, no clearing, and an end where all fits a screen, unless LESS says otherwise. */
function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !SECRET_VARIABLES.includes(name));
  return { LESS: 'FRX', LV: '-c', ...Object.fromEntries(own) };
}

/** @returns the same output, written to in another way */
export function withWrite(output: Output, write: Output['write']): Output {
  return Object.create(output, { write: { value: write } });
}
