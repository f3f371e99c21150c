/** Removes the secrets of this run, and hidden fields, from answers and requests before they are stored. */
import { type Json, withTexts } from '../../base/json.ts';
import { HIDDEN } from './redact.ts';

/** Removes the secrets of this run from a text. */
export type Scrub = (text: string) => string;

/** @returns the value without secrets in its texts and names; the same object if it has none */
export function scrubJson<Value extends Json>(value: Value, scrub: Scrub): Value {
  // Hardly any value contains a secret, which a scrub also finds as it is written in JSON.
  const json = JSON.stringify(value);
  if (scrub(json) === json) return value;
  const scrubbed = withTexts(value, scrub, (object) =>
    Object.fromEntries(Object.entries(object).map(([name, inner]) => [scrub(name), inner])),
  );
  return scrubbed as Value;
}

/** @returns a redacted value without its hidden fields; not even the fact that there was a CVV is stored */
export function withoutHidden(value: Json): Json {
  return withTexts(
    value,
    (text) => text,
    (object) => Object.fromEntries(Object.entries(object).filter(([, inner]) => inner !== HIDDEN)),
  );
}
