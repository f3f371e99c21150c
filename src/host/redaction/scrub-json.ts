/** Removes the secrets of this run, and hidden fields, from answers and requests before they are stored. */
import { isObject, type Json } from '../../base/json.ts';
import { HIDDEN } from './redact.ts';

/** Removes the secrets of this run from a text. */
export type Scrub = (text: string) => string;

/** @returns the value without secrets in its texts and names; the same object if it has none */
export function scrubJson<Value extends Json>(value: Value, scrub: Scrub): Value {
  // Hardly any value contains a secret, which a scrub also finds as it is written in JSON.
  const json = JSON.stringify(value);
  return scrub(json) === json ? value : (scrubbed(value, scrub) as Value);
}

function scrubbed(value: Json, scrub: Scrub): Json {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((inner) => scrubbed(inner, scrub));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [scrub(name), scrubbed(inner, scrub)]),
  );
}

/** @returns a redacted value without its hidden fields; not even the fact that there was a CVV is stored */
export function withoutHidden(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== HIDDEN);
  return Object.fromEntries(entries.map(([field, inner]) => [field, withoutHidden(inner)]));
}
