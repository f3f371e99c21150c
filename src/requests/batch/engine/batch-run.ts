/**
 * A run over the lines of a file. Each line takes these steps, several lines at a time:
 *
 *   look up    a line that is not to be sent has its result
 *   start      in the order of the lines, in its turn by the pace
 *   send       once; again only if it certainly did not happen
 *   judge      whether other lines may still start. Then its place in flight is free
 *   settle     what became of it is written down, while others are in flight
 *   hand out   in the order of the lines, all that are there at a time
 *
 * The first twenty lines that are sent have to be judged before any other starts: when all of them fail for one
 * reason, so will the others, and it is not the lines that are at fault.
 */
import { plural } from '../../../base/text.ts';
import { instantOrNothing } from '../../../cli/say-waiting.ts';
import { type Busy, retryAfterMs } from '../../../client/exchange/retry.ts';
import type { Clock } from '../../../host/host.ts';
import {
  countIn,
  emptyTally,
  type Line,
  type LineResult,
  type StopReason,
  type Tally,
} from './batch.ts';
import { MAX_ASKED_PAUSE_MS, Pace } from './pace.ts';
import type { Progress } from './progress.ts';

/** Attempts to send a line. */
export const MAX_ATTEMPTS = 5;

/** Results that wait for one before them. */
const MAX_WAITING = 10_000;

/** Lines that have to fail alike. */
const FIRST_LINES = 20;

const LINES_FAIL_ALIKE: StopReason = {
  why: `the first ${FIRST_LINES} lines sent all failed for the same reason`,
  code: 'lines-fail-alike',
  next: 'Find out why before you run it again; to go on anyway, set --stop-after-failures to the number you accept.',
};

/** What lines are sent with. An expected failure is a result, and not thrown. */
export interface LineSender<Answer> {
  /** @returns the result of a line that is not to be sent */
  lookUp(line: Line): Promise<LineResult<Answer> | undefined>;
  /** Sends a line once. */
  send(line: Line): Promise<LineResult<Answer>>;
  /** Writes down what became of a line. @returns its result, with what is to be said of that */
  settle(result: LineResult<Answer>): Promise<LineResult<Answer>>;
}

export interface RunOptions {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** Requests in flight, at the most. */
  concurrency: number;
  /** Starts a second, at the most. */
  perSecond: number | undefined;
  /** Lines that are not done, in this run, after which no more are started; lines that fail alike do not end it then. */
  stopAfterFailures: number | undefined;
  /** Shows where the run is. */
  progress: Progress;
}

/** What the first lines have failed for, and how many of them. */
interface Alike {
  failedFor?: string | undefined;
  lines: number;
}

export class BatchRun<Answer> {
  readonly tally: Tally = emptyTally();
  readonly #lines: readonly Line[];
  readonly #sender: LineSender<Answer>;
  readonly #options: RunOptions;
  readonly #pace: Pace;
  readonly #stopped = new AbortController();
  #stoppedBy: StopReason | undefined;
  #defect: { error: unknown } | undefined;
  /** Resolves when the line before the next one has started, or is not going to. */
  #before: Promise<unknown> = Promise.resolve();
  /** Lines that have not started and may still. */
  #open: number;
  /** Lines that have started and are not judged. */
  #sending = 0;
  /** Lines that did not succeed in this run. */
  #failed = 0;
  /** undefined once it is known whether the first lines fail alike, and where that does not matter. */
  #alike: Alike | undefined;
  /** Lines that have been taken up, from the first. */
  #taken = 0;
  /** Results that are there and not handed out, by the places of their lines, from 0. */
  readonly #ready = new Map<number, LineResult<Answer>>();
  /** The place of the next line whose result is handed out. */
  #next = 0;
  /** Whether somebody takes the results. */
  #isRead = true;
  #waiting: (() => void)[] = [];

