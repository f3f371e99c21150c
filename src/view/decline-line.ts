/** The line below a record, a history or an error: what a decline means, and which command says more. */

import type { JsonObject } from '../base/json.ts';
import { declineInShort, declineOf, type SinceDecline } from '../contract/decline-table.ts';
import { responseCodeOf } from '../contract/normal.ts';
import { commandWord } from '../host/redaction/safe.ts';
import { withoutStatus } from './reason.ts';
import { textOf } from './values.ts';

/**
 * @param record its `response_code` and `message`; either may be missing
 * @param name by which `gw explain` finds it; without one, the code
 * @param since how often and how long ago, if that is known
 * @param instead what counts more than the reason by now, as a sentence
 */
export function declineLine(
  record: JsonObject,
  name?: string | null,
  since?: SinceDecline,
  instead?: string,
): string {
  const code = responseCodeOf(record.response_code);
  const decline = declineOf(code, withoutStatus(textOf(record.message) ?? ''));
  const reason = decline ? declineInShort(decline, since) : 'gw does not know the reason.';
  const meaning = instead ?? reason;
  const asked = name ?? code;
  if (asked === null) return meaning;
  return `${meaning} \`gw explain ${commandWord(asked)}\` says what to tell the customer.`;
}
