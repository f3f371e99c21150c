/** How far a run over many lines is, on stderr, where that is a terminal. */
import type { Clock, Output } from '../host/host.ts';
import { count } from './batch-report.ts';

/** Oftener than this a terminal is not repainted. */
const REPAINT_MS = 200;

/** Where a run is. */
export interface Standing {
  /** Lines that have a result. */
  handled: number;
  /** Those of them that took a request. */
  sent: number;
  /** What became of them, for example `1,190 done, 10 declined`. */
  words: string;
}

export class Progress {
  readonly #output: Output;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #total: number;
  readonly #startedAt: number;
  #paintedAt = 0;

  /** @param total lines */
  constructor(output: Output, clock: Pick<Clock, 'now'>, total: number) {
    this.#output = output;
    this.#clock = clock;
    this.#total = total;
    this.#startedAt = clock.now().getTime();
  }

  /** Shows where the run is, on a terminal only. */
  show(standing: Standing): void {
    if (!this.#output.isTerminal) return;
    const now = this.#clock.now().getTime();
    if (now - this.#paintedAt < REPAINT_MS) return;
    this.#paintedAt = now;
    const text = progressText(standing, this.#total, now - this.#startedAt);
    void this.#output.write(`\r\u001b[K${text.slice(0, this.#output.columns - 1)}`);
  }

  async clear(): Promise<void> {
    if (this.#output.isTerminal && this.#paintedAt > 0) await this.#output.write('\r\u001b[K');
  }
}

/** @returns for example `1,200/40,000  95/s  7 min left  1,190 done, 10 declined` */
function progressText(
  { handled, sent, words }: Standing,
  total: number,
  elapsedMs: number,
): string {
  const perSecond = elapsedMs > 0 ? (sent * 1000) / elapsedMs : 0;
  const left = perSecond > 0 ? `  ${duration((total - handled) / perSecond)} left` : '';
  return `${count(handled)}/${count(total)}  ${Math.round(perSecond)}/s${left}  ${words}`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
