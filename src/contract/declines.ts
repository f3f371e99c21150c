/**
 * Declines after which the same card can never pay. The interface names `response_code` (section 2.4), and no codes:
 * these are of field 39 of ISO 8583, with 46 and R0 to R3 as the card schemes added them. Whatever a person, a bank or a
 * day may change is not among them: 05, 51, 54 (the expiry of a token may be renewed), 61, 65, 91, 96.
 */

const PICK_UP = 'the card is to be taken from whoever uses it';
const STOPPED = 'the cardholder stopped these payments';

const NEVER: Readonly<Record<string, string>> = {
  '04': PICK_UP,
  '07': PICK_UP,
  '34': PICK_UP,
  '35': PICK_UP,
  '36': PICK_UP,
  '37': PICK_UP,
  '14': 'no card has this number',
  '15': 'no bank has this card',
  '41': 'the card was lost',
  '43': 'the card was stolen',
  '46': 'the account was closed',
  R0: STOPPED,
  R1: STOPPED,
  R3: STOPPED,
};

/** @param code as `responseCodeOf` of normal.ts returns it @returns why the card can never pay; undefined if it may */
export function whyNever(code: string | null | undefined): string | undefined {
  return Object.entries(NEVER).find(([known]) => known === code)?.[1];
}