  constructor(lines: readonly Line[], sender: LineSender<Answer>, options: RunOptions) {
    const { progress, stopAfterFailures } = options;
    this.#lines = lines;
    this.#sender = sender;
    this.#options = options;
    this.#open = lines.length;
    this.#alike = stopAfterFailures === undefined ? { lines: 0 } : undefined;
    const stopped = this.#stopped.signal;
    this.#pace = new Pace({ ...options, stopped, onPause: progress.sayPause });
  }

  /** Why lines were not started, if any were not. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy;
  }

  /**
   * Starts no more lines. The first reason counts; a refusal of gw to go on outweighs others, since it decides what
   * may be done next.
   */
  stop(reason: StopReason): void {
    if (this.#stoppedBy?.kind === undefined && (reason.kind === 'guard' || !this.#stoppedBy))
      this.#stoppedBy = reason;
    this.#stopped.abort();
    this.#changed();
  }

  /**
   * Runs. Whoever stops taking results ends the run; what is in flight is seen through.
   * @returns the results in the order of their lines, one for each line
   * @throws what the sender throws, when what is in flight is through
   */
  async *results(): AsyncGenerator<readonly LineResult<Answer>[]> {
    this.#options.progress.begin(this.#lines.length);
    let isOver = false;
    const all = this.#takeAll().finally(() => {
      isOver = true;
      this.#changed();
    });
    try {
      for (;;) {
        const ready = this.#takeReady();
        if (ready.length > 0) yield ready;
        else if (isOver) break;
        else await this.#change();
      }
    } finally {
      this.#isRead = false;
      if (!isOver) this.stop({ why: 'its results are not taken any more' });
      await all;
    }
    if (this.#defect) throw this.#defect.error;
  }

