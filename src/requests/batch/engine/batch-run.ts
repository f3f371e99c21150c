/**
 * A run over the lines of a file. Each line takes these steps, several lines at a time:
 *
 *   look up    a line that must not be sent gets its result; several lines are looked up at once
 *   start      when the pace allows it, in the order of the lines (stretches.ts)
 *   send       once; again only if it certainly did not happen
 *   judge      decides whether other lines may still start, and frees the line's place in flight
 *   settle     records the outcome, while others are in flight
 *   hand out   in the order of the lines, all results that are ready at a time
 *
 * A line that another gw is sending is looked up again until that has an answer, or its turn comes.
 *
 * The first twenty lines sent must be judged before any other starts. If they all fail for one reason, the others would
 * fail too, and the lines are not the cause.
 */
import { quantity } from '../../../base/text.ts';
import { type Busy, retryAfterMs } from '../../../client/exchange/retry.ts';
import { invariant } from '../../../failure.ts';
import type { Clock } from '../../../host/host.ts';
import { LEASE_MS } from '../../../journal/sending.ts';
import { instantOrNothing } from '../../say-waiting.ts';
import {
  countIn,
  emptyTally,
  type Line,
  type LineResult,
  type StopReason,
  type Tally,
} from './batch.ts';
import type { SomeLines } from './lines.ts';
import { MAX_ASKED_PAUSE_MS, Pace } from './pace.ts';
import type { Progress } from './progress.ts';
import { type Stretch, Stretches } from './stretches.ts';

/** The most attempts to send a line. */
export const MAX_ATTEMPTS = 5;

/** The most results that wait for an earlier one. */
const MAX_WAITING = 10_000;

/** The pause before gw looks up again the lines that another gw is sending. */
const ASK_AGAIN_MS = 250;

/** The most lines that are looked up at once. */
const MOST_ASKED = 500;

/** The run stops when this many first lines fail for the same reason. */
const FIRST_LINES = 20;

const LINES_FAIL_ALIKE: StopReason = {
  why: `the first ${FIRST_LINES} lines sent all failed for the same reason`,
  code: 'lines-fail-alike',
  next: 'Find out why before you run it again; to go on anyway, set --stop-after-failures to the number you accept.',
};

/** Sends the lines of a run. It returns an expected failure as a result, and does not throw it. */
export interface LineSender<Answer> {
  /** @returns for each line its result if it must not be sent */
  lookUp(lines: readonly Line[]): Promise<readonly (LineResult<Answer> | undefined)[]>;
  /** Sends a line once. */
  send(line: Line): Promise<LineResult<Answer>>;
  /** Records the outcome of a line. @returns its result, including any problem with recording it */
  settle(result: LineResult<Answer>): Promise<LineResult<Answer>>;
}

export interface RunOptions {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** The most requests in flight. */
  concurrency: number;
  /** The most starts in a second. */
  perSecond: number | undefined;
  /**
   * The number of lines not done, in this run, after which no more lines are started. If it is set, lines that fail
   * alike do not end the run.
   */
  stopAfterFailures: number | undefined;
  /** Shows the state of the run. */
  progress: Progress;
}

/** A line that another gw is sending. */
interface LineElsewhere<Answer> {
  place: number;
  result: LineResult<Answer>;
  /** Until when its answer is waited for, in ms. On a server the entry says by then that it may not be sent any more. */
  untilMs: number;
}

/** The reason why the first lines have failed, and how many have. */
interface Alike {
  failedFor?: string | undefined;
  lines: number;
}

export class BatchRun<Answer> {
  readonly tally: Tally = emptyTally();
  readonly #lines: SomeLines;
  readonly #sender: LineSender<Answer>;
  readonly #options: RunOptions;
  readonly #pace: Pace;
  readonly #stopped = new AbortController();
  #stoppedBy: StopReason | undefined;
  #defect: { error: unknown } | undefined;
  /** Lines that have not started but still may. */
  #open: number;
  /** Lines that have started and are not judged yet. */
  #sending = 0;
  /** Lines that have started and are not settled yet. */
  #unsettled = 0;
  /** Lines that did not succeed in this run. */
  #failed = 0;
  /** Undefined once gw knows whether the first lines fail alike, and when that does not matter. */
  #alike: Alike | undefined;
  #elsewhere: LineElsewhere<Answer>[] = [];
  /** Whether a line was met that another gw is sending. */
  #hasMet = false;
  /** Results that are ready and not handed out, by the place of their line, from 0. */
  readonly #ready = new Map<number, LineResult<Answer>>();
  /** The place of the next line whose result is handed out. */
  #next = 0;
  /** Whether a reader still takes the results. */
  #isRead = true;
  #waiting: (() => void)[] = [];

