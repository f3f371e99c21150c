/**
 * What is typed at a terminal, handed to one question after the other. Keys come one by one, or many at once:
 * pasted, from a scanner, or while gw was busy. However they come, an answer is what its text says.
 *
 * - Text is handed out at once, and each other key in a turn of its own: a list has followed the text that
 *   stands before an Enter, an arrow or a Tab.
 * - What follows the Enter of an answer is kept for the next question: the rest of an amount would be another
 *   amount. Once an answer is refused, what was typed behind it is forgotten.
 * - An Enter that was typed before its question was shown takes a text that was typed too, and nothing else:
 *   the first row of a list, or what an empty answer means, is for whoever has seen it. So is a confirmation,
 *   unless it is the first question, for which alone the text can be.
 * - Ctrl-C goes before all that waits.
 */
import { PassThrough, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { endOfTurn } from '../turn.ts';

/** Characters that are kept for questions to come. */
const MOST_WAITING = 64 * 1024;

const CTRL_C = '\u0003';
const RETURN = '\r';
const ENTER = /^[\r\n]/;
const CONTROL = /\p{Cc}/u;

class Question {
  readonly keys = new PassThrough();
  readonly isConfirmation: boolean;
  isShown = false;
  isOver = false;
  isBeingHanded = false;
  /** What was handed to it. */
  line = '';

  constructor(isConfirmation: boolean) {
    this.isConfirmation = isConfirmation;
  }
}

export class TypedKeys {
  readonly #stdin: NodeJS.ReadStream;
  readonly #decoder = new StringDecoder();
  #waiting = '';
  /** How much of what waits was typed before the question was shown. */
  #ahead = 0;
  /** How much of what waits came together with what is being handed out. */
  #together = 0;
  /** A line feed that follows it is of the same Enter. */
  #lastReturn = '';
  #isFirst = true;
  #isRefused = false;
  #wasAhead = false;

  /** @param stdin a terminal */
  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
  }

  /** Whether the last answer was typed before its question was shown. */
  get wasAhead(): boolean {
    return this.#wasAhead;
  }

  /** The last answer was refused: what was typed before it is asked for again is forgotten. */
  refuse(): void {
    this.#isRefused = true;
  }

  /**
   * @param ask shows a question, and then takes the answer from the keys as they flow; they end where those of
   *   the terminal do
   * @param isConfirmation of what moves money or destroys something
   */
  async answered<Answer>(
    ask: (keys: Readable) => Promise<Answer>,
    isConfirmation = false,
  ): Promise<Answer> {
    const question = new Question(isConfirmation);
    const take = (bytes: Buffer) => {
      this.#take(this.#decoder.write(bytes));
      void this.#hand(question);
    };
    const end = () => question.keys.end();
    this.#stdin.on('data', take).once('end', end).resume();
    if (this.#stdin.readableEnded) end();
    question.keys.once('resume', () => {
      this.#ahead = this.#waiting.length;
      this.#together = 0;
      question.isShown = true;
      void this.#hand(question);
    });
    try {
      await aTurn();
      if (this.#isRefused) this.#drop(this.#waiting.length);
      this.#isRefused = false;
      return await ask(question.keys);
    } finally {
      question.isOver = true;
      this.#isFirst = false;
      this.#stdin.removeListener('data', take).removeListener('end', end).pause();
    }
  }

  #take(text: string): void {
    const before = this.#lastReturn;
    this.#lastReturn = text.endsWith(RETURN) ? RETURN : '';
    const typed = `${before}${text}`.replaceAll('\r\n', RETURN).slice(before.length);
    const end = typed.lastIndexOf(CTRL_C);
    if (end >= 0) this.#drop(this.#waiting.length);
    this.#waiting = `${this.#waiting}${typed.slice(Math.max(0, end))}`.slice(0, MOST_WAITING);
  }

  async #hand(question: Question): Promise<void> {
    if (question.isBeingHanded || !question.isShown) return;
    question.isBeingHanded = true;
    while (this.#waiting !== '' && !question.isOver) {
      const isAhead = this.#ahead > 0;
      const key = this.#next();
      const isEnter = ENTER.test(key);
      if (isEnter && isAhead && !this.#isAnsweredBy(question)) {
        this.#drop(this.#ahead);
        continue;
      }
      if (isEnter) this.#wasAhead = isAhead;
      question.line += key;
      question.keys.write(key);
      await aTurn();
      if (isEnter && !question.isOver) this.#drop(this.#together);
    }
    question.isBeingHanded = false;
  }

  #drop(length: number): void {
    this.#waiting = this.#waiting.slice(length);
    this.#ahead = 0;
    this.#together = 0;
  }

  /** @returns a text, an Enter, or another key and what follows it, which waits no more */
  #next(): string {
    const end = this.#waiting.slice(1).search(CONTROL) + 1;
    const length = ENTER.test(this.#waiting) ? 1 : end || this.#waiting.length;
    const key = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    this.#ahead = Math.max(0, this.#ahead - length);
    this.#together =
      this.#together > 0 ? Math.max(0, this.#together - length) : this.#waiting.length;
    return key;
  }

  #isAnsweredBy({ line, isConfirmation }: Question): boolean {
    return line.trim() !== '' && !CONTROL.test(line) && (this.#isFirst || !isConfirmation);
  }
}

/** By its end, what is typed has been read, and what an Enter answers has been taken. */
async function aTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}
