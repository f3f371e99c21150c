/** What becomes of the lines of a batch, in their order: printed, added up, and kept where they did not succeed. */
import type { LineClass } from './engine/batch.ts';
import type { NumberedResult } from './engine/run.ts';
import { addTotal, type Totals } from './engine/totals.ts';
import type { FailedRow, FailedRows } from './failed-rows.ts';
import { reasonOf } from './reason.ts';
import type { Results } from './results.ts';

/** Of lines of these classes it is certain that they have not been done, and so they may be sent. */
const MAY_BE_SENT: ReadonlySet<LineClass> = new Set([
  ...(['declined', 'rejected', 'refused', 'conflict', 'not-sent', 'not-started'] as const),
]);

export class Outcomes {
  /** What the lines that are done come to. */
  readonly done: Totals = new Map();
  readonly #results: Results;
  readonly #failed: FailedRows | undefined;

  constructor(results: Results, failed: FailedRows | undefined) {
    this.#results = results;
    this.#failed = failed;
  }

  /** @throws Failure when they cannot be printed or kept */
  async take(results: readonly NumberedResult[]): Promise<void> {
    for (const { outcome, body, currency } of results)
      if (outcome === 'done') addTotal(this.done, body, currency);
    // First, since nothing prints them again where the output is gone.
    await this.#failed?.add(results.flatMap(failedRow));
    await this.#results.print(results);
  }

  /** @throws Failure as `take` */
  async end(): Promise<void> {
    this.#failed?.end();
    await this.#results.end();
  }
}

function failedRow(result: NumberedResult): FailedRow[] {
  const { outcome, row } = result;
  if (!MAY_BE_SENT.has(outcome)) return [];
  return [{ row, outcome, reason: reasonOf(result) }];
}
