/** Which command is probably meant by words that name none. */

import { nearest } from '../../base/nearest.ts';
import { type HelpIndex, typed } from '../help/help-data.ts';
import { OTHER_COMMANDS, OTHER_VERBS, sameVerbs } from './synonyms.ts';

/** Commands that have no file of their own. */
const BUILT_IN = ['help', 'version'];
const MAX_GUESSES = 3;

/**
 * @param words what was typed up to the first flag; they begin with no command
 * @returns commands and topics as they are typed, without `gw`, best first
 */
export function meantCommands(words: readonly string[], index: HelpIndex): string[] {
  const known = Object.keys(index.commands).map(typed);
  const topics = Object.keys(index.topics).map(typed);
  const all = new Set([...known, ...topics, ...BUILT_IN]);
  const [first = '', second, third] = words.map((word) => word.toLowerCase());
  // `gw gw purchase list`, as pasted after a prompt
  if (first === 'gw' && second !== undefined) return afterProgram(words.slice(1), index, all);
  const inner = topics.filter((topic) => topic.includes(' '));
  const below = third === undefined ? undefined : nearest(`${first} ${second}`, inner)[0];
  if (below !== undefined && third !== undefined) return ofTopic(below, third, known);
  const guesses =
    second === undefined
      ? ofOneWord(first, [...all])
      : ofTwoWords(first, second, { known, topics });
  return [...new Set(guesses.filter((guess) => all.has(guess)))].slice(0, MAX_GUESSES);
}

function afterProgram(words: readonly string[], index: HelpIndex, all: Set<string>): string[] {
  const whole = [3, 2, 1].map((count) => words.slice(0, count).join(' '));
  const found = whole.find((name) => all.has(name));
  return found === undefined ? meantCommands(words, index) : [found];
}

/** @returns every form in which a word may be one that gw knows: itself, and without its plural */
function forms(word: string): string[] {
  return [...new Set([word, word.replace(/ies$/, 'y'), word.replace(/s$/, ''), `${word}s`])];
}

function ofOneWord(word: string, all: readonly string[]): string[] {
  const exact = forms(word).filter((form) => all.includes(form));
  if (exact.length > 0) return exact;
  const other = forms(word).flatMap((form) => OTHER_COMMANDS.get(form) ?? []);
  if (other.length > 0) return other;
  const begun =
    word.length >= 3 ? all.filter((name) => name.startsWith(word) && !name.includes(' ')) : [];
  if (begun.length > 0) return begun;
  const near = nearest(word, all);
  if (near.length > 0) return near;
  // `purchasecreate`, `purchase-create`, `purchase:create`
  const joined = word.replaceAll(/[^a-z]/g, '');
  return all.filter((name) => name.replaceAll(/[^a-z]/g, '') === joined);
}

function ofTwoWords(
  first: string,
  second: string,
  { known, topics }: Record<'known' | 'topics', readonly string[]>,
): string[] {
  const topic = topicOf(first, topics);
  if (topic !== undefined) return ofTopic(topic, second, known);
  // `create purchase`
  const swapped = topicOf(second, topics);
  if (swapped !== undefined) return ofTopic(swapped, first, known);
  const other = forms(first).flatMap((form) => OTHER_COMMANDS.get(form) ?? []);
  if (other.length > 0) return ofOther(other, second, known);
  const whole = nearest(`${first} ${second}`, known);
  return whole.length > 0 ? whole : ofOneWord(first, [...known, ...topics, ...BUILT_IN]);
}

/** @param other commands that the first word may mean: one of their topic, where the second word is known there */
function ofOther(other: readonly string[], second: string, known: readonly string[]): string[] {
  const named = other.flatMap((name) => `${name.split(' ')[0]} ${second}`);
  const exact = named.filter((name) => known.includes(name));
  return exact.length > 0 ? exact : [...other];
}

function topicOf(word: string, topics: readonly string[]): string | undefined {
  return forms(word).find((form) => topics.includes(form)) ?? nearest(word, topics)[0];
}

function ofTopic(topic: string, verb: string, known: readonly string[]): string[] {
  const own = known.filter((name) => name.startsWith(`${topic} `));
  const verbs = own.map((name) => name.slice(topic.length + 1));
  const inTopic = (names: readonly string[]) => names.map((name) => `${topic} ${name}`);
  const exact = forms(verb).find((form) => verbs.includes(form));
  if (exact !== undefined) return inTopic([exact]);
  const begun = verb.length >= 2 ? verbs.filter((name) => name.startsWith(verb)) : [];
  const same = sameVerbs(verb).filter((other) => verbs.includes(other));
  const elsewhere = OTHER_VERBS.get(verb);
  const guesses = inTopic([...begun, ...same]);
  if (guesses.length > 0) return guesses;
  if (elsewhere) return [...elsewhere];
  const near = inTopic(nearest(verb, verbs));
  return near.length > 0 ? near : [topic];
}
