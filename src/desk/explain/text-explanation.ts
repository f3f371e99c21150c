/** Explains a text by itself: a response code, a message of a gateway, an exit code or an error code of gw. */

import { AFTER_UNKNOWN, EXIT_ENTRIES, EXIT_MEANINGS } from '../../cli/help/guides.ts';
import { approvalOf, declineOfCode, declineOfMessage } from '../../contract/decline-table.ts';
import { responseCodeOf } from '../../contract/normal.ts';
import { EXIT_CODES, FAILURE_GROUPS } from '../../failure-codes.ts';
import { type Explanation, NOTHING_MORE, ofDecline } from './explanation.ts';

const EXIT = /^(?<said>exit(?:[ -]?(?:code|status))? ?)?(?<number>\d{1,3})$/i;
const ERRORS = 'The error says what to do. docs/errors.md has the code of each cause.';
const SEVERAL = 'Gateways send one message for several codes: `gw explain ID` goes by the code.';

/** @returns undefined if the text may only be a name */
export function explainText(text: string): Explanation | undefined {
  const { said, number } = EXIT.exec(text)?.groups ?? {};
  // A shell prints no zero before an exit code.
  const [, exit] = EXIT_ENTRIES.find(([code]) => code === number) ?? [];
  const base = { ...NOTHING_MORE, name: text };
  const code = said === undefined && text.length <= 3 ? responseCodeOf(text) : null;
  const [decline, approval] = [declineOfCode(code), approvalOf(code)];
  const known = decline ? ofDecline(decline) : approval && { meaning: approval };
  if (known) {
    const also = exit ? `As an exit code of gw, ${number} means: ${exit}` : null;
    return { ...base, of: 'response code', responseCode: code, ...known, also };
  }
  if (exit && number)
    return { ...base, of: 'exit code', name: number, meaning: exit, next: nextOf(number, ERRORS) };
  // The meanings of error codes are not in the built program.
  const group = FAILURE_GROUPS.find(({ codes }) => Object.hasOwn(codes, text));
  if (group) {
    const meaning = `gw exits with ${EXIT_CODES[group.kind]}: ${EXIT_MEANINGS[group.kind]}.`;
    const docs = `docs/errors.md says what ${text} means in particular.`;
    const next = nextOf(String(EXIT_CODES[group.kind]), docs);
    return { ...base, of: 'error code', meaning, next };
  }
  const told = declineOfMessage(text);
  return told && { ...base, of: 'message', message: text, ...ofDecline(told), also: SEVERAL };
}

/** @returns what to do after an exit code; docs have the rest */
function nextOf(exit: string, docs: string): string {
  return Number(exit) === EXIT_CODES.unknown ? `${AFTER_UNKNOWN} ${docs}` : docs;
}
