/** What a batch says about itself: its results on stdout, its progress and its tally on stderr. */

import type { Json, JsonObject } from '../base/json.ts';
import type { Clock, Output } from '../host/host.ts';
import { redactJson } from '../redaction/redact.ts';
import { toJson } from '../redaction/safe.ts';
import { asMoney } from '../session/guard.ts';
import { LINE_CLASSES, type LineClass, type Tally } from './engine/batch.ts';
import type { NumberedResult } from './engine/run.ts';
import type { Totals } from './engine/totals.ts';

/** Oftener than this a terminal is not repainted. */
const REPAINT_MS = 200;

const WORDS: Readonly<Record<LineClass, string>> = {
  done: 'done',
  declined: 'declined',
  rejected: 'rejected',
  refused: 'refused here',
  conflict: 'done before with another amount',
  'not-sent': 'not sent',
  unknown: 'unknown',
  elsewhere: 'being sent by another gw',
  'not-started': 'not started',
};

/** @returns the line of output for a line of input */
export function resultLine({
  line,
  outcome,
  isEarlier,
  entry,
  record,
  error,
}: NumberedResult): string {
  const shown: JsonObject = { line, outcome };
  if (isEarlier) shown.earlier = true;
  if (entry !== undefined) shown.entry = entry;
  if (record !== undefined) shown.record = redactJson(record);
  if (error !== undefined) shown.error = error as Json;
  return `${toJson(shown)}\n`;
}

/** @returns for example `1,980 done (500 of them earlier), 3 rejected, 17 unknown` */
export function tallyText(tally: Tally): string {
  const parts = LINE_CLASSES.filter((name) => tally[name] > 0).map((name) => {
    const earlier =
      name === 'done' && tally.doneEarlier > 0
        ? ` (${count(tally.doneEarlier)} of them earlier)`
        : '';
    return `${count(tally[name])} ${WORDS[name]}${earlier}`;
  });
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** @param currency of the account, where it is known. @returns for example `25.00 AUD and 300 JPY` */
export function moneyOf(totals: Readonly<Totals>, currency: string | undefined): string {
  return [...totals]
    .map(([code, total]) => asMoney(total, code === '' ? currency : code))
    .join(' and ');
}

export function count(n: number | bigint): string {
  return n.toLocaleString('en-US');
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

  /** Shows where the batch is, on a terminal only. */
  show(tally: Tally): void {
    if (!this.#output.isTerminal) return;
    const now = this.#clock.now().getTime();
    if (now - this.#paintedAt < REPAINT_MS) return;
    this.#paintedAt = now;
    const text = progressText(tally, this.#total, now - this.#startedAt);
    void this.#output.write(`\r\u001b[K${text.slice(0, this.#output.columns - 1)}`);
  }

  async clear(): Promise<void> {
    if (this.#output.isTerminal && this.#paintedAt > 0) await this.#output.write('\r\u001b[K');
  }
}

/** @returns for example `1,200/40,000  95/s  7 min left  1,190 done, 10 declined` */
function progressText(tally: Tally, total: number, elapsedMs: number): string {
  const handled = LINE_CLASSES.reduce((sum, name) => sum + tally[name], 0);
  const sent = handled - tally.doneEarlier - tally['not-started'];
  const perSecond = elapsedMs > 0 ? (sent * 1000) / elapsedMs : 0;
  const left = perSecond > 0 ? `  ${duration((total - handled) / perSecond)} left` : '';
  return `${count(handled)}/${count(total)}  ${Math.round(perSecond)}/s${left}  ${tallyText(tally)}`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
