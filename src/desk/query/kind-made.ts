/** What the record is that a request of the journal made. */
import { operationNamed } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { Fact } from '../../index/document.ts';

/**
 * @param request its label is the operation. @param refundOf the purchase that it was to refund, if any
 * @returns undefined for a request of the user's own: the record of its answer may have been there before
 */
export function kindMade(
  { label }: Pick<Fact, 'label'>,
  refundOf: string | null,
): RecordKind | undefined {
  return operationNamed(label)?.kind ?? (refundOf === null ? undefined : 'refund');
}
