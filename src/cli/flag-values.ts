/** What was given for flags, and the way from there to a body. Loads nothing of oclif. */
import type { JsonObject } from '../contract/envelope.ts';
import { MAX_AMOUNT } from '../contract/money.ts';
import type { ObjectSchema } from '../contract/requests.ts';
import { usage } from '../failure.ts';
import { type Field, fieldsOf, setAt } from './fields.ts';

/** Values by the name of the flag, as oclif or the fast path parsed them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Card fields come with rules of their own (`card-input.ts`), which takes them from the same flags. */
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'expiry_date', 'cvv'] as const;

export function isCardField(field: Field): boolean {
  return (CARD_FIELDS as readonly string[]).includes(field.path.at(-1) ?? '');
}

/** Strict: digits only, so that 25.00, 1e3 and -1 are never guessed at. */
export function parseInteger(flag: string, text: string): number {
  const isAmount = flag === 'amount';
  if (isAmount && /^\d+\.\d+$/.test(text)) {
    throw usage(
      `--amount takes whole minor units, and ${text} is a decimal.`,
      `Use --decimal-amount ${text}, or give the same amount in minor units.`,
    );
  }
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= MAX_AMOUNT)) {
    throw usage(
      `--${flag} takes a whole number from 1 to ${MAX_AMOUNT}, not ${JSON.stringify(text)}.`,
      isAmount
        ? 'Amounts are in minor units: 2500 is 25.00 AUD.'
        : 'Correct it and run the command again.',
    );
  }
  return value;
}

/**
 * Copies the values of flags that were given over those of a body.
 * @throws Failure usage when a number is not one
 */
export function applyFlags(body: JsonObject, schema: ObjectSchema, flags: FlagValues): void {
  for (const field of fieldsOf(schema)) {
    const value = flags[field.flag];
    if (typeof value === 'boolean') setAt(body, field.path, value);
    if (typeof value !== 'string') continue;
    setAt(body, field.path, field.type === 'integer' ? parseInteger(field.flag, value) : value);
  }
}
