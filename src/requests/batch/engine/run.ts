/**
 * The second pass: sends the lines.
 *
 * A line is first looked up: one that is done or unknown is not sent, and its result is what is known
 * of it; what becomes of one that is under way elsewhere is waited for (held-lines.ts), while others
 * are sent. Otherwise it waits for its turn (pace.ts) and is sent. An attempt that certainly did not
 * happen and may well in a moment (429, not reached) is made again, up to MAX_ATTEMPTS times, each of
 * them an attempt of its own to whoever keeps the memory.
 *
 * The run stops starting lines when anybody says so (stop.ts), when too many have failed, or when a
 * line shows that every other would meet the same. When the first lines all fail alike (alike.ts), it
 * asks whether to go on, and starts none until that is answered. What is in flight is always seen
 * through; what is under way elsewhere is not waited for any more.
 */
import { plural } from '../../../base/plural.ts';
import { Alike } from './alike.ts';
import { type Attempt, emptyTally, type Line, type LineResult, type Tally } from './batch.ts';
import { type HeldLine, HeldLines, type HeldOptions } from './held-lines.ts';
import { Ordered } from './ordered.ts';
import type { Pace } from './pace.ts';
import type { Stop, StopReason } from './stop.ts';

export const MAX_ATTEMPTS = 5;

export interface RunOptions {
  lines: AsyncIterable<Line>;
  /** @returns what is known of a line that is not to be sent; `elsewhere` of one that is being sent */
  lookUp(line: Line): Promise<LineResult | undefined>;
  /** Called right before each line is sent, when it may still be stopped. */
  beforeStart(): void;
  /**
   * Sends a line once.
   * @param answered called as soon as the answer is there, so that another line may start while
   *   what became of this one is written down
   */
  send(line: Line, answered: () => void): Promise<Attempt>;
  /** Takes results in the order of the lines. */
  emit(results: readonly NumberedResult[]): Promise<void>;
  /** Given where lines may be under way elsewhere, and what becomes of them is wanted. */
  elsewhere?: Pick<HeldOptions, 'clock' | 'areOver' | 'onWaiting'> | undefined;
  /** Told after each result. */
  onResult(tally: Tally): void;
  /** Asked once, when the first lines have failed alike. @returns whether to go on all the same */
  mayGoOn(last: LineResult): Promise<boolean>;
  pace: Pace;
  /** `pace` knows its signal. */
  stop: Stop;
  /** Lines that are not done, in this run, after which no more are started; those that fail alike are not asked about then. */
  stopAfterFailures: number | undefined;
}

export interface NumberedResult extends LineResult, Pick<Line, 'body' | 'row' | 'currency'> {
  line: number;
}

export interface RunReport {
  tally: Tally;
  /** Of the lines that were rejected: those that the gateway only did not take just then. */
  notNow?: number;
  /** Why lines were not started, if any were not. */
  stoppedBy: StopReason | undefined;
}

const NOT_STARTED: LineResult = { outcome: 'not-started', isEarlier: false };

/** @throws what any of the functions that it is given throws, when what is in flight is through */
export function runBatch(options: RunOptions): Promise<RunReport> {
  return new Run(options).all();
}

