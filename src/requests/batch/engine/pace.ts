/**
 * Limits how fast a batch may start requests: the number in flight, the starts in a second, and less when the gateway
 * asks for it.
 *
 * If the gateway says that it is too busy (429, 503) or is not reached, nothing starts until the time it named. Without
 * a time, the pause doubles each time. The number in flight is halved. Each success lets it grow again, by one for each
 * round of the whole window.
 *
 *   in flight    1 .. concurrency
 *   pause        1 s .. 30 s of our own; what the gateway asks for up to 2 minutes
 *
 * A gateway that asks for a longer pause ends the run (batch-run.ts): nobody would wait at the terminal for so long.
 */
import type { Clock } from '../../../host/host.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_OWN_PAUSE_MS = 30_000;
export const MAX_ASKED_PAUSE_MS = 2 * 60_000;

export interface PaceOptions {
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** The most requests in flight. */
  concurrency: number;
  /** The most starts in a second. */
  perSecond: number | undefined;
  /** Aborted when nothing may start any more. */
  stopped: AbortSignal;
  /** Called with each pause when it begins. */
  onPause: (ms: number) => void;
}

export class Pace {
  readonly #options: PaceOptions;
  readonly #intervalMs: number;
  #limit: number;
  #inFlight = 0;
  /** The time in milliseconds before which nothing starts. */
  #notBefore = 0;
  /** The time until which a pause lasts. Unlike `#notBefore`, it leaves out the rate limit. */
  #pausedUntil = 0;
  #nextPauseMs = FIRST_PAUSE_MS;
  #waiting: (() => void)[] = [];
  /** One promise for all that wait for the same moment, since hundreds may. */
  #pause: Promise<void> | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#limit = options.concurrency;
    this.#intervalMs = options.perSecond === undefined ? 0 : 1000 / options.perSecond;
    options.stopped.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** The number of requests that may be in flight now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Resolves with true when a request may start, with false when none may start any more. */
  async enter(): Promise<boolean> {
    const { clock, stopped } = this.#options;
    while (!stopped.aborted) {
      const now = clock.now().getTime();
      if (this.#inFlight >= this.limit) {
        await new Promise<void>((resolve) => {
          this.#waiting.push(resolve);
        });
      } else if (this.#notBefore > now) {
        await this.#pauseFor(Math.ceil(this.#notBefore - now), this.#pausedUntil > now);
      } else {
        this.#inFlight++;
        this.#notBefore = Math.max(this.#notBefore, now - this.#intervalMs) + this.#intervalMs;
        return true;
      }
    }
    return false;
  }

  /** Frees the place of a request that has been answered. */
  leave(): void {
    this.#inFlight--;
    this.#wake();
  }

  succeeded(): void {
    this.#nextPauseMs = FIRST_PAUSE_MS;
    this.#limit = Math.min(this.#options.concurrency, this.#limit + 1 / this.#limit);
  }

  /** @param askedMs the pause that the gateway asked for, if it did */
  slowDown(askedMs: number | undefined): void {
    const now = this.#options.clock.now().getTime();
    // Many requests in flight meet the same busy moment, which counts once.
    const isSameMoment = this.#notBefore > now + this.#intervalMs;
    if (!isSameMoment) this.#limit = Math.max(1, this.#limit / 2);
    if (askedMs === undefined && isSameMoment) return;
    const pauseMs =
      askedMs === undefined ? this.#nextPauseMs : Math.min(askedMs, MAX_ASKED_PAUSE_MS);
    if (askedMs === undefined)
      this.#nextPauseMs = Math.min(this.#nextPauseMs * 2, MAX_OWN_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    this.#notBefore = Math.max(this.#notBefore, this.#pausedUntil);
  }

  #pauseFor(ms: number, isTold: boolean): Promise<void> {
    const { clock, stopped, onPause } = this.#options;
    if (!this.#pause && isTold) onPause(ms);
    this.#pause ??= clock
      .sleep(ms, stopped)
      .catch(() => undefined)
      .finally(() => {
        this.#pause = undefined;
      });
    return this.#pause;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
