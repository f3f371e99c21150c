/**
 * The sequences that ids are numbered by. A transaction counts in memory and writes down once, before it
 * ends, how far it came: many ids are taken in most of them.
 */
import type { Queries } from '../store/sqlite/queries.ts';

export class Counters {
  readonly #queries: Queries;
  readonly #last = new Map<string, number>();

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** @returns the next number of a sequence, from 1 */
  next(kind: string): number {
    const next = (this.#last.get(kind) ?? this.#stored(kind)) + 1;
    this.#last.set(kind, next);
    return next;
  }

  /** Writes down the numbers that were taken; no more may be taken then. */
  write(): void {
    for (const [kind, last] of this.#last)
      this.#queries.insert(
        'counters',
        { kind, last },
        'ON CONFLICT (kind) DO UPDATE SET last = excluded.last',
      );
  }

  #stored(kind: string): number {
    const sql = 'SELECT last FROM counters WHERE kind = ?';
    return this.#queries.get<{ last: number }>(sql, kind)?.last ?? 0;
  }
}
