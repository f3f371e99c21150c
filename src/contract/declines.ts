/**
 * Declines after which the same card can never pay; decline-table.ts has the others. The interface names `response_code`
 * (section 2.4), and no codes: these are of field 39 of ISO 8583, of two digits and of three (action codes), with 46 and
 * R0 to R3 as the card schemes added them. Whatever a person, a bank or a day may change is not among them: 05, 51, 54
 * (the expiry of a token may be renewed), 61, 65, 91, 96.
 */

/**
 * Response codes; the name of the advice (decline-table.ts); why the bank declined, which follows "declined: "; and how
 * messages call it, in small letters without signs, with `|` between them.
 */
export type DeclineRow = readonly [codes: string, advice: string, why: string, phrases: string];

// biome-ignore format: a table reads best with a row in a line
export const FINAL_DECLINES = [
  ['04 07 34 35 36 37 67 200 202 203 204 205 207', 'hidden', 'the card is to be taken from whoever uses it', 'pick up|pickup card|retain card|capture card|hold card|lost or stolen'],
  ['14 111', 'number', 'no card has this number', 'invalid card number|invalid account number|invalid card|invalid pan|no such number'],
  ['15', 'number', 'no bank has this card', 'no such issuer|no issuer|invalid issuer|unknown issuer'],
  ['41 208', 'hidden', 'the card was lost', 'lost card|card lost|reported lost'],
  ['43 209', 'hidden', 'the card was stolen', 'stolen card|card stolen|reported stolen'],
  ['46', 'other-card', 'the account was closed', 'closed account|account closed'],
  ['R0 R1 R3', 'stopped', 'the cardholder stopped these payments', 'stop payment|stop order|stop all orders|revocation of|stopped at customer request'],
] as const satisfies readonly DeclineRow[];

/** @param code as `responseCodeOf` of normal.ts returns it @returns why the card can never pay; undefined if it may */
export function whyNever(code: string | null | undefined): string | undefined {
  return FINAL_DECLINES.find((row) => hasCode(row, code))?.[2];
}

export function hasCode([codes]: readonly [string, ...string[]], code: string | null | undefined) {
  return typeof code === 'string' && codes.split(' ').includes(code);
}
