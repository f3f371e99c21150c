/**
 * Batches, as the ledger sees them: the lines sent for each. The most certain attempt decides a line's state. If no
 * attempt is certain, the last one does. The ledger does not know lines that were never sent.
 */
import type { BatchKey, BatchPart, EntryState, NamedBatch, OpenAmount } from './ledger.ts';

export interface Batch extends NamedBatch, Pick<BatchPart, 'first' | 'last'> {
  operators: readonly string[];
  lines: number;
  counts: Readonly<Partial<Record<EntryState, number>>>;
  /** Total of the lines that are done, in minor units, by currency. The key is '' if the request named none. */
  done: ReadonlyMap<string, number>;
}

/** @param parts of these batches @returns the batches in their order, with their sums */
export function batchesOf(batches: readonly NamedBatch[], parts: readonly BatchPart[]): Batch[] {
  const groups = new Map(batches.map((batch) => [keyOf(batch), [] as BatchPart[]]));
  for (const part of parts) groups.get(keyOf(part))?.push(part);
  return batches.map((batch) => batchOf(batch, groups.get(keyOf(batch)) ?? []));
}

function keyOf({ account, operation, batch }: BatchKey): string {
  return JSON.stringify([account, operation, batch]);
}

function batchOf(batch: NamedBatch, parts: readonly BatchPart[]): Batch {
  const counts: Partial<Record<EntryState, number>> = {};
  const done = new Map<string, number>();
  for (const { state, lines, amount, currency } of parts) {
    counts[state] = (counts[state] ?? 0) + lines;
    if (state === 'done' && amount !== null)
      done.set(currency ?? '', (done.get(currency ?? '') ?? 0) + amount);
  }
  return {
    ...batch,
    counts,
    done,
    operators: [...new Set(parts.flatMap(({ operator }) => operator ?? []))].sort(),
    lines: parts.reduce((sum, { lines }) => sum + lines, 0),
    first: parts.map(({ first }) => first).sort()[0] ?? '',
    last:
      parts
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? '',
  };
}

/**
 * @param open totals of the lines that are done and named no currency
 * @param known ISO 4217 codes by purchase id
 * @returns the batch, with each open amount moved to the currency of its purchase, if known
 */
export function withCurrencies(
  batch: Batch,
  open: readonly OpenAmount[],
  known: ReadonlyMap<string, string>,
): Batch {
  const done = new Map(batch.done);
  const add = (code: string, amount: number) => done.set(code, (done.get(code) ?? 0) + amount);
  for (const { purchase, amount } of open) {
    const currency = known.get(purchase);
    if (currency === undefined) continue;
    add('', -amount);
    add(currency, amount);
  }
  if (done.get('') === 0) done.delete('');
  return { ...batch, done };
}
