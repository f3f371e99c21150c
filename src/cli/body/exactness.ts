/**
 * Whether what a user wrote as JSON would arrive as it is written, wherever a body comes from. JSON's
 * numbers become doubles: 25.00 becomes 25, which is another amount, and a long one another number.
 */
import type { JsonWatch } from '../../base/json-text.ts';

/** Deeper than any body of the interface by far, and no danger to what walks through one. */
const MAX_DEPTH = 100;

/** Digits that survive the trip through a double. */
const MAX_DIGITS = 15;

export interface InexactFault {
  code: 'input-too-deep' | 'amount-invalid' | 'number-inexact';
  /** What is wrong, to be said of the text: `has …`. */
  problem: string;
  /** One sentence: what the user does now. */
  next: string;
}

/** Watches while a text is read. */
export class Exactness implements JsonWatch {
  readonly #isAmount: (field: string) => boolean;
  #fault: InexactFault | undefined;
  #isTooDeep = false;

  /** @param isAmount whether a field is the amount, where it may be called otherwise */
  constructor(isAmount = (field: string): boolean => field === 'amount') {
    this.#isAmount = isAmount;
  }

  /** What is wrong with a text that is valid JSON, if anything is. */
  get fault(): InexactFault | undefined {
    return this.#isTooDeep ? TOO_DEEP : this.#fault;
  }

  opened(depth: number): void {
    if (depth > MAX_DEPTH) this.#isTooDeep = true;
  }

  /** @param field undefined in a list. @param digits as they are written */
  number(field: string | undefined, digits: string): void {
    this.#fault ??= faultOf(field, digits, field !== undefined && this.#isAmount(field));
  }
}

const TOO_DEEP: InexactFault = {
  code: 'input-too-deep',
  problem: `is nested more than ${MAX_DEPTH} levels deep`,
  next: 'Check the program that wrote it: a body has at most two levels.',
};

function faultOf(
  field: string | undefined,
  digits: string,
  isAmount: boolean,
): InexactFault | undefined {
  if (isAmount && /[.eE]/.test(digits)) {
    return {
      code: 'amount-invalid',
      problem: `has the amount ${digits}: amounts are whole minor units`,
      next: '2500 is 25.00 AUD; --decimal-amount, or decimal_amount in a batch, takes decimals as text.',
    };
  }
  if (!isLossy(digits)) return undefined;
  return {
    code: 'number-inexact',
    problem: `has a number${field === undefined ? '' : `, ${field},`} that would not arrive as written`,
    next: 'Write it as text, in double quotes, or with fewer digits.',
  };
}

function isLossy(number: string): boolean {
  const [mantissa = ''] = number.split(/e/i);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '');
  const value = Number(number);
  return !Number.isFinite(value) || (digits.length > MAX_DIGITS && String(value) !== number);
}
