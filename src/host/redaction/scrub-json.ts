/** Takes the secrets of this run, and what was hidden, out of what is kept of an answer or a request. */
import { isObject, type Json } from '../../base/json.ts';
import { HIDDEN } from './redact.ts';

/** Takes the secrets of this run out of a text. */
export type Scrub = (text: string) => string;

/** @returns the value without secrets in its texts and names; the same one where it has none */
export function scrubJson<Value extends Json>(value: Value, scrub: Scrub): Value {
  // Nearly nothing has a secret in it, and a batch asks for every record.
  const texts = textsIn(value).join('\n');
  return scrub(texts) === texts ? value : (scrubbed(value, scrub) as Value);
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function scrubbed(value: Json, scrub: Scrub): Json {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((inner) => scrubbed(inner, scrub));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [scrub(name), scrubbed(inner, scrub)]),
  );
}

/** @returns a value that was redacted without what is hidden in it: not even that there was a CVV is kept */
export function withoutHidden(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== HIDDEN);
  return Object.fromEntries(entries.map(([field, inner]) => [field, withoutHidden(inner)]));
}
