/**
 * The keys of a terminal, for one question after the other.
 *
 * - A question takes what is typed after it was drawn. Whatever the terminal and Node hold of keys by then is read and
 *   dropped: typed ahead it would answer what nobody has read. In raw mode it can be read, a line without its Enter
 *   too, so raw mode comes first.
 * - The first Enter ends an answer. The rest of a paste is dropped.
 * - A terminal in raw mode shows no keys. From one question to the next it stays so, since what is asked may be a
 *   secret, unless something is waited for in between: Ctrl-C is a key like any other in raw mode.
 */
import { PassThrough, type Readable } from 'node:stream';
import { cancelled } from '../../failure.ts';
import { endOfTurn } from '../turn.ts';

/** The kernel hands over in pieces what a terminal holds; after this long without one, there is none. */
const QUIET_MS = 20;

const CTRL_C = 3;
const ENTERS = new Set([10, 13]);

/** The keys that answer a question. */
export interface Typed {
  /** The keys up to the first Enter; they end where the input of the terminal does. */
  keys: Readable;
  /** Aborted when the question is taken back, by Ctrl-C or a signal, or by whoever asks. */
  takenBack: AbortController;
  /** Drops what was typed until now. Called before a question is drawn once more, after an answer was refused. */
  drop(): Promise<void>;
}

interface AnswerOptions {
  /** The terminal itself shows what is typed, and hands it over line by line. */
  isEchoed?: boolean | undefined;
}

export class Keys {
  readonly #stdin: NodeJS.ReadStream;
  readonly #interrupted: AbortSignal;
  #isHiding = false;
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
   * @returns what `ask` does
   * @throws Failure interrupted when the question is taken back
   */
  async answer<Answer>(
    ask: (typed: Typed) => Promise<Answer>,
    { isEchoed = false }: AnswerOptions = {},
  ): Promise<Answer> {
    const stdin = this.#stdin;
    const keys = new PassThrough();
    const takenBack = new AbortController();
    const takeBack = () => takenBack.abort();
    let isOpen = false;
    let hasCome = false;
    const take = (bytes: Buffer) => {
      hasCome = true;
      if (bytes.includes(CTRL_C)) takeBack();
      if (!isOpen) return;
      const length = bytes.findIndex((byte) => ENTERS.has(byte)) + 1;
      isOpen = length === 0;
      keys.write(isOpen ? bytes : bytes.subarray(0, length));
    };
    const drop = async () => {
      do {
        hasCome = false;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        // Timers come before the terminal is read.
        await endOfTurn();
      } while (hasCome && !takenBack.signal.aborted);
      isOpen = true;
    };
    const end = () => keys.end();
    this.#hide();
    stdin.on('data', take).once('end', end).resume();
    this.#interrupted.addEventListener('abort', takeBack);
    if (this.#interrupted.aborted) takeBack();
    if (stdin.readableEnded) end();
    try {
      await drop();
      takenBack.signal.throwIfAborted();
      if (isEchoed) this.#show();
      const answer = await ask({ keys, takenBack, drop });
      this.#soon = setImmediate(() => this.#show());
      return answer;
    } catch (error) {
      // At once: the program may end by a signal.
      this.#show();
      throw takenBack.signal.aborted ? cancelled(error) : error;
    } finally {
      this.#interrupted.removeEventListener('abort', takeBack);
      stdin.removeListener('data', take).removeListener('end', end).pause();
    }
  }

  #show(): void {
    clearImmediate(this.#soon);
    if (this.#isHiding) this.#stdin.setRawMode(false);
    this.#isHiding = false;
  }

  #hide(): void {
    clearImmediate(this.#soon);
    if (!this.#isHiding) this.#stdin.setRawMode(true);
    this.#isHiding = true;
  }
}