  /** Twice as many lines as may be in flight: others are looked up or settled meanwhile. */
  async #takeAll(): Promise<void> {
    const atOnce = 2 * this.#options.concurrency;
    await Promise.all(Array.from({ length: atOnce }, () => this.#takeOneByOne()));
  }

  async #takeOneByOne(): Promise<void> {
    for (;;) {
      while (this.#taken - this.#next >= MAX_WAITING && this.#isRead) await this.#change();
      const place = this.#taken;
      const line = this.#lines[place];
      if (!line || !this.#isRead || this.#defect) return;
      this.#taken++;
      await this.#take(place, line);
    }
  }

  /** All steps of a line. */
  async #take(place: number, line: Line): Promise<void> {
    try {
      const result = (await this.#start(line)) ?? (await this.#send(line));
      countIn(this.tally, result);
      this.#options.progress.show(this.tally);
      this.#ready.set(place, result);
      if (place === this.#next) this.#changed();
    } catch (error) {
      this.#defect ??= { error };
      this.stop({ why: 'gw cannot go on' });
    }
  }

  /** Looks a line up beside others, and starts it after those before it. @returns the result of one that is not sent */
  #start(line: Line): Promise<LineResult<Answer> | undefined> {
    const isStopped = this.#stopped.signal.aborted;
    const known = isStopped ? notStarted(line) : this.#sender.lookUp(line);
    const started = Promise.all([known, this.#before]).then(([result]) =>
      this.#startNext(line, result),
    );
    this.#before = started.catch(() => undefined);
    return started;
  }

  async #startNext(
    line: Line,
    known: LineResult<Answer> | undefined,
  ): Promise<LineResult<Answer> | undefined> {
    const result = known ?? (await this.#waitForTurn(line));
    this.#open--;
    if (result) this.#heed(result);
    else this.#sending++;
    return result;
  }

  /** @returns the result of a line that may not start any more */
  async #waitForTurn(line: Line): Promise<LineResult<Answer> | undefined> {
    while (this.#areFirstSent && !this.#stopped.signal.aborted) await this.#change();
    return (await this.#mayStart()) ? undefined : notStarted(line);
  }

  /** Whether the first lines are sent, and it is to be known how they end before any other starts. */
  get #areFirstSent(): boolean {
    return this.#alike !== undefined && this.#alike.lines + this.#sending >= FIRST_LINES;
  }

  /** Waits for a place in flight. @returns false when no line may start any more */
  async #mayStart(): Promise<boolean> {
    if (!(await this.#pace.enter())) return false;
    if (!this.#stopped.signal.aborted) return true;
    this.#pace.leave();
    return false;
  }

  /** Whoever calls has a place in flight for the first attempt. */
  async #send(line: Line): Promise<LineResult<Answer>> {
    for (let attempts = 1; ; attempts++) {
      const isLast = attempts === MAX_ATTEMPTS;
      const result = await this.#sendOnce(line, isLast);
      const settled = await this.#sender.settle(result);
      if (settled.endsAll) this.stop(settled.endsAll);
      if (isLast || !result.mayRepeat || !(await this.#mayStart())) return settled;
    }
  }

  async #sendOnce(line: Line, isLast: boolean): Promise<LineResult<Answer>> {
    try {
      const result = await this.#sender.send(line);
      if (result.outcome === 'done') this.#pace.succeeded();
      if (result.busy) this.#slowDown(result.busy);
      if (isLast || !result.mayRepeat) this.#judge(result);
      else if (result.endsAll) this.stop(result.endsAll);
      return result;
    } finally {
      this.#pace.leave();
    }
  }

  /** Tells from the result of a line that was sent, and is not sent again, whether others may start. */
  #judge(result: LineResult): void {
    this.#sending--;
    this.#heed(result);
    // One that is refused here was not sent, and says nothing of the gateway.
    if (this.#alike && result.outcome !== 'refused') this.#compare(this.#alike, result);
    this.#changed();
  }

  /** Stops where the result of a line that is not sent again says so, or is one failure too many. */
  #heed({ outcome, isEarlier, endsAll, mayRepeat }: LineResult): void {
    const { stopAfterFailures: most } = this.#options;
    const reason = endsAll ?? mayRepeat;
    if (reason) this.stop(reason);
    if (outcome !== 'done' && outcome !== 'not-started' && !isEarlier) this.#failed++;
    if (this.#failed === most)
      this.stop({ why: `${most} ${plural(most, 'line', 'lines')} did not succeed` });
  }

  /** Compares the first lines, as they are answered. */
  #compare(alike: Alike, { failedFor }: LineResult): void {
    alike.failedFor ??= failedFor;
    const isAlike = failedFor !== undefined && failedFor === alike.failedFor;
    if (isAlike && ++alike.lines < FIRST_LINES) return;
    this.#alike = undefined;
    if (isAlike && this.#open > 0) this.stop(LINES_FAIL_ALIKE);
  }

  #slowDown({ retryAfter }: Busy): void {
    const now = this.#options.clock.now();
    const askedMs = retryAfterMs(retryAfter, now);
    this.#pace.slowDown(askedMs);
    if (askedMs === undefined || askedMs <= MAX_ASKED_PAUSE_MS) return;
    const when = instantOrNothing(now.getTime() + askedMs);
    const longest = `gw waits for ${MAX_ASKED_PAUSE_MS / 60_000} minutes at the most`;
    this.stop({
      why: `the gateway asks for a pause until ${when ?? 'the end of time'}, and ${longest}`,
      next: when
        ? `The gateway takes requests again on ${when}.`
        : 'Ask whoever runs the gateway when it takes requests again.',
    });
  }

  #takeReady(): LineResult<Answer>[] {
    const ready: LineResult<Answer>[] = [];
    for (;;) {
      const result = this.#ready.get(this.#next);
      if (!result) break;
      this.#ready.delete(this.#next++);
      ready.push(result);
    }
    if (ready.length > 0) this.#changed();
    return ready;
  }

  /** Resolves when something has changed: a result is there, was taken or is judged, or the run is stopped. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function notStarted(line: Line): LineResult<never> {
  return { line, outcome: 'not-started', isEarlier: false };
}
