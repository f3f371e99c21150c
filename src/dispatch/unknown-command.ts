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

interface FoundCommand {
  id: string;
  argv: string[];
}

/**
 * Finds the command that argv begins with, more strictly than oclif, which takes `gw purchase crate`
 * for a request for help on `purchase`, and an argument too many for a part of the command's name.
 * @returns oclif's id of the command and what follows its words; undefined where help is due
 * @throws Failure usage when argv begins with neither a command nor a topic
 */
export function findCommand(config: Config, argv: readonly string[]): FoundCommand | undefined {
  const words = wordsOf(argv);
  const ids = config.commandIDs;
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':');
    if (ids.includes(id)) return { id, argv: argv.slice(count) };
  }
  const topic = words.join(':');
  const isTopic = ids.some((id) => id.startsWith(`${topic}:`));
  const [first] = argv;
  const isForHelp = first === undefined || ['--help', '-h', '--version'].includes(first);
  if (words.length === 0 ? isForHelp : isTopic) return undefined;
  throw words.length === 0 ? flagFirst(argv) : noSuchCommand(words, ids);
}

function wordsOf(argv: readonly string[]): readonly string[] {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'));
  return firstFlag === -1 ? argv : argv.slice(0, firstFlag);
}

function flagFirst(argv: readonly string[]): Failure {
  return usage(
    'flag-before-command',
    `There is no flag ${argv[0]} before a command.`,
    'Write the command first and its flags after it: `gw plan list --profile local`.',
  );
}

function noSuchCommand(words: readonly string[], ids: readonly string[]): Failure {
  const known = ids.map((id) => id.replaceAll(':', ' '));
  const topics = [
    ...new Set(known.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? '')),
  ];
  const [topic = ''] = words;
  // Words after the second are arguments, whatever was meant.
  const typed = words.slice(0, 2).join(' ');
  const guesses = nearest(typed, words.length === 1 ? [...known, ...topics] : known);
  const choices =
    guesses.length > 0 ? guesses : known.filter((name) => name.startsWith(`${topic} `));
  return usage(
    'command-unknown',
    `There is no command \`gw ${typed}\`.`,
    choices.length > 0
      ? `Did you mean ${choices.map((name) => `\`gw ${name}\``).join(' or ')}?`
      : 'Run `gw --help` for the list of commands.',
  );
}
