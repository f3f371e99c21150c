/** The values of flags, and how they get into a body. This file loads nothing of oclif. */
import { type JsonObject, setAt } from '../../base/json.ts';
import { currencyCode } from '../../contract/currency.ts';
import { sentExpiry } from '../../contract/expiry.ts';
import { type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import { parseInteger } from '../flags/parse-integer.ts';

/** Values by flag name, as oclif or the fast path parsed them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/**
 * Copies the values of given flags over those of a body.
 * @throws Failure usage if a number is not valid
 */
export function applyFlags(body: JsonObject, request: RequestBody, flags: FlagValues): void {
  for (const field of fieldsOf(request)) {
    const value = flags[field.flag];
    if (typeof value === 'boolean') setAt(body, field.path, value);
    if (typeof value !== 'string') continue;
    setAt(body, field.path, valueOfFlag(field, value));
  }
}

function valueOfFlag({ flag, type, path }: Field, text: string): string | number {
  if (type === 'integer') return parseInteger(flag, text);
  if (type === 'expiry') return sentExpiry(text);
  return path.at(-1) === 'currency' ? currencyCode(text) : text;
}
