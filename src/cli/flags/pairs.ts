/** `--field name=value`: a value that is valid JSON is read as JSON, and any other as text. */

import { type Json, type JsonObject, setAt } from '../../base/json.ts';
import { usage } from '../../failure.ts';

/** @throws Failure usage if a pair has no name or no `=` */
export function splitPair(flag: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
  throw usage(
    'pair-invalid',
    `--${flag} takes name=value.`,
    `For example --${flag} reference=INV-1001.`,
  );
}

/**
 * Sets dotted names in a body. `true`, `false`, `null` and numbers that keep their digits are read as JSON. A user who
 * wants such a word as text writes it in double quotes.
 * @throws Failure usage if a pair is not valid, or two of them give the same field
 */
export function applyPairs(body: JsonObject, pairs: readonly string[]): void {
  const given: string[] = [];
  for (const pair of pairs) {
    const [name, value] = splitPair('field', pair);
    for (const other of given) refuseSameField(other, name);
    given.push(name);
    setAt(body, name.split('.'), typedValue(value));
  }
}

/** A field and one inside it count as the same, because the later would replace the other. */
function refuseSameField(one: string, other: string): void {
  if (!`${one}.`.startsWith(`${other}.`) && !`${other}.`.startsWith(`${one}.`)) return;
  throw usage(
    'field-twice',
    one === other
      ? `--field ${one} was given more than once.`
      : `--field ${one} and --field ${other} cannot be used together.`,
    'Give only one of them.',
  );
}

/** @returns the value as JSON if it is valid JSON, otherwise as text */
export function typedValue(value: string): Json {
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (value === 'null') return null;
  // Only a number that keeps its digits: an id of twenty digits is text.
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && String(Number(value)) === value)
    return Number(value);
  if (/^".*"$/s.test(value)) {
    try {
      return JSON.parse(value) as string;
    } catch {
      return value;
    }
  }
  return value;
}
