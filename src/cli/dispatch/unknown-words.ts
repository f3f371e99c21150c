/** The failures for words that are no command, topic or guide. */
import { type Failure, usage } from '../../failure.ts';
import { commandWords, type HelpIndex } from '../help/help-data.ts';
import { meantCommand } from './meant.ts';

/** A flag in the place of a command. */
export function flagAlone(flag: string): Failure {
  return usage(
    'flag-before-command',
    `gw has no flag ${flag.replace(/=.*$/s, '')} without a command.`,
    'Give a command, for example `gw plan list --profile local`. `gw help` lists them.',
  );
}

/** @param words the words up to the first flag */
export function noSuchCommand(index: HelpIndex, words: readonly string[]): Failure {
  const { wrong, next } = told('gw', words, namesOf(index));
  return usage('command-unknown', `There is no command \`gw ${wrong}\`.`, next, { sent: false });
}

/** @param guides names of the guides, which have help besides commands and topics */
export function noSuchTopic(
  index: HelpIndex,
  words: readonly string[],
  guides: readonly string[],
): Failure {
  const { wrong, next } = told('gw help', words, [...namesOf(index), ...guides]);
  return usage('command-unknown', `There is no help on \`${wrong}\`.`, next);
}

/** @prop wrong the words up to the first unknown one: a later word may be a token */
function told(before: string, words: readonly string[], names: readonly string[]) {
  const meant = meantCommand(words, names);
  const right = words.findIndex((word, n) => word !== meant[n]);
  const known = words.slice(0, right).join(' ');
  const wrong = words.slice(0, right + 1).join(' ');
  if (meant.length > right)
    return { wrong, next: `Did you mean \`${before} ${meant.join(' ')}\`?` };
  return { wrong, next: `\`${`gw help ${known}`.trimEnd()}\` lists the commands.` };
}

/** @returns the names that may be meant; who deletes for good has to type the command as it is */
function namesOf({ commands, erasing, topics }: HelpIndex): string[] {
  const harmless = Object.keys(commands).filter((id) => !erasing.includes(id));
  return [...harmless, ...Object.keys(topics), 'help', 'version'].map(commandWords);
}