  constructor(lines: SomeLines, sender: LineSender<Answer>, options: RunOptions) {
    const { progress, stopAfterFailures } = options;
    this.#lines = lines;
    this.#sender = sender;
    this.#options = options;
    this.#open = lines.length;
    this.#alike = stopAfterFailures === undefined ? { lines: 0 } : undefined;
    const stopped = this.#stopped.signal;
    this.#pace = new Pace({ ...options, stopped, onPause: progress.sayPause });
  }

  /** The reason why lines were not started, if any were not. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy;
  }

  /**
   * Starts no more lines. The first reason counts. A guard's refusal to go on replaces other reasons, since it decides
   * what the user may do next.
   */
  stop(reason: StopReason): void {
    if (this.#stoppedBy?.kind === undefined && (reason.kind === 'guard' || !this.#stoppedBy))
      this.#stoppedBy = reason;
    this.#stopped.abort();
    this.#changed();
  }

  /**
   * Runs the lines. If the reader stops taking results, the run ends after the requests in flight.
   * @returns the results in the order of their lines, one for each line
   * @throws what the sender throws, after the requests in flight have ended
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
      if (!isOver) this.stop({ why: 'the reader closed the pipe' });
      await all;
    }
    if (this.#defect) throw this.#defect.error;
  }

  async #takeAll(): Promise<void> {
    await this.#startAll().catch(this.#meetDefect);
    while (this.#unsettled + this.#elsewhere.length > 0)
      if (this.#elsewhere.length === 0) await this.#change();
      else await this.#askAgain().catch(this.#meetDefect);
  }

  /** Starts the lines, and looks the next ones up meanwhile. */
  async #startAll(): Promise<void> {
    const left = new Stretches(this.#lines.length);
    let next = this.#lookUp(left.take(this.#most));
    for (let most = this.#most; ; ) {
      const { from, to, lines, known } = await next;
      if (from === to) return;
      // Lines that others have done are many, and soon looked up.
      most = known.every(Boolean) ? Math.min(2 * most, MOST_ASKED) : this.#most;
      const ahead = left.take(most);
      next = this.#lookUp(ahead);
      next.catch(() => undefined);
      for (let place = from; place < to; place++) {
        if (!(await this.#waitForReader(place))) return;
        await this.#start(place, lines[place - from], known[place - from]);
        if (!this.#leaves(left, { from: place + 1, to }, ahead)) continue;
        next = this.#lookUp(left.take(this.#most));
        break;
      }
    }
  }

  /** @returns whether the run goes on elsewhere, because it has met another gw here */
  #leaves(left: Stretches, here: Stretch, ahead: Stretch): boolean {
    const hasMet = this.#hasMet;
    this.#hasMet = false;
    return hasMet && left.leave(here, ahead, this.#next + MAX_WAITING, 2 * this.#most);
  }

  /** Waits until few enough results wait for the one at a place. @returns whether the run goes on */
  async #waitForReader(place: number): Promise<boolean> {
    while (place - this.#next >= MAX_WAITING && this.#isRead)
      await (this.#elsewhere.length > 0 ? this.#askAgain() : this.#change());
    return this.#isRead && !this.#defect;
  }

  /** Looks lines up before they are started. */
  async #lookUp({ from, to }: Stretch) {
    const isOver = this.#stopped.signal.aborted || from === to;
    const lines = this.#lines.slice(from, to);
    const known = isOver ? [] : await this.#sender.lookUp(lines);
    return { from, to, lines, known };
  }

  /** @param known the result of a line that must not be sent */
  async #start(
    place: number,
    line: Line | undefined,
    known: LineResult<Answer> | undefined,
  ): Promise<void> {
    invariant(line, `no line at place ${place}`);
    const result = known ?? (await this.#waitForTurn(line));
    this.#open--;
    if (result) {
      if (result.outcome === 'elsewhere') return this.#putAside(place, result);
      this.#heed(result);
      this.#end(place, result);
      return;
    }
    this.#sending++;
    this.#unsettled++;
    void this.#send(line)
      .then((sent) => this.#endOrPutAside(place, sent), this.#meetDefect)
      .then(() => {
        this.#unsettled--;
        this.#changed();
      });
  }

  #endOrPutAside(place: number, result: LineResult<Answer>): void {
    if (result.outcome === 'elsewhere') this.#putAside(place, result);
    else this.#end(place, result);
  }

  #putAside(place: number, result: LineResult<Answer>): void {
    this.#open++;
    this.#hasMet = true;
    const untilMs = this.#options.clock.now().getTime() + LEASE_MS;
    this.#elsewhere.push({ place, result, untilMs });
  }

  /** Looks up the lines that others are sending, after a moment: starts those that may be sent, and ends those with an answer. */
  async #askAgain(): Promise<void> {
    const { clock, progress } = this.#options;
    if (this.#open === this.#elsewhere.length && this.#unsettled === 0)
      await progress.sayElsewhere(this.#open);
    const stopped = this.#stopped.signal;
    await clock.sleep(ASK_AGAIN_MS, stopped).catch(() => undefined);
    const lines = this.#elsewhere.splice(0, MOST_ASKED);
    const known = stopped.aborted
      ? lines.map(({ result }) => result)
      : await this.#sender.lookUp(lines.map(({ result }) => result.line));
    for (const [n, { place, result, untilMs }] of lines.entries()) {
      const now = known[n];
      const isOver = stopped.aborted || clock.now().getTime() >= untilMs;
      if (now?.outcome !== 'elsewhere') await this.#start(place, result.line, now);
      else if (isOver) this.#giveUp(place, now);
      else this.#elsewhere.push({ place, result: now, untilMs });
    }
  }

  #giveUp(place: number, result: LineResult<Answer>): void {
    this.#open--;
    this.#end(place, result);
  }

  readonly #meetDefect = (error: unknown): void => {
    this.#defect ??= { error };
    this.stop({ why: 'gw cannot go on' });
  };

  /** The line has its result. */
  #end(place: number, result: LineResult<Answer>): void {
    countIn(this.tally, result);
    this.#options.progress.show(this.tally);
    this.#ready.set(place, result);
    if (place === this.#next) this.#changed();
  }

  /** The most lines that have started and are not settled: the rest of them wait for the disk. */
  get #most(): number {
    return 2 * this.#options.concurrency;
  }

  /** @returns the result of a line that may no longer start */
  async #waitForTurn(line: Line): Promise<LineResult<Answer> | undefined> {
    const isFull = () => this.#areFirstSent || this.#unsettled >= this.#most;
    while (isFull() && !this.#stopped.signal.aborted) await this.#change();
    return (await this.#mayStart()) ? undefined : notStarted(line);
  }

  /** Whether the first lines are all sent or in flight, so that no other line may start before they are judged. */
  get #areFirstSent(): boolean {
    return this.#alike !== undefined && this.#alike.lines + this.#sending >= FIRST_LINES;
  }

  /** Waits for a place in flight. @returns false if no line may start any more */
  async #mayStart(): Promise<boolean> {
    if (!(await this.#pace.enter())) return false;
    if (!this.#stopped.signal.aborted) return true;
    this.#pace.leave();
    return false;
  }

  /** The caller holds a place in flight for the first attempt. */
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

  /** Judges the result of a line that is not sent again: may other lines start? */
  #judge(result: LineResult): void {
    this.#sending--;
    this.#heed(result);
    if (!this.#alike) return;
    // A refusal by gw was not sent, so it says nothing about the gateway.
    if (result.outcome !== 'refused') this.#compare(this.#alike, result);
    this.#changed();
  }

  /** Stops the run if the result of a line that is not sent again asks for it, or is one failure too many. */
  #heed({ outcome, isEarlier, endsAll, mayRepeat }: LineResult): void {
    const { stopAfterFailures: most } = this.#options;
    const reason = endsAll ?? mayRepeat;
    if (reason) this.stop(reason);
    if (outcome !== 'done' && outcome !== 'not-started' && !isEarlier) this.#failed++;
    if (this.#failed === most)
      this.stop({ why: `${quantity(most, 'line', 'lines')} did not succeed` });
  }

  /** Compares the results of the first lines as they arrive. */
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
    const longest = `gw waits ${MAX_ASKED_PAUSE_MS / 60_000} minutes at most`;
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

  /** Resolves at the next change: a result is ready, taken or judged, or the run is stopped. */
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
