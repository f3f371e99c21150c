/**
 * Decides what a thing counts as where money is added up: in reports, histories, receipts, and what is left to refund.
 * The ledger adds up refunds in SQL, by the states of their entries; the cases of a ledger hold it to this function.
 */
import { findOperation } from '../contract/operations.ts';
import type { Thing, ThingOutcome } from './thing.ts';

/** The fields that decide how a thing counts. */
export type Counted = Pick<Thing, 'kind' | 'told' | 'label' | 'outcome'>;

/**
 * `charges` are those of a subscription. `other` is a request of the user's own that succeeded, which does not say what
 * it did with its amount. `unknown` may have happened, `heard` is an approval that only hearsay tells of, and `unclear`
 * has an answer that contradicts itself.
 */
export type Counts =
  | 'purchases'
  | 'charges'
  | 'refunds'
  | 'declines'
  | 'other'
  | 'unknown'
  | 'heard'
  | 'unclear';

/** @returns what the thing counts as; undefined if no money moved, and none was to */
export function whatCounts({ kind, told, label, outcome }: Counted): Counts | undefined {
  if (kind === 'request') return whatCountsOf(label, outcome);
  if (kind !== 'purchase' && kind !== 'refund' && kind !== 'event') return undefined;
  if (told === 'heard') return outcome === 'approved' ? 'heard' : undefined;
  if (outcome === 'unclear') return 'unclear';
  // A charge is given up after its last retry was declined.
  if (outcome === 'declined' || outcome === 'abandoned') return 'declines';
  if (outcome !== 'approved') return undefined;
  if (kind === 'refund') return 'refunds';
  return kind === 'event' || label === 'Recurring' ? 'charges' : 'purchases';
}

/** The ledger records creations by a batch like money, but they move none. */
function whatCountsOf(name: string | null, state: string | null): Counts | undefined {
  const operation = findOperation(name);
  if (operation && !operation.countsAs) return undefined;
  if (state === 'unknown' || state === 'sending') return 'unknown';
  if (state === 'declined') return operation && 'declines';
  if (state !== 'done') return undefined;
  return operation ? operation.countsAs : 'other';
}

/** @returns the word for the outcome on every output: a charge that was given up was declined, as its record says */
export function shownOutcome(outcome: ThingOutcome | null): ThingOutcome | null {
  return outcome === 'abandoned' ? 'declined' : outcome;
}

/** @returns whether the thing gives money back, or was to */
export function isRefund({ kind, label }: Pick<Counted, 'kind' | 'label'>): boolean {
  return kind === 'refund' || (kind === 'request' && findOperation(label)?.countsAs === 'refunds');
}
