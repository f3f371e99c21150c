/**
 * Finds what is called nearly as somebody typed it: names and references with one slip, and words of names that sound alike.
 * Only a reader is shown them, as forgiven.
 *
 * Tests: test/scripts/commands/find-forgiving.script, test/scripts/commands/find-apart.script
 */
import { oneLetterOff } from '../../base/one-letter-off.ts';
import { initialsOf, soundOf } from '../../base/sounds.ts';
import { fold } from '../../things/normalise.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { keyOfWord } from '../../things/words.ts';

type KnownNames = Pick<SearchIndex, 'known' | 'keysFrom'>;

/** Shorter words, and short numbers, are one slip away from too many others. */
const MAY_HAVE_SLIP = /^(?!\d{1,5}$)[^#].{2,}/su;

/**
 * A text that names a record is no slip: nothing else is meant by it.
 * @returns texts that name something, of which each word sounds like that of this one or has at most one slip, the fewest of these first; at most so many
 */
export async function namesNear(things: KnownNames, text: string, most: number): Promise<string[]> {
  const asked = fold(text);
  const names = await things.known([asked, ...asked.split(' ')]);
  const slips = MAY_HAVE_SLIP.test(asked) && !names.includes(asked) ? oneLetterOff(asked) : [];
  const whole = await things.known(slips);
  let texts: { words: readonly string[]; slips: number }[] = [{ words: [], slips: 0 }];
  for (const word of asked.split(' ')) {
    const others = names.includes(word) ? [] : await wordsNear(things, word);
    texts = texts
      .flatMap(({ words, slips }) => [
        { words: [...words, word], slips },
        ...others.map((other) => ({ words: [...words, other], slips: slips + 1 })),
      ])
      .toSorted((one, other) => one.slips - other.slips)
      .slice(0, most + 1);
  }
  const spelled = texts.filter(({ slips }) => slips > 0).map(({ words }) => words.join(' '));
  return [...new Set([...whole, ...spelled])].slice(0, most);
}

/**
 * @returns the words of names that sound like a word, and those, and the whole names, from which it differs by one slip;
 *   of an email, each part
 */
export async function wordsNear(things: KnownNames, word: string): Promise<string[]> {
  if (!MAY_HAVE_SLIP.test(word)) return [];
  const [local = '', domain, ...others] = word.split('@');
  if (domain !== undefined && others.length === 0) {
    const domains = [domain, ...(await wordsNear(things, domain))];
    const names = [local, ...(await wordsNear(things, local))];
    return things.known(names.flatMap((one) => domains.map((other) => `${one}@${other}`)));
  }
  const slips = oneLetterOff(word);
  const known = new Set(await things.known([...slips, ...slips.map(keyOfWord)]));
  const near = slips.filter((slip) => known.has(slip) || known.has(keyOfWord(slip)));
  return [...new Set([...(await wordsHeard(things, word)), ...near])];
}

/** @returns the words of names that sound like a word; at most some hundred thousand people have names with its first letters */
async function wordsHeard(things: KnownNames, word: string): Promise<string[]> {
  if (!/^[a-z]+$/.test(word)) return [];
  const begun = await things.keysFrom(initialsOf(word).map(keyOfWord));
  const sound = soundOf(word);
  const words = begun.map((key) => key.slice(keyOfWord('').length));
  return words.filter((one) => one !== word && soundOf(one) === sound);
}
