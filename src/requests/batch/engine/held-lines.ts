/**
 * Lines that somebody else is sending: what becomes of them is waited for, so that this run has the
 * whole result too. All that are held are asked about in one question, seldomer while nothing happens.
 *
 *   pause    100 ms .. 2 s
 *   bound    a line that nobody has ended after 16 minutes, which is longer than any request takes, is left
 */
import type { Clock } from '../../../host/host.ts';
import type { Line, LineResult } from './batch.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const MAX_HELD_MS = 16 * 60_000;

export interface HeldLine {
  /** From 0, among all lines. */
  place: number;
  line: Line;
  /** As it is while it is being sent elsewhere. */
  result: LineResult;
}

export interface HeldOptions {
  clock: Pick<Clock, 'sleep'>;
  /** @returns those whose sending elsewhere is over */
  areOver(lines: readonly HeldLine[]): Promise<readonly HeldLine[]>;
  /** Given each of those. */
  onOver(line: HeldLine): Promise<void>;
  /** Given what is left when nothing is waited for any more. */
  onLeft(line: HeldLine): void;
  /** Told of a question that found none to be over. */
  onWaiting(lines: number): void;
  /** Told what any of these has thrown; nothing is waited for then. */
  onDefect(error: unknown): void;
  stopped: AbortSignal;
}

export class HeldLines {
  readonly #options: HeldOptions;
  /** How long each has been waited for, in milliseconds. */
  readonly #lines = new Map<HeldLine, number>();
  #waiting: Promise<void> | undefined;

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  add(line: HeldLine): void {
    this.#lines.set(line, 0);
    this.#waiting ??= this.#wait()
      .catch(this.#options.onDefect)
      .finally(() => {
        this.#waiting = undefined;
      });
  }

  /** Resolves when none is held just now; undefined where none is */
  get idle(): Promise<void> | undefined {
    return this.#waiting;
  }

  async #wait(): Promise<void> {
    const { clock, areOver, onOver, onLeft, onWaiting, stopped } = this.#options;
    let pauseMs = FIRST_PAUSE_MS;
    try {
      while (this.#lines.size > 0 && !stopped.aborted) {
        await clock.sleep(pauseMs, stopped).catch(() => undefined);
        if (stopped.aborted) break;
        const over = await areOver([...this.#lines.keys()]);
        for (const line of over) {
          this.#lines.delete(line);
          await onOver(line);
        }
        this.#leaveOld(pauseMs);
        if (over.length === 0 && this.#lines.size > 0) onWaiting(this.#lines.size);
        pauseMs = over.length > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    } finally {
      const left = [...this.#lines.keys()];
      this.#lines.clear();
      for (const line of left) onLeft(line);
    }
  }

  #leaveOld(pausedMs: number): void {
    for (const [line, heldMs] of this.#lines) {
      this.#lines.set(line, heldMs + pausedMs);
      if (heldMs + pausedMs <= MAX_HELD_MS) continue;
      this.#lines.delete(line);
      this.#options.onLeft(line);
    }
  }
}
