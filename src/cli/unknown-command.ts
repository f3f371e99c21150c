/** Says what was probably meant by a command or flag that does not exist. */
import type { Config } from '@oclif/core';
import { distance } from 'fastest-levenshtein';
import { type Failure, usage } from '../failure.ts';

/** @returns the known words nearest to a mistyped one, best first; none when nothing is near */
export function nearest(word: string, known: readonly string[]): string[] {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  return known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * oclif takes `gw purchase crate` for a request for help on `purchase`; a script must not.
 * @returns the failure when argv starts with words that are neither a command nor a topic
 */
export function unknownCommand(config: Config, argv: readonly string[]): Failure | undefined {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'));
  const words = firstFlag === -1 ? [...argv] : argv.slice(0, firstFlag);
  const ids = config.commandIDs;
  const prefixes = words.map((_, index) => words.slice(0, index + 1).join(':'));
  if (prefixes.some((prefix) => ids.includes(prefix))) return undefined;
  const typed = words.join(':');
  if (typed === '' || ids.some((id) => id.startsWith(`${typed}:`))) return undefined;
  const known = ids.map((id) => id.replaceAll(':', ' '));
  // Words after the second are arguments, whatever was meant.
  const guesses = nearest(words.slice(0, 2).join(' '), known);
  const topic = words[0] ?? '';
  const inTopic = known.filter((name) => name.startsWith(`${topic} `));
  const choices = guesses.length > 0 ? guesses : inTopic;
  return usage(
    `There is no command \`gw ${words.slice(0, 2).join(' ')}\`.`,
    choices.length > 0
      ? `Did you mean ${choices.map((name) => `\`gw ${name}\``).join(' or ')}?`
      : 'Run `gw --help` for the list of commands.',
  );
}
