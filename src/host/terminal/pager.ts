/**
 * What is longer than a screen, handed to a program that leafs through it, as git does.
 *
 * What is written is held back until it is known to be longer than a screen; only then the pager is started. It is
 * the first of GW_PAGER, PAGER and `less`, and an empty one or `cat` is none. While it has the terminal, nothing
 * else writes to it (`say`), and Ctrl-C is the pager's (host/signals.ts).
 *
 * Whatever else asks gw to stop ends the pager first, which may still put the terminal back as it was.
 *
 * A reader who leaves early has read enough: writes fail from then on with a failure that ends the command quietly.
 * A pager that cannot be started leaves everything on the terminal as it would be without one.
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
  /** Of the terminal. */
  rows(): number;
  /** Aborted when gw is to stop; not by a Ctrl-C that is the pager's. */
  interrupted(): AbortSignal;
  /** Takes secrets out of what the pager is given. */
  scrub(text: string): string;
}

/** Exit codes of a shell that found no such program, or was not allowed to run it. */
const NOT_STARTED = new Set([126, 127]);
const UNKNOWN_ROWS = 24;
/** What only a shell understands, as git has it. */
const NEEDS_SHELL = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** The pager of this process: there is one terminal. */
export class Pager {
  readonly #parts: PagerParts;
  readonly #command: string;
  #isOff = false;
  #held = '';
  #lines = 0;
  #child: ChildProcess | undefined;
  /** Its exit code, once it has ended and all it wrote is on the terminal; null when a signal ended it. */
  #closed: Promise<number | null> = Promise.resolve(null);
  #said: string[] = [];
  #hasLeft = false;

  /** @param command line of the pager */
  constructor(parts: PagerParts, command: string) {
    this.#parts = parts;
    this.#command = command;
  }

  /** Whether the terminal is the pager's now. */
  get isOpen(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Holds a text back, or hands it to the pager.
   * @throws Failure unread when the reader has left it, interrupted when gw was asked to stop
   */
  async write(text: string): Promise<void> {
    if (this.#hasLeft) throw this.#interruption() ?? left();
    if (this.#isOff) return this.#parts.stdout.write(text);
    this.#held += text;
    if (this.#child) return this.#pass(this.#child, text);
    this.#lines += linesOf(text, this.#parts.stdout.columns);
    // One line is the prompt's.
    if (this.#lines >= (this.#parts.rows() || UNKNOWN_ROWS)) await this.#start();
  }

  /** Writes to stderr, once the terminal is free. */
  async say(text: string): Promise<void> {
    if (this.isOpen) this.#said.push(text);
    else await this.#parts.stderr.write(text);
  }

  /**
   * Shows what is held back, and waits until the pager has ended. May be called when there is nothing to end.
   * @throws Failure interrupted when gw was asked to stop while it was open
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
    // What it does not take because it has ended is met by `#pass`, and by its exit code.
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

/** Colours as they are, no clearing, and an end where all fits a screen, unless LESS says otherwise. */
function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !SECRET_VARIABLES.includes(name));
  return { LESS: 'FRX', LV: '-c', ...Object.fromEntries(own) };
}

/** @returns how many lines of the terminal a text takes */
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
