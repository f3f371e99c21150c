/**
 * Waiting for a server that was there and is away: it is started again, or a standby takes over. For
 * whoever has much to lose by failing at once, as a batch has; everybody else is told at once.
 *
 *   there ──► away ──► there          as often as it happens
 *             away ──► given up       for good, once it has been away for too long
 */
import type { Failure } from '../../failure.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** What passes: the same may well succeed in a moment, and nothing was asked of the server. */
const PASSING = new Set(['ledger-unreachable', 'ledger-read-only', 'ledger-busy']);

export interface PatienceParts {
  clock: { now(): Date; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** How long it may be away at a time. */
  maxMs: number;
  /** Ends the waiting for good. */
  interrupted?: AbortSignal;
  /** Told once each time that it is away. */
  onAway(failure: Failure): void;
  /** Told when it is there again. */
  onBack(): void;
}

export class Patience {
  readonly #parts: PatienceParts;
  #wasThere = false;
  #awaySince: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** In pauses alone; a clock that stands ends the waiting too. */
  #waitedMs = 0;
  #isOver = false;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** The server answers. */
  met(): void {
    this.#wasThere = true;
    if (this.#awaySince === undefined) return;
    this.#awaySince = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#waitedMs = 0;
    this.#parts.onBack();
  }

  /** @returns whether to connect again, after a pause; one that was never there is not waited for */
  async waits(failure: Failure): Promise<boolean> {
    const { clock, maxMs, interrupted, onAway } = this.#parts;
    if (this.#isOver || !this.#wasThere || !PASSING.has(failure.code)) return false;
    const now = clock.now().getTime();
    if (this.#awaySince === undefined) {
      this.#awaySince = now;
      onAway(failure);
    }
    const awayMs = Math.max(this.#waitedMs, now - this.#awaySince);
    if (interrupted?.aborted || awayMs >= maxMs) {
      this.#isOver = true;
      return false;
    }
    await clock.sleep(this.#pauseMs, interrupted).catch(() => undefined);
    this.#waitedMs += this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    return true;
  }
}
