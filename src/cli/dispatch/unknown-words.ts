/**
 * The failures for words that are no command, topic or guide.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
import { periodKind } from '../../base/periods.ts';
import { shellWord } from '../../base/shell.ts';
import { type Failure, usage } from '../../failure.ts';
import { USUAL_FLAGS } from '../flags/global-flags.ts';
import { commandWords, type HelpSource } from '../help/help-data.ts';
import { readWords, wantsHelp, wordsBeforeFlags } from './argv.ts';
import { lackingSay } from './cannot.ts';
import { corrected, isSecret } from './corrected.ts';
import { isFileOfRows, meantByTables, namesOf, nearestName, SMALL } from './meant.ts';

/** A flag in the place of a command. */
export function flagAlone(flag: string): Failure {
  return usage(
    'flag-before-command',
    `gw has no flag ${flag.replace(/=.*$/s, '')} without a command.`,
    'Give a command, for example `gw plan list --profile local`. `gw help` lists them.',
  );
}

/** @param words all words after `gw` */
export function noSuchCommand(source: HelpSource, words: readonly string[]): Failure {
  const isHelp = wantsHelp(words);
  const { wrong, next } = told(source, isHelp ? wordsBeforeFlags(words) : words, isHelp);
  return usage('command-unknown', `There is no command \`gw ${wrong}\`.`, next, { sent: false });
}

/**
 * @param topic its words, such as `purchase`
 * @param words those behind, which begin with a flag
 */
export function topicWithFlags(
  { index, command }: HelpSource,
  topic: readonly string[],
  words: readonly string[],
): Failure {
  const name = topic.join(' ');
  const ids = Object.keys(index.commands).filter((id) => id.startsWith(`${topic.join(':')}:`));
  const [flag = '', ...values] = (words[0] ?? '').split('=');
  const named = ids.find((id) => commandWords(id) === `${name} ${flag.replace(/^-+/, '')}`);
  const lines = named
    ? [corrected(command(named), [...values, ...words.slice(1)])]
    : ['create', 'list', 'month', ...ids.map((id) => id.split(':').at(-1) ?? '')]
        .map((action) => [...topic, action].join(':'))
        .filter((id) => ids.includes(id) && !index.erasing.includes(id))
        .map((id) => corrected(command(id), words));
  // A profile or a format says nothing of what is to be done.
  const { flags } = readWords(words, USUAL_FLAGS);
  const isSaid = flags.some(({ name }) => !(name in USUAL_FLAGS));
  const meant = isSaid && lines.find((line) => !line.endsWith(' takes.'));
  return usage(
    'command-unknown',
    `\`gw ${name}\` lacks the word that says what to do.`,
    meant ? `Did you mean ${meant}` : `\`gw help ${name}\` lists the commands.`,
    { sent: false },
  );
}

/**
 * @param words the words after `gw help`
 * @param guides names of the guides, which have help besides commands and topics
 */
export function noSuchTopic(
  source: HelpSource,
  words: readonly string[],
  guides: readonly string[],
): Failure {
  const { wrong, next } = told(source, words, true, guides);
  return usage('command-unknown', `There is no help on \`${wrong}\`.`, next);
}

/** @prop wrong the words up to the first unknown one: a later word may be a token */
function told(
  source: HelpSource,
  words: readonly string[],
  isHelp: boolean,
  guides: readonly string[] = [],
) {
  const named = wordsBeforeFlags(words);
  const names = [...namesOf(source.index), ...guides];
  const right = named.findIndex((_, at) => {
    const start = named.slice(0, at + 1).join(' ');
    return !names.some((name) => `${name} `.startsWith(`${start} `));
  });
  const wrong = named.slice(0, right + 1).map((word) => (isSecret(word) ? '***' : word));
  const known = `gw help ${named.slice(0, right).join(' ')}`.trimEnd();
  const meant =
    (right === 0 ? lackingSay(named) : undefined) ??
    meantByTables(source, words, isHelp) ??
    byLetters(source, words, isHelp, guides);
  // Several words say more of what is to be done than their first one.
  const isSentence = right === 0 && named.length > 2 && !isHelp && !named.some(isSecret);
  const list = isSentence
    ? `\`gw help ${named.map(shellWord).join(' ')}\` finds out how.`
    : `\`${known}\` lists the commands.`;
  // Whoever types a name or a number alone wants what is known of it.
  const isSearch = right === 0 && !isHelp && !named.some(isSecret);
  const search = isSearch ? searchOf(named) : '';
  return { wrong: wrong.join(' '), next: meant ?? search + list };
}

/** @returns the line that looks for what words without a command are about: a file, a record, else all of them */
function searchOf(words: readonly string[]): string {
  const [file] = words.filter(isFileOfRows);
  if (file !== undefined) return `\`gw reconcile ${shellWord(file)}\` compares each of its rows. `;
  const said = words.filter(
    (word) => !SMALL.includes(word.toLowerCase()) && periodKind(word) === undefined,
  );
  const [record, other] = said.filter((word) => /@|^(?=.*\d)(?=.*[a-z])[\w-]+$/i.test(word));
  if (record !== undefined && other === undefined && said.length > 1)
    return `\`gw get ${shellWord(record)}\` shows what is known of it. `;
  return `\`gw find ${words.map(shellWord).join(' ')}\` searches for it. `;
}

/** Whoever deletes something or moves money has to type the command as it is. A page of help does neither. */
function byLetters(
  { index, command }: HelpSource,
  words: readonly string[],
  isHelp: boolean,
  guides: readonly string[],
): string | undefined {
  const grave = new Set([...index.erasing, ...index.charging].map(commandWords));
  const names = namesOf(index).filter((name) => isHelp || !grave.has(name));
  const meant = nearestName(wordsBeforeFlags(words), [...names, ...guides, 'help', 'version']);
  const id = meant.join(':');
  if (meant.every((word, at) => word === words[at])) return undefined;
  return isHelp || !Object.hasOwn(index.commands, id)
    ? `Did you mean \`gw ${isHelp ? 'help ' : ''}${meant.join(' ')}\`?`
    : `Did you mean ${corrected(command(id), words.slice(meant.length))}`;
}
