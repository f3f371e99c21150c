/** A fact as a row: its columns, whatever the store. */
import type { Fact, IndexedFact } from './document.ts';

/** @returns the columns of a fact that say what it says, by name, in no store's order */
export function columnsOf(fact: IndexedFact) {
  const { seenAt, lastFour, keys: _keys, words: _words, names: _names, ...same } = fact;
  return { ...same, seen_at: seenAt, last_four: lastFour } satisfies Record<
    string,
    Fact[keyof Fact]
  >;
}
