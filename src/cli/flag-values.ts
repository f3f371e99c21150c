/** What was given for flags, and the way from there to a body. Loads nothing of oclif. */
import type { JsonObject } from '../contract/envelope.ts';
import type { ObjectSchema } from '../contract/requests.ts';
import { type Field, fieldsOf, setAt } from './fields.ts';
import { parseInteger } from './integer-flag.ts';

/** Values by the name of the flag, as oclif or the fast path parsed them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Card fields come with rules of their own (`card-input.ts`), which takes them from the same flags. */
const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'expiry_date', 'cvv'] as const;

export function isCardField(field: Field): boolean {
  return (CARD_FIELDS as readonly string[]).includes(field.path.at(-1) ?? '');
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
