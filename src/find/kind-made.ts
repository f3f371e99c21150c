/** What the record is that a request of the journal made. */
import type { RecordKind } from '../contract/record-id.ts';
import type { Fact } from '../facts/fact.ts';

/** Of operations that move no money: a batch of them is recorded as money is. */
const MADE_BY: Readonly<Record<string, RecordKind>> = {
  'customer create': 'customer',
  'subscription create': 'subscription',
  tokenize: 'card',
};

/** @param request its label is the operation. @param refundOf the purchase that it was to refund, if any */
export function kindMade({ label }: Pick<Fact, 'label'>, refundOf: string | null): RecordKind {
  return MADE_BY[label ?? ''] ?? (refundOf === null ? 'purchase' : 'refund');
}
