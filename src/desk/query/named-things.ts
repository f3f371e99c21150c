/** The things behind the names that rows of a report have. */

import type { Owner } from '../../things/owner.ts';
import { LASTING, type Thing, type ThingKind } from '../../things/thing.ts';
import type { SearchFilter, SearchIndex } from '../../things/thing-index.ts';
import { keyOfName } from '../../things/words.ts';

/** The index of things, and the profile whose things are wanted. */
export interface Known {
  things: Pick<SearchIndex, 'tied'>;
  scope: Owner;
}

/** The most things to read for one name. */
const LOOKED_AT = 20;

/**
 * @returns the things of these kinds that have one of the names, newest first; and those that belong to one, unless all
 *   kinds are lasting
 */
export async function tiedTo(
  { things, scope }: Known,
  kinds: readonly ThingKind[],
  names: readonly (string | null)[],
  needs?: SearchFilter['needs'],
): Promise<Thing[]> {
  const wanted = [...new Set(names.filter((name) => name !== null))];
  if (wanted.length === 0) return [];
  // All payments of a customer have its name, too.
  const keys = kinds.every((kind) => LASTING.includes(kind))
    ? kinds.flatMap((kind) => wanted.map((name) => keyOfName(kind, name)))
    : wanted;
  return things.tied(keys, { kinds, scope, needs, limit: LOOKED_AT * wanted.length });
}

/** @returns the newest of the things for each of its names: its id, reference and token */
export function byName(things: readonly Thing[]): Map<string, Thing> {
  const found = new Map<string, Thing>();
  for (const one of things)
    for (const name of [one.id, one.reference, one.token])
      if (name !== null && !found.has(name)) found.set(name, one);
  return found;
}
