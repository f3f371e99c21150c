/** The line below a record, a history or an error: what a decline means, and which command says more. */

import type { JsonObject } from '../base/json.ts';
import { declineInShort, declineOf } from '../contract/decline-table.ts';
import { responseCodeOf } from '../contract/normal.ts';
import { commandWord } from '../host/redaction/safe.ts';
import { withoutStatus } from './reason.ts';
import { textOf } from './values.ts';

/**
 * @param record its `response_code` and `message`; either may be missing
 * @param name by which `gw explain` finds it; without one, the code
 */
export function declineLine(record: JsonObject, name?: string | null): string {
  const code = responseCodeOf(record.response_code);
  const decline = declineOf(code, withoutStatus(textOf(record.message) ?? ''));
  const meaning = decline ? declineInShort(decline) : 'gw does not know the reason.';
  const asked = name ?? code;
  if (asked === null) return meaning;
  return `${meaning} \`gw explain ${commandWord(asked)}\` says what to tell the customer.`;
}
