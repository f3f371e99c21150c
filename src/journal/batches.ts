/**
 * Batches, as the ledger sees them: the lines sent for each. The most certain attempt decides a line's state. If no
 * attempt is certain, the last one does. The ledger does not know lines that were never sent.
 */
import type { BatchPart, EntryState, OpenAmount } from './ledger.ts';

export interface Batch
  extends Pick<
    BatchPart,
    'batch' | 'account' | 'operation' | 'profile' | 'environment' | 'host' | 'first' | 'last'
  > {
  operators: readonly string[];
  lines: number;
  counts: Readonly<Partial<Record<EntryState, number>>>;
  /** Total of the lines that are done, in minor units, by currency. The key is '' if the request named none. */
  done: ReadonlyMap<string, number>;
}

/** @returns the batches, the most recently active first */
export function batchesOf(parts: readonly BatchPart[]): Batch[] {
  const groups = new Map<string, BatchPart[]>();
  for (const part of parts) {
    const key = JSON.stringify([part.account, part.operation, part.batch]);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()].map(batchOf).sort((a, b) => (a.last < b.last ? 1 : -1));
}

function batchOf(parts: readonly BatchPart[]): Batch {
  const [one] = parts as [BatchPart];
  const counts: Partial<Record<EntryState, number>> = {};
  const done = new Map<string, number>();
  for (const { state, lines, amount, currency } of parts) {
    counts[state] = (counts[state] ?? 0) + lines;
    if (state === 'done' && amount !== null)
      done.set(currency ?? '', (done.get(currency ?? '') ?? 0) + amount);
  }
  const { batch, account, operation, profile, environment, host } = one;
  return {
    batch,
    account,
    operation,
    profile,
    environment,
    host,
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
