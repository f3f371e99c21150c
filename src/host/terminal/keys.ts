/**
 * Reads the keys of a terminal, for one question after the other.
 *
 * - A question accepts only what is typed after it was drawn. gw reads and drops all earlier keys that the terminal and
 *   Node hold. They would answer a question that nobody has read. Only raw mode can read them, including a line without
 *   its Enter, so raw mode comes first.
 * - The first Enter ends an answer. The rest of a paste is dropped, because it would change how the answer is drawn.
 * - A terminal in raw mode shows no keys. It stays raw from one question to the next, because the next may ask for a
 *   secret. It leaves raw mode if gw waits for something in between, because raw mode turns Ctrl-C into an ordinary
 *   key.
 *
 * Tests: test/unit/host/prompts.test.ts, test/system/typed-ahead.test.ts
 */
import { PassThrough, type Readable } from 'node:stream';
import { cancellation } from '../../failure.ts';
import { endOfTurn } from '../turn.ts';

/** The kernel delivers held keys in pieces. After this long without one, there are no more. */
const QUIET_MS = 20;

const CTRL_C = 3;
const CTRL_D = 4;
const ENTERS = new Set([10, 13]);

/** The keys that answer a question. */
export interface Typed {
  /** The keys up to the first Enter. */
  keys: Readable;
  /** Aborted when the question is cancelled. */
  signal: AbortSignal;
  /** Drops everything typed until now. Call this before drawing a question again after a refused answer. */
  drop(): Promise<void>;
}

export class Keys {
  readonly #stdin: NodeJS.ReadStream;
  readonly #interrupted: AbortSignal;
  #soon: NodeJS.Immediate | undefined;

  /**
   * @param stdin a terminal
   * @param interrupted cancels a question
   */
  constructor(stdin: NodeJS.ReadStream, interrupted: AbortSignal) {
    this.#stdin = stdin;
    this.#interrupted = interrupted;
    // A closed terminal shows nothing, so its errors do not matter.
    stdin.on('error', () => undefined);
  }

  /**
   * @param ask draws a question when called, and reads its answer from the keys
   * @param isEchoed whether the terminal shows the typed text and delivers it line by line
   * @returns the result of `ask`
   * @throws Failure interrupted if the question is cancelled: by Ctrl-C, Ctrl-D, a signal, or the end of the input
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
        // Timers run before the terminal is read.
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
      // Restore the echo at once, because a signal may end the program.
      this.#show(true);
      throw signal.aborted ? cancellation(error) : error;
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
