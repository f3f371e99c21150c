/**
 * Shows on stderr how far a run over many lines is, if stderr is a terminal. It is one line, which is redrawn and
 * erased at the end. In plain mode a whole line is printed now and then, and nothing is redrawn.
 */
import { count, quantity } from '../../../base/text.ts';
import type { Clock, Output } from '../../../host/host.ts';
import { sayWaiting } from '../../say-waiting.ts';
import { emptyTally, linesIn, type Tally } from './batch.ts';

/** The shortest time between two repaints of the terminal. */
const REPAINT_MS = 250;
const PLAIN_MS = 15_000;

const LEAST_BAR_CELLS = 8;
const MOST_BAR_CELLS = 24;
/** Moves the cursor to the beginning of the line and erases the line. */
const ERASE = '\r\u001b[K';

export class Progress {
  /** Says that nothing is sent for some milliseconds; once for all that wait for the same moment. */
  readonly sayPause: (ms: number) => void;
  readonly #output: Output;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #words: (tally: Tally) => string;
  #isElsewhereSaid = false;
  #total = 0;
  #startedAt = 0;
  #paintedAt = 0;
  /** The line to show, and the line that is shown. */
  #line = '';
  #shown = '';
  /** The number of writers above the line at this moment. */
  #writing = 0;

  /** @param words the text for the lines so far, for example `1,190 done, 10 failed` */
  constructor(output: Output, clock: Pick<Clock, 'now'>, words: (tally: Tally) => string) {
    this.#output = output;
    this.#clock = clock;
    this.#words = words;
    this.sayPause = sayWaiting(clock, (text) => this.say(text));
  }

  /**
   * @param total lines of the run, which begins now
   * @param isLong whether it surely takes a while: then it is shown at once
   */
  begin(total: number, isLong = false): void {
    this.#total = total;
    this.#startedAt = this.#clock.now().getTime();
    // A run that ends within the first moment shows nothing.
    this.#paintedAt = isLong ? Number.NEGATIVE_INFINITY : this.#startedAt;
    if (isLong) this.show(emptyTally());
  }

  /** Shows the state of the run, on a terminal only, and not too often. */
  show(tally: Tally): void {
    if (!this.#output.isTerminal) return;
    const now = this.#clock.now().getTime();
    if (now - this.#paintedAt < (this.#output.isPlain ? PLAIN_MS : REPAINT_MS)) return;
    this.#paintedAt = now;
    const parts = this.#parts(tally, now - this.#startedAt);
    if (this.#output.isPlain) {
      void this.#output.write(`${parts.filter((part) => part !== '').join(', ')}.\n`);
      return;
    }
    this.#line = lineOf(parts, linesIn(tally) / this.#total, this.#output);
    if (this.#writing === 0) void this.#draw();
  }

  /** Says once that nothing is left but lines that another gw is sending. */
  async sayElsewhere(lines: number): Promise<void> {
    if (this.#isElsewhereSaid) return;
    this.#isElsewhereSaid = true;
    const some = quantity(lines, 'line', 'lines');
    await this.say(`Waiting for ${some} that another gw is sending. Ctrl-C leaves them to it.\n`);
  }

  /** Prints a text above the progress line. */
  say(text: string): Promise<void> {
    return this.above(() => this.#output.write(text));
  }

  /** Prints something to the terminal, and redraws the progress line below it. */
  async above(write: () => Promise<void>): Promise<void> {
    this.#writing++;
    try {
      await this.#erase();
      await write();
    } finally {
      this.#writing--;
    }
    // The run may have ended meanwhile.
    if (this.#writing === 0 && this.#line !== '') await this.#draw();
  }

  async clear(): Promise<void> {
    this.#line = '';
    await this.#erase();
  }

  /** The parts of the line, the most important first; '' for a part that cannot be computed. */
  #parts(tally: Tally, elapsedMs: number): string[] {
    const handled = linesIn(tally);
    // Lines that were done earlier or are not started took no time.
    const sent = handled - tally.doneEarlier - tally['not-started'];
    const perSecond = elapsedMs > 0 ? (sent * 1000) / elapsedMs : 0;
    const isOver = handled >= this.#total;
    return [
      `${count(handled)} of ${count(this.#total)}`,
      this.#words(tally),
      perSecond > 0 && !isOver ? `${duration((this.#total - handled) / perSecond)} left` : '',
      perSecond > 0 ? `${rate(perSecond)}/s` : '',
    ];
  }

  async #draw(): Promise<void> {
    const before = this.#shown === '' ? '' : ERASE;
    this.#shown = this.#line;
    await this.#output.write(before + this.#line);
  }

  async #erase(): Promise<void> {
    if (this.#shown === '') return;
    this.#shown = '';
    await this.#output.write(ERASE);
  }
}

/** @param part the fraction of the run that is over, 0 to 1. @returns one line that fits the terminal */
function lineOf(parts: readonly string[], part: number, { columns, blocks }: Output): string {
  // The last cell stays free: some terminals wrap when it is filled.
  const room = columns - 1;
  let shown = parts.filter((text) => text !== '');
  while (shown.length > 1 && shown.join('  ').length > room) shown = shown.slice(0, -1);
  const text = shown.join('  ').slice(0, room);
  const cells = Math.min(MOST_BAR_CELLS, room - text.length - 2);
  if (cells < LEAST_BAR_CELLS) return text;
  const full = Math.floor(cells * Math.min(1, part));
  const [whole, rest] = blocks ? ['█', '░'] : ['#', '.'];
  return `${whole.repeat(full)}${rest.repeat(cells - full)}  ${text}`;
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
