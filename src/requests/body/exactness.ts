/**
 * Checks whether the JSON that a user wrote keeps its values. Its numbers become doubles: 25.00 becomes 25, which is
 * another amount, and a long number may change.
 */

import { MINOR_UNITS } from '../../cli/flags/parse-number.ts';

/** The digits that a double keeps exactly. */
const MAX_DIGITS = 15;

export interface InexactFault {
  code: 'amount-invalid' | 'number-inexact';
  /** The problem, as the rest of a sentence about the text: `has …`. */
  problem: string;
  /** One sentence: what the user does now. */
  next: string;
}

/**
 * @param field undefined in a list
 * @param digits a number as it is written
 * @param isAmount whether the field is the amount, under whatever name
 * @returns the fault, if the number would change as a double
 */
export function inexactFault(
  field: string | undefined,
  digits: string,
  isAmount: boolean,
): InexactFault | undefined {
  if (isAmount && /[.eE]/.test(digits)) {
    return {
      code: 'amount-invalid',
      problem: `has the amount ${digits}: amounts are whole minor units`,
      next: `They are ${MINOR_UNITS}. --decimal-amount, or decimal_amount as text in a batch, takes decimals.`,
    };
  }
  if (!isLossy(digits)) return undefined;
  return {
    code: 'number-inexact',
    problem: `has a number${field === undefined ? '' : `, ${field},`} that cannot be sent exactly`,
    next: 'Write it as text, in double quotes, or with fewer digits.',
  };
}

function isLossy(number: string): boolean {
  const [mantissa = ''] = number.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(number);
  return !Number.isFinite(value) || (digits.length > MAX_DIGITS && String(value) !== number);
}
