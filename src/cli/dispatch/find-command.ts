/** Finds the command at the beginning of argv, or suggests one. */
import { type HelpIndex, typed } from '../help/help-data.ts';

/** The request in argv. */
export type ParsedCommand =
  | { kind: 'command'; id: string; argv: string[] }
  /** A page of help. @prop topic its words; empty for the map */
  | { kind: 'help'; topic: readonly string[] };

const HELP_FLAGS = ['--help', '-h'];
/** Flags of pages of records, which a page of help ignores. */
const FLAGS_WITH_VALUE = ['-o', '--output', '-p', '--profile', '-q', '--jq'];
/** Words without a page of their own; the map explains them. */
const BUILT_IN = ['help', 'version'];

/**
 * @param argv the words typed after `gw`
 * @throws Failure usage if argv begins with neither a command nor a topic
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
  // `gw purchase help` asks for help; in `gw purchase create help`, the last word is an argument too many.
  const topic = words.at(-1) === 'help' ? words.slice(0, -1) : words;
  if (isTopic(index, topic)) return { kind: 'help', topic };
  const { noSuchCommand } = await import('./unknown-words.ts');
  throw noSuchCommand(index, words);
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => HELP_FLAGS.includes(word));
}

/** @param argv the words after `help`; flags are skipped anywhere */
function topicOf(argv: readonly string[]): readonly string[] {
  const words = argv.filter(
    (word, at) => !word.startsWith('-') && !FLAGS_WITH_VALUE.includes(argv[at - 1] ?? ''),
  );
  return words.length === 1 && BUILT_IN.includes(words[0] ?? '') ? [] : words;
}

/** @returns the command with the longest name at the beginning of argv, and the words after it */
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

/**
 * @returns argv with the flags before the command moved behind it: in `gw -p local plan list` they belong to the
 *   command
 */
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
