/**
 * The keys of a terminal, for one question after the other.
 *
 * - A question takes what is typed after it was drawn. Whatever the terminal and Node hold of keys by then is read and
 *   dropped: typed ahead it would answer what nobody has read. In raw mode it can be read, a line without its Enter
 *   too, so raw mode comes first.
 * - The first Enter ends an answer. The rest of a paste is dropped: it would change what is drawn of the answer.
 * - A terminal in raw mode shows no keys. From one question to the next it stays so, since what is asked may be a
 *   secret, unless something is waited for in between: Ctrl-C is a key like any other in raw mode.
 */
import { PassThrough, type Readable } from 'node:stream';
import { cancelled } from '../../failure.ts';
import { endOfTurn } from '../turn.ts';

/** The kernel hands over in pieces what a terminal holds; after this long without one, there is none. */
const QUIET_MS = 20;

const CTRL_C = 3;
const CTRL_D = 4;
const ENTERS = new Set([10, 13]);

/** The keys that answer a question. */
export interface Typed {
  /** The keys up to the first Enter. */
  keys: Readable;
  /** Aborted when the question is taken back. */
  signal: AbortSignal;
  /** Drops what was typed until now. Called before a question is drawn once more, after an answer was refused. */
  drop(): Promise<void>;
}

export class Keys {
  readonly #stdin: NodeJS.ReadStream;
  readonly #interrupted: AbortSignal;
  #soon: NodeJS.Immediate | undefined;

  /** @param stdin a terminal. @param interrupted takes a question back */
  constructor(stdin: NodeJS.ReadStream, interrupted: AbortSignal) {
    this.#stdin = stdin;
    this.#interrupted = interrupted;
    // A terminal that is gone shows nothing, whatever it is told.
    stdin.on('error', () => undefined);
  }

  /**
   * @param ask draws a question when it is called, and takes its answer from the keys
   * @param isEchoed whether the terminal itself shows what is typed, and hands it over line by line
   * @returns what `ask` does
   * @throws Failure interrupted when the question is taken back: by Ctrl-C, Ctrl-D, a signal, the end of the input
   */
  async answer<Answer>(ask: (typed: Typed) => Promise<Answer>, isEchoed = false): Promise<Answer> {
    const stdin = this.#stdin;
    const keys = new PassThrough();
    const takenBack = new AbortController();
    const { signal } = takenBack;
    const takeBack = () => takenBack.abort();
    let isOpen = false;
    let hasCome = false;
    const take = (bytes: Buffer) => {
      hasCome = true;
      const enter = bytes.findIndex((byte) => ENTERS.has(byte));
      const taken = enter === -1 ? bytes : bytes.subarray(0, enter + 1);
      if (bytes.includes(CTRL_C) || (isOpen && taken.includes(CTRL_D))) takeBack();
      else if (isOpen) keys.write(taken);
      isOpen &&= enter === -1;
    };
    const drop = async () => {
      do {
        hasCome = false;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        // Timers come before the terminal is read.
        await endOfTurn();
      } while (hasCome && !signal.aborted);
      isOpen = true;
    };
    this.#show(false);
    stdin.on('data', take).once('end', takeBack).resume();
    this.#interrupted.addEventListener('abort', takeBack);
    if (this.#interrupted.aborted || stdin.readableEnded) takeBack();
    try {
      await drop();
      signal.throwIfAborted();
      if (isEchoed) this.#show(true);
      const answer = await ask({ keys, signal, drop });
      this.#soon = setImmediate(() => this.#show(true));
      return answer;
    } catch (error) {
      // At once: the program may end by a signal.
      this.#show(true);
      throw signal.aborted ? cancelled(error) : error;
    } finally {
      this.#interrupted.removeEventListener('abort', takeBack);
      stdin.removeListener('data', take).removeListener('end', takeBack).pause();
    }
  }

  #show(isShown: boolean): void {
    clearImmediate(this.#soon);
    if (this.#stdin.isRaw === isShown) this.#stdin.setRawMode(!isShown);
  }
}
