/** Finds the command that argv begins with, or says which was probably meant. */
import { type HelpIndex, typed } from '../help/help-data.ts';

/** What argv asks for. */
export type ParsedCommand =
  | { kind: 'command'; id: string; argv: string[] }
  /** A page of help. @prop topic what it is about, as words; none for the map */
  | { kind: 'help'; topic: readonly string[] };

const HELP_FLAGS = ['--help', '-h'];
/** Flags of every page of records, which a page of help has no use for. */
const FLAGS_WITH_VALUE = ['-o', '--output', '-p', '--profile'];
/** What there is no page on of its own: the map says it. */
const BUILT_IN = ['help', 'version'];

/**
 * @param argv what was typed after `gw`
 * @throws Failure usage when argv begins with neither a command nor a topic
 */
export async function findCommand(
  index: HelpIndex,
  argv: readonly string[],
): Promise<ParsedCommand> {
  if (argv.length === 0) return { kind: 'help', topic: [] };
  if (argv[0] === 'help') return { kind: 'help', topic: topicOf(argv.slice(1)) };
  const inOrder = commandFirst(index, argv);
  const found = longestCommand(index, inOrder);
  if (found)
    return wantsHelp(found.argv) ? { kind: 'help', topic: typed(found.id).split(' ') } : found;
  const words = wordsBeforeFlags(inOrder);
  if (words.length === 0) {
    if (wantsHelp(inOrder)) return { kind: 'help', topic: [] };
    const { flagAlone } = await import('./unknown-words.ts');
    throw flagAlone(inOrder[0] ?? '');
  }
  // `gw purchase help`, `gw purchase create help` is an argument too many.
  const topic = words.at(-1) === 'help' ? words.slice(0, -1) : words;
  if (isTopic(index, topic)) return { kind: 'help', topic };
  const { noSuchCommand } = await import('./unknown-words.ts');
  throw noSuchCommand(index, words);
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => HELP_FLAGS.includes(word));
}

/** @param argv what follows `help`: flags are passed over, wherever they stand */
function topicOf(argv: readonly string[]): readonly string[] {
  const words = argv.filter(
    (word, at) => !word.startsWith('-') && !FLAGS_WITH_VALUE.includes(argv[at - 1] ?? ''),
  );
  return words.length === 1 && BUILT_IN.includes(words[0] ?? '') ? [] : words;
}

/** @returns the command whose name is the most of the first words, and what follows it */
export function longestCommand({ commands }: HelpIndex, argv: readonly string[]) {
  const words = wordsBeforeFlags(argv);
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':');
    if (Object.hasOwn(commands, id)) {
      return { kind: 'command', id, argv: argv.slice(count) } as const;
    }
  }
  return undefined;
}

/** @returns the words with flags that come before the command after it, as in `gw -p local plan list`: they are its own */
export function commandFirst(index: HelpIndex, argv: readonly string[]): readonly string[] {
  let start = 0;
  while (argv[start]?.startsWith('-')) {
    const isValueNext =
      !argv[start]?.includes('=') &&
      argv[start + 1] !== undefined &&
      !argv[start + 1]?.startsWith('-') &&
      !beginsCommand(index, argv.slice(start + 1));
    start += isValueNext ? 2 : 1;
  }
  if (start === 0 || start >= argv.length) return argv;
  const rest = argv.slice(start);
  const end = rest.indexOf('--');
  const place = end === -1 ? rest.length : end;
  return [...rest.slice(0, place), ...argv.slice(0, start), ...rest.slice(place)];
}

function beginsCommand(index: HelpIndex, argv: readonly string[]): boolean {
  const [first = ''] = argv;
  return Object.hasOwn(index.commands, first) || isTopic(index, [first]);
}

/** @returns the words up to the first flag */
export function wordsBeforeFlags(argv: readonly string[]): readonly string[] {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'));
  return firstFlag === -1 ? argv : argv.slice(0, firstFlag);
}

function isTopic(index: HelpIndex, words: readonly string[]): boolean {
  const topic = `${words.join(':')}:`;
  return words.length > 0 && Object.keys(index.commands).some((id) => id.startsWith(topic));
}
