/**
 * Waits for a server that answered before and is away, because it restarts or a standby takes over. A batch uses this,
 * because it loses much by failing at once. Other commands fail at once.
 *
 *   there ──► away ──► there          any number of times
 *             away ──► given up       permanently, after too long
 */
import type { Failure } from '../../failure.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Failures that may pass in a moment. The server received no statement. */
const PASSING = new Set(['ledger-unreachable', 'ledger-read-only', 'ledger-busy']);

export interface PatienceParts {
  clock: { now(): Date; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  /** How long the server may be away at a time. */
  maxMs: number;
  /** Ends the waiting permanently. */
  interrupted?: AbortSignal;
  /** Called once each time the server goes away. */
  onAway(failure: Failure): void;
  /** Called when the server is back. */
  onBack(): void;
}

export class Patience {
  readonly #parts: PatienceParts;
  #wasThere = false;
  #awaySince: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** Sum of the pauses. It ends the waiting even if the clock stands still. */
  #waitedMs = 0;
  #isOver = false;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** Call this when the server answers. */
  met(): void {
    this.#wasThere = true;
    if (this.#awaySince === undefined) return;
    this.#awaySince = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#waitedMs = 0;
    this.#parts.onBack();
  }

  /**
   * Pauses.
   * @returns whether to connect again; false if the server has never answered
   */
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
