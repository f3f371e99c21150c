/**
 * The second pass: sends the lines.
 *
 * A line is first looked up: one that is done, unknown or being sent by another process is not sent, and its result
 * is what is known of it. Otherwise it waits for its turn (pace.ts) and is sent. An attempt that certainly did not
 * happen and may well in a moment (429, not reached) is made again, up to MAX_ATTEMPTS times, each of them an attempt
 * of its own to whoever keeps the memory.
 *
 * The run stops starting lines when anybody says so (stop.ts), when too many have failed, when the first lines all
 * fail alike (alike.ts), or when a line shows that every other would meet the same. What is in flight is always seen
 * through.
 */
import { plural } from '../../../base/plural.ts';
import { Alike, LINES_FAIL_ALIKE } from './alike.ts';
import { type Attempt, emptyTally, type Line, type LineResult, type Tally } from './batch.ts';
import { Ordered } from './ordered.ts';
import type { Pace } from './pace.ts';
import type { Stop, StopReason } from './stop.ts';

export const MAX_ATTEMPTS = 5;

export interface RunOptions {
  lines: Iterable<Line> | AsyncIterable<Line>;
  /** @returns what is known of a line that is not to be sent; `elsewhere` of one that is being sent */
  lookUp(line: Line): Promise<LineResult | undefined>;
  /**
   * Sends a line once.
   * @param answered called as soon as the answer is there, so that another line may start while
   *   what became of this one is written down
   */
  send(line: Line, answered: () => void): Promise<Attempt>;
  /** Takes results in the order of the lines. */
  emit(results: readonly NumberedResult[]): Promise<void>;
  /** Told after each result. */
  onResult(tally: Tally): void;
  pace: Pace;
  /** `pace` knows its signal. */
  stop: Stop;
  /** Lines that are not done, in this run, after which no more are started; lines that fail alike do not end the run then. */
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
  #failed = 0;
  #notNow = 0;
  #areAllStarted = false;
  #defect: { error: unknown } | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#ordered = new Ordered(options.emit);
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
      await Promise.all(this.#running);
    }
    await this.#ordered.end();
    if (this.#defect) throw this.#defect.error;
    return { tally: this.#tally, notNow: this.#notNow, stoppedBy: stop.reason };
  }

  /** Gives a line the result that it has, or sends it in its turn. */
  async #take(place: number, line: Line): Promise<void> {
    const { lookUp, stop } = this.#options;
    const known = stop.signal.aborted ? NOT_STARTED : await lookUp(line);
    if (known) this.#finish(place, line, known);
    else if (await this.#mayStartNext()) this.#start(place, line);
    else this.#finish(place, line, NOT_STARTED);
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
    const { pace, stop } = this.#options;
    if (!(await pace.enter())) return false;
    if (!stop.signal.aborted) return true;
    pace.leave();
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
    const isSent = result.outcome !== 'refused';
    const isAlike = stopAfterFailures === undefined && isSent && this.#alike.add(failedFor);
    if (isAlike && !this.#areAllStarted) stop.because(LINES_FAIL_ALIKE);
    this.#finish(place, line, result);
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
