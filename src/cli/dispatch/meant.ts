/** Finds what a user probably meant by a word that gw does not know. Nothing is run on a guess. */
import { nearest } from '../../base/nearest.ts';

/** Words that people know from other programs, or from the field. */
const SYNONYMS: Readonly<Record<string, string>> = {
  charge: 'purchase create',
  pay: 'purchase create',
  void: 'refund create',
  search: 'find',
  show: 'get',
  log: 'journal list',
  webhooks: 'listen',
  auth: 'login',
  sandbox: 'emulator start',
  '-f': '--output',
  '--csv': '--output csv',
  '--format': '--output',
  '--token': '--card-token',
};

/** The shortest beginning of a word that is completed; a shorter one fits too many words. */
const MIN_BEGINNING = 3;

/**
 * @param words the words that were typed
 * @param names the names of commands and topics, word by word
 * @returns the meant words, as far as they are clear; otherwise empty
 */
export function meantCommand(words: readonly string[], names: readonly string[]): string[] {
  const synonym = synonymOf(words[0] ?? '');
  if (synonym !== undefined) return synonym.split(' ');
  const meant: string[] = [];
  for (const word of words) {
    const start = meant.map((known) => `${known} `).join('');
    const next = names
      .filter((name) => name.startsWith(start))
      .map((name) => name.slice(start.length).split(' ')[0] ?? '');
    const found = meantWord(word, next);
    if (found === undefined) break;
    meant.push(found);
  }
  return meant;
}

/**
 * @param typed a flag that a command does not have, without its value
 * @param known names of the flags that it has
 * @returns the meant flag with its dashes; undefined if it is not clear
 */
export function meantFlag(typed: string, known: readonly string[]): string | undefined {
  const synonym = synonymOf(typed);
  if (synonym && known.includes(synonym.slice(2).split(' ')[0] ?? '')) return synonym;
  const name = meantWord(typed.replace(/^-+/, ''), known);
  return name && `--${name}`;
}

function synonymOf(word: string): string | undefined {
  return Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : undefined;
}

/** @returns the word itself, otherwise the only one that begins with it, otherwise the nearest */
function meantWord(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word;
  const [begun, other] = new Set(known.filter((name) => name.startsWith(word)));
  return word.length >= MIN_BEGINNING && begun && !other ? begun : nearest(word, known);
}
