/**
 * Batches as the ledger knows them: by the lines that were sent for them. A line counts by the most
 * certain of its attempts, or by the last one where none is; lines that were never sent are not known.
 */
import type { BatchPart, EntryState, OpenAmount } from './ledger.ts';

/** A batch, of one account and one operation. */
export interface Batch
  extends Pick<
    BatchPart,
    'batch' | 'account' | 'operation' | 'profile' | 'environment' | 'host' | 'first' | 'last'
  > {
  operators: readonly string[];
  lines: number;
  counts: Readonly<Partial<Record<EntryState, number>>>;
  /** What the lines that are done come to, in minor units, by currency; '' where none was named. */
  done: ReadonlyMap<string, number>;
}

/** @returns the batches, those that were at work last first */
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
 * @param open what its lines that are done come to without a currency
 * @param known ISO 4217 codes of purchases, by their ids
 * @returns the batch, with what is known of them counted in their currencies
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
