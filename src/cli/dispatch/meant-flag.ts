/** Which flag is probably meant by one that a command does not have. */
import { nearest } from '../../base/nearest.ts';
import { OTHER_FLAGS } from './synonyms.ts';

const MAX_GUESSES = 3;
/** Of a beginning that is taken for a flag's: `-c` begins too many. */
const MIN_BEGINNING = 2;
const MIN_PART = 3;

/** @returns `card-token` for `--cardToken`, `--CARD_TOKEN=x` and `-card-token` */
export function flagName(typed: string): string {
  return typed
    .replace(/^-+/, '')
    .replace(/=.*$/s, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/**
 * @param typed a flag that the command does not have, as it was typed
 * @param known names of the flags that it has, the common ones first
 * @returns those that may be meant, best first: the same word, what begins with it, what has it as
 *   one of its words, what others call so, and then what is spelled much like it
 */
export function meantFlags(typed: string, known: readonly string[]): string[] {
  const name = flagName(typed);
  const guesses = [
    known.filter((flag) => letters(flag) === letters(name)),
    name.length < MIN_BEGINNING ? [] : known.filter((flag) => flag.startsWith(name)),
    known.filter((flag) => flag.split('-').includes(name)),
    (OTHER_FLAGS.get(name) ?? []).filter((flag) => known.includes(flag)),
    nearest(name, known),
    name.length < MIN_PART
      ? []
      : known.filter((flag) => flag.split('-').some((part) => part.startsWith(name))),
    // `--card-tokn-id`: nothing is like the whole, but something is like its beginning.
    known.filter((flag) => flag.length >= 4 && name.startsWith(`${flag}-`)),
  ];
  return [...new Set(guesses.find((some) => some.length > 0) ?? [])].slice(0, MAX_GUESSES);
}

const letters = (name: string) => name.replaceAll('-', '');
