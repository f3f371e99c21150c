/**
 * Shows output longer than a screen in a pager, as git does.
 *
 * The output is held back until it is longer than a screen; only then the pager starts. The first of GW_PAGER, PAGER
 * and `less` names it; an empty value or `cat` means none. While the pager has the terminal, nothing else writes to it
 * (`say`), and Ctrl-C is for the pager (host/signals.ts).
 *
 * Any other request to stop gw first ends the pager, so that it can restore the terminal.
 *
 * If a reader leaves early, later writes fail with a failure that ends the command quietly. If a pager cannot be
 * started, everything goes to the terminal, as it would without one.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { Failure } from '../../failure.ts';
import type { Output } from '../host.ts';
import { SECRET_VARIABLES } from '../secret-variables.ts';

export interface PagerParts {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Height of the terminal, in lines. */
  rows(): number;
  /** Aborted when gw must stop; not by a Ctrl-C for the pager. */
  interrupted(): AbortSignal;
  /** Removes secrets from the pager's input. */
  scrub(text: string): string;
}

/** Exit codes of a shell that did not find the program, or was not allowed to run it. */
const NOT_STARTED = new Set([126, 127]);
const UNKNOWN_ROWS = 24;
/** Characters that need a shell; the same set as in git. */
const NEEDS_SHELL = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** The pager of this process, which has one terminal. */
export class Pager {
  readonly #parts: PagerParts;
  readonly #command: string;
  #isOff = false;
  #held = '';
  #lines = 0;
  #child: ChildProcess | undefined;
  /** The pager's exit code, once it has ended and all its output is on the terminal; null if a signal ended it. */
  #closed: Promise<number | null> = Promise.resolve(null);
  #said: string[] = [];
  #hasLeft = false;

  /** @param command command line of the pager */
  constructor(parts: PagerParts, command: string) {
    this.#parts = parts;
    this.#command = command;
  }

  /** Whether the pager has the terminal now. */
  get isOpen(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Holds a text back, or passes it to the pager.
   * @throws Failure unread if the reader left the pager, interrupted if gw was asked to stop
   */
  async write(text: string): Promise<void> {
    if (this.#hasLeft) throw this.#interruption() ?? left();
    if (this.#isOff) return this.#parts.stdout.write(text);
    this.#held += text;
    if (this.#child) return this.#pass(this.#child, text);
    this.#lines += linesOf(text, this.#parts.stdout.columns);
    // The prompt needs one line.
    if (this.#lines >= (this.#parts.rows() || UNKNOWN_ROWS)) await this.#start();
  }

  /** Writes to stderr once the terminal is free. */
  async say(text: string): Promise<void> {
    if (this.isOpen) this.#said.push(text);
    else await this.#parts.stderr.write(text);
  }

  /**
   * Shows the text held back, and waits until the pager has ended. Does nothing if there is nothing to show.
   * @throws Failure interrupted if gw was asked to stop while the pager was open
   */
  async end(): Promise<void> {
    const wasOpen = this.isOpen;
    if (this.#child) await this.#finish(this.#child);
    else await this.#parts.stdout.write(this.#take());
    for (const text of this.#said.splice(0)) await this.#parts.stderr.write(text);
    const interruption = wasOpen ? this.#interruption() : undefined;
    if (interruption) throw interruption;
  }

  #interruption(): Failure | undefined {
    const { aborted, reason } = this.#parts.interrupted();
    return aborted ? reason : undefined;
  }

  #take(): string {
    const text = this.#held;
    this.#held = '';
    this.#lines = 0;
    return text;
  }

  async #start(): Promise<void> {
    const { env, stdout, stderr } = this.#parts;
    const pager = this.#command;
    const { spawn } = await import('node:child_process');
    const child = spawn(pager, {
      shell: NEEDS_SHELL.test(pager),
      env: environment(),
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    this.#child = child;
    // If the pager has ended, `#pass` and the exit code handle the unread rest.
    child.stdin!.on('error', () => {
      this.#hasLeft = true;
    });
    this.#closed = new Promise((resolve) => {
      child.once('close', resolve);
    });
    const stop = () => child.kill();
    this.#parts.interrupted().addEventListener('abort', stop, { once: true });
    child.once('close', () => this.#parts.interrupted().removeEventListener('abort', stop));
    const started = await once(child, 'spawn').catch(() => undefined);
    if (started) return this.#pass(child, this.#held);
    this.#child = undefined;
    if (env.GW_PAGER || env.PAGER) await stderr.write(notStarted(pager));
    this.#isOff = true;
    await stdout.write(this.#take());
  }

  async #pass(child: ChildProcess, text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      child.stdin!.write(this.#parts.scrub(text), () => resolve());
    });
  }

  async #finish(child: ChildProcess): Promise<void> {
    child.stdin!.end();
    const code = await this.#closed;
    this.#child = undefined;
    if (code !== null && NOT_STARTED.has(code)) await this.#parts.stdout.write(this.#held);
    this.#take();
  }
}

/** Keeps colours, does not clear the screen, and quits if everything fits on it, unless LESS says otherwise. */
function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !SECRET_VARIABLES.includes(name));
  return { LESS: 'FRX', LV: '-c', ...Object.fromEntries(own) };
}

/** @returns the number of terminal lines that a text takes */
function linesOf(text: string, columns: number): number {
  const lines = stripVTControlCharacters(text).split('\n').slice(0, -1);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

function notStarted(pager: string): string {
  return `Note: The pager \`${pager}\` could not be started. Name another one in GW_PAGER, or use --no-pager.\n`;
}

function left(): Failure {
  return new Failure('unread', 'The pager was closed before the end.', {
    code: 'pager-left',
    next: 'Run the command again to read the rest.',
  });
}
