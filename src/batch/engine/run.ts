/**
 * The second pass: sends the lines.
 *
 * A line is first looked up: one that is done, unknown or under way elsewhere is not sent, and its
 * result is what is known of it. Otherwise it waits for its turn (pace.ts) and is sent. An attempt
 * that certainly did not happen and may well in a moment (429, not reached) is made again, up to
 * MAX_ATTEMPTS times, each of them an attempt of its own to whoever keeps the memory.
 *
 * The run stops starting lines when it is told to, when too many have failed, or when a line shows
 * that every other would meet the same. What is in flight is always seen through.
 */
import { plural } from '../../base/plural.ts';
import { type Attempt, emptyTally, type Line, type LineResult, type Tally } from './batch.ts';
import { Ordered } from './ordered.ts';
import type { Pace } from './pace.ts';

export const MAX_ATTEMPTS = 5;

export interface RunOptions {
  lines: AsyncIterable<Line>;
  /** @returns what is known of a line that is not to be sent */
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
  /** Stops starting lines; `pace` knows its signal. */
  stop: AbortController;
  /** Lines that are not done, in this run, after which no more are started. */
  stopAfterFailures: number | undefined;
}

export interface NumberedResult extends LineResult {
  line: number;
}

export interface RunReport {
  tally: Tally;
  /** Why lines were not started, where it was not the user's wish. */
  stoppedBy: string | undefined;
}

const NOT_STARTED: LineResult = { outcome: 'not-started', isEarlier: false };

export async function runBatch(options: RunOptions): Promise<RunReport> {
  const { lines, lookUp, pace, stop } = options;
  const tally = emptyTally();
  const ordered = new Ordered(options.emit);
  const running = new Set<Promise<void>>();
  let stoppedBy: string | undefined;
  let failed = 0;
  let defect: unknown;

  const finish = (place: number, line: Line, result: LineResult) => {
    tally[result.outcome]++;
    if (result.outcome === 'done' && result.isEarlier) tally.doneEarlier++;
    if (result.outcome !== 'done' && result.outcome !== 'not-started' && !result.isEarlier)
      failed++;
    ordered.put(place, { line: line.number, ...result });
    options.onResult(tally);
    if (failed === options.stopAfterFailures && !stop.signal.aborted) {
      stoppedBy = `${failed} ${plural(failed, 'line', 'lines')} did not succeed`;
      stop.abort();
    }
  };
  const start = (place: number, line: Line) => {
    const task = sendLine(options, line)
      .then((attempt) => {
        if (attempt.endsAll !== undefined && !stop.signal.aborted) {
          stoppedBy = attempt.endsAll;
          stop.abort();
        }
        finish(place, line, resultOf(attempt));
      })
      .catch((error) => {
        defect ??= error;
        stop.abort();
      })
      .finally(() => running.delete(task));
    running.add(task);
  };

  try {
    let place = 0;
    for await (const line of lines) {
      await ordered.room(place);
      if (defect !== undefined) break;
      const known = stop.signal.aborted ? NOT_STARTED : await lookUp(line);
      if (known) finish(place, line, known);
      else if (await pace.enter()) start(place, line);
      else finish(place, line, NOT_STARTED);
      place++;
    }
  } finally {
    while (running.size > 0) await Promise.all(running);
  }
  await ordered.end();
  if (defect !== undefined) throw defect;
  return { tally, stoppedBy };
}

/** The caller has entered the pace for the first attempt. */
async function sendLine({ send, pace }: RunOptions, line: Line): Promise<Attempt> {
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
    if (!attempt.mayRepeat || attempts === MAX_ATTEMPTS || !(await pace.enter())) return attempt;
  }
}

function resultOf({ mayRepeat: _, endsAll: __, ...result }: Attempt): LineResult {
  return result;
}
