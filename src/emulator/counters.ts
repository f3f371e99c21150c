/**
 * Sequences of which one transaction takes many numbers: counted in memory, and written down once, by
 * `write`, before the transaction ends. Until then nothing else in it may take numbers of them.
 */
import type { Transaction } from './store.ts';

export class Counters {
  readonly #tx: Transaction;
  readonly #last = new Map<string, number>();

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** As `Transaction.next`. */
  next(kind: string): number {
    const next = (this.#last.get(kind) ?? this.#stored(kind)) + 1;
    this.#last.set(kind, next);
    return next;
  }

  write(): void {
    for (const [kind, last] of this.#last)
      this.#tx.insert(
        'counters',
        { kind, last },
        'ON CONFLICT (kind) DO UPDATE SET last = excluded.last',
      );
  }

  #stored(kind: string): number {
    return (
      this.#tx.get<{ last: number }>('SELECT last FROM counters WHERE kind = ?', kind)?.last ?? 0
    );
  }
}
