/** Why a line ended as it did, in the words of whoever knows it best. */
import { redactText } from '../../host/redaction/redact.ts';
import { reasonIn } from '../../view/reason.ts';
import type { NumberedResult } from './engine/run.ts';

/**
 * @returns of a card that was declined, what its issuer said; '' where nothing is known. Secrets are hidden,
 *   control characters are not
 */
export function reasonOf({
  outcome,
  record,
  error,
}: Pick<NumberedResult, 'outcome' | 'record' | 'error'>): string {
  const ofRecord = typeof record?.message === 'string' ? record.message : undefined;
  const said = outcome === 'declined' ? (ofRecord ?? error?.message) : (error?.message ?? ofRecord);
  return typeof said === 'string' ? redactText(reasonIn(said)) : '';
}