class Run {
  readonly #options: RunOptions;
  readonly #tally = emptyTally();
  readonly #ordered: Ordered<NumberedResult>;
  readonly #running = new Set<Promise<void>>();
  readonly #alike = new Alike();
  readonly #held: HeldLines | undefined;
  #failed = 0;
  #notNow = 0;
  #areAllStarted = false;
  /** While somebody is asked whether to go on. */
  #question: Promise<void> | undefined;
  #defect: { error: unknown } | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#ordered = new Ordered(options.emit);
    this.#held = options.elsewhere && this.#holdLines(options.elsewhere);
  }

  #holdLines({ onWaiting, ...elsewhere }: NonNullable<RunOptions['elsewhere']>): HeldLines {
    return new HeldLines({
      ...elsewhere,
      onWaiting: (lines) => {
        if (this.#areAllStarted && this.#running.size === 0) onWaiting(lines);
      },
      onOver: ({ place, line }) => this.#take(place, line),
      onLeft: ({ place, line, result }) => this.#finish(place, line, result),
      onDefect: (error) => this.#giveUp(error),
      stopped: this.#options.stop.signal,
    });
  }

  async all(): Promise<RunReport> {
    const { lines, stop } = this.#options;
    try {
      let place = 0;
      for await (const line of lines) {
        await this.#ordered.room(place);
        if (this.#defect) break;
        await this.#take(place, line);
        place++;
      }
      this.#areAllStarted = true;
    } catch (error) {
      this.#giveUp(error);
    } finally {
      while (this.#running.size > 0 || this.#held?.idle)
        await Promise.all([...this.#running, this.#held?.idle]);
      await this.#question;
    }
    await this.#ordered.end();
    if (this.#defect) throw this.#defect.error;
    return { tally: this.#tally, notNow: this.#notNow, stoppedBy: stop.reason };
  }

  /** Gives a line the result that it has, or sends it in its turn, or waits for whoever does. */
  async #take(place: number, line: Line): Promise<void> {
    const { lookUp, stop } = this.#options;
    const known = stop.signal.aborted ? NOT_STARTED : await lookUp(line);
    if (known) this.#finishOrWait({ place, line, result: known });
    else if (await this.#mayStartNext()) this.#start(place, line);
    else this.#finish(place, line, NOT_STARTED);
  }

  #finishOrWait(held: HeldLine): void {
    const { place, line, result } = held;
    const isWaitedFor = result.outcome === 'elsewhere' && !this.#options.stop.signal.aborted;
    if (this.#held && isWaitedFor) this.#held.add(held);
    else this.#finish(place, line, result);
  }

  /** As `#mayStart`, for a line that has not been tried: waits while it is not known whether the first ones fail alike. */
  async #mayStartNext(): Promise<boolean> {
    const { stop, stopAfterFailures } = this.#options;
    while (
      stopAfterFailures === undefined &&
      !stop.signal.aborted &&
      this.#alike.mustWait(this.#running.size)
    )
      await Promise.race(this.#running);
    return this.#mayStart();
  }

  /** Waits for the turn of a line. @returns false when none may start any more */
  async #mayStart(): Promise<boolean> {
    const { pace, stop, beforeStart } = this.#options;
    while (await pace.enter()) {
      if (!this.#question) {
        beforeStart();
        if (!stop.signal.aborted) return true;
      }
      pace.leave();
      await this.#question;
    }
    return false;
  }

  #start(place: number, line: Line): void {
    const task = this.#send(line)
      .then((attempt) => this.#takeIn(place, line, attempt))
      .catch((error) => this.#giveUp(error))
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Whoever calls has waited for the turn of the first attempt. */
  async #send(line: Line): Promise<Attempt> {
    const { send, pace } = this.#options;
    for (let attempts = 1; ; attempts++) {
      let isInFlight = true;
      const leave = () => {
        if (isInFlight) pace.leave();
        isInFlight = false;
      };
      let attempt: Attempt;
      try {
        attempt = await send(line, leave);
      } finally {
        leave();
      }
      if (attempt.outcome === 'done') pace.succeeded();
      if (!attempt.mayRepeat || attempts === MAX_ATTEMPTS || !(await this.#mayStart()))
        return attempt;
    }
  }

  #takeIn(place: number, line: Line, attempt: Attempt): void {
    const { stop, stopAfterFailures } = this.#options;
    const { mayRepeat, endsAll, failedFor, ...result } = attempt;
    if (mayRepeat && result.outcome === 'rejected') this.#notNow++;
    if (endsAll !== undefined) stop.because({ why: endsAll });
    // One that is refused here was not sent, and says nothing of the gateway.
    const asks =
      stopAfterFailures === undefined && result.outcome !== 'refused' && this.#alike.add(failedFor);
    this.#finishOrWait({ place, line, result });
    if (asks && !this.#areAllStarted && !stop.signal.aborted) this.#question = this.#ask(result);
  }

  async #ask(last: LineResult): Promise<void> {
    const { stop, mayGoOn } = this.#options;
    try {
      if (!(await mayGoOn(last))) stop.because({ why: 'the first lines all failed alike' });
    } catch (error) {
      this.#giveUp(error);
    } finally {
      this.#question = undefined;
    }
  }

  #giveUp(error: unknown): void {
    this.#defect ??= { error };
    this.#options.stop.because({ why: 'gw cannot go on' });
  }

  #finish(place: number, line: Line, result: LineResult): void {
    const { onResult, stop, stopAfterFailures } = this.#options;
    const { outcome, isEarlier } = result;
    this.#tally[outcome]++;
    if (outcome === 'done' && isEarlier) this.#tally.doneEarlier++;
    if (outcome !== 'done' && outcome !== 'not-started' && !isEarlier) this.#failed++;
    const { number, body, row, currency } = line;
    this.#ordered.put(place, { line: number, body, row, currency, ...result });
    onResult(this.#tally);
    if (this.#failed === stopAfterFailures)
      stop.because({
        why: `${this.#failed} ${plural(this.#failed, 'line', 'lines')} did not succeed`,
      });
  }
}
