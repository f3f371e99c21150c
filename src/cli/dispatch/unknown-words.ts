/** What is said of words that are no command, topic or guide, and which was probably meant. */

import { choice, nearest } from '../../base/nearest.ts';
import { shellWord } from '../../base/shell-word.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { type Failure, usage } from '../../failure.ts';
import type { HelpIndex } from '../help/help-data.ts';
import { meantCommands } from './meant-command.ts';
import { OTHER_COMMANDS } from './synonyms.ts';

/** A flag where a command is due. */
export function flagAlone(flag: string): Failure {
  const guesses = nearest(flag.replace(/^-+/, ''), ['help', 'version']);
  return usage(
    'flag-before-command',
    `gw has no flag ${flag} without a command.`,
    guesses.length > 0
      ? `Did you mean ${choice(guesses.map((guess) => `\`gw --${guess}\``))}?`
      : 'Give a command, for example `gw plan list --profile local`. `gw help` lists them.',
  );
}

/** @param words what was typed up to the first flag */
export function noSuchCommand(index: HelpIndex, words: readonly string[]): Failure {
  const meant = meantCommands(words, index);
  const guesses = meant.length > 0 ? withIds(meant, words, index) : lookedUp(words);
  // Words after the second are arguments, unless the topic has two.
  const count = meant[0]?.split(' ').length === 3 ? 3 : 2;
  const shown = words.slice(0, count).join(' ');
  return usage(
    'command-unknown',
    `There is no command \`gw ${shown}\`.`,
    guesses.length > 0
      ? `Did you mean ${choice(guesses.map((name) => `\`gw ${name}\``))}?`
      : 'Run `gw help` for the list of commands.',
  );
}

/** What names a record or a customer, pasted without a command: `gw 071-P-1` is `gw get 071-P-1`. */
function lookedUp([word = '']: readonly string[]): string[] {
  const isName = kindOfId(word) !== undefined || UUID.test(word) || /^[^\s@]+@\S+$/.test(word);
  if (isName) return [`get ${shellWord(word)}`];
  const isReference = /^[\w-]+$/.test(word) && /\d/.test(word) && !holdsCardNumber(word);
  return isReference ? [`find ${shellWord(word)}`] : [];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Words for `gw find`, after which what is looked for is typed. */
const SEARCHES = new Set(
  [...OTHER_COMMANDS].flatMap(([word, meant]) => (meant.includes('find') ? [word] : [])),
);

/** What a record whose id follows a topic is most often wanted for, where that is not to look it up. */
const USUAL: Readonly<Record<string, string>> = { refund: 'refund create' };

/**
 * Guesses with what was typed after the words of a command: ids (`gw refund 071-P-1` is `gw refund create
 * 071-P-1`), and what is looked for (`gw purchase search ada` is `gw find ada`).
 */
function withIds(
  guesses: readonly string[],
  words: readonly string[],
  { topics }: HelpIndex,
): string[] {
  const ids = words.filter((word) => kindOfId(word) !== undefined);
  const verb = words.findIndex((word) => word === 'find' || SEARCHES.has(word));
  const sought = verb === -1 ? [] : words.slice(verb + 1).map(shellWord);
  return guesses.map((guess) => {
    if (guess === 'find') return ['find', ...sought].join(' ');
    if (ids.length === 0) return guess;
    const verb = Object.hasOwn(topics, guess) ? (USUAL[guess] ?? `${guess} get`) : guess;
    return [verb, ...(takesId(verb) ? ids : [])].join(' ');
  });
}

const takesId = (name: string) =>
  /^(?:get|history|find)$|\b(?:get|update|stop|move|delete)$/.test(name) ||
  name === 'refund create';

/** @param guides names of what there is help on, beside commands and topics */
export function noSuchTopic(
  index: HelpIndex,
  words: readonly string[],
  guides: readonly string[],
): Failure {
  const guesses = [...nearest(words.join(' '), guides), ...meantCommands(words, index)].slice(0, 3);
  return usage(
    'command-unknown',
    `There is no help on \`${words.join(' ')}\`.`,
    guesses.length > 0
      ? `Did you mean ${choice(guesses.map((name) => `\`gw help ${name}\``))}?`
      : 'Run `gw help` for the list of commands and topics.',
  );
}
