/** `--field name=value`: values typed as in JSON where they read as such, text otherwise. */

import { type Json, type JsonObject, setAt } from '../../base/json.ts';
import { usage } from '../../failure.ts';

/** @throws Failure usage when a pair has no name or no `=` */
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
 * Sets dotted names in a body. `true`, `false`, `null` and numbers that survive the trip are
 * taken as JSON; to send such a word as text, write it in double quotes.
 * @throws Failure usage when a pair is none, or two of them give the same field
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

/** A field and one within it are the same: the later one would take the place of the other. */
function refuseSameField(one: string, other: string): void {
  if (!`${one}.`.startsWith(`${other}.`) && !`${other}.`.startsWith(`${one}.`)) return;
  throw usage(
    'field-twice',
    one === other
      ? `--field ${one} was given more than once.`
      : `--field ${one} and --field ${other} cannot be used together.`,
    'Give only one of them.',
    { sent: false },
  );
}

/** @returns the value as JSON where it reads as such, text otherwise */
export function typedValue(value: string): Json {
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (value === 'null') return null;
  // Only a number that comes back as it was written: an id of twenty digits is text.
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
