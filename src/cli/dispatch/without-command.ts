/** Reads argv for what no command does: it shows the page of help that it asks for, and prints a failure. */
import { printFlags, USUAL_FLAGS } from '../flags/global-flags.ts';
import { commandWords, type NamedHelp } from '../help/help-data.ts';
import { type FoundCommand, readWords, wantsHelp, wordsBeforeFlags } from './argv.ts';

/** The flags that say how a page of help is shown. */
const PAGE_FLAGS = new Set(['--no-pager', '--plain']);

/** Words without a page of their own; the map explains them. */
const BUILT_IN = ['help', 'version'];

/**
 * @param argv the words typed after `gw`
 * @returns the words of a page; empty for the map
 * @throws Failure usage if argv begins with neither a command nor a topic
 */
export async function helpTopic(
  argv: readonly string[],
  { id, words }: FoundCommand,
  source: NamedHelp,
): Promise<readonly string[]> {
  if (id !== undefined) return commandWords(id).split(' ');
  if (argv[0] === 'help') {
    const { positionals } = readWords(argv.slice(1), USUAL_FLAGS);
    return positionals.length === 1 && BUILT_IN.includes(positionals[0] ?? '') ? [] : positionals;
  }
  const named = wordsBeforeFlags(words);
  if (named.length === 0) {
    if (argv.length === 0 || wantsHelp(words)) return [];
    const { flagAlone } = await import('./unknown-words.ts');
    throw flagAlone(words[0] ?? '');
  }
  // `gw purchase help` asks for help; in `gw purchase create help`, the last word is an argument too many.
  const topic = named.at(-1) === 'help' ? named.slice(0, -1) : named;
  const { noSuchCommand, topicWithFlags } = await import('./unknown-words.ts');
  if (!source.names.isTopic(topic)) throw noSuchCommand(source, words);
  // A script that forgot a word must not take a page of help for what it asked for.
  const isPage =
    wantsHelp(words) || words.slice(named.length).every((word) => PAGE_FLAGS.has(word));
  if (!isPage) throw topicWithFlags(source, topic, words.slice(named.length));
  return topic;
}

/** @returns the report of the time whose words stand in the place of a command, `report last month`; else what was found */
export async function reportNamed(found: FoundCommand): Promise<FoundCommand> {
  const [topic, ...words] = found.words;
  if (found.id !== undefined || topic !== 'report' || words.length === 0) return found;
  const { reportOfTime } = await import('./corrected.ts');
  const kind = reportOfTime(words);
  return kind === undefined ? found : { id: `report:${kind}`, words };
}

/**
 * Knows only the two flags that it looks for, because a flag in the place of a value is a mistake, which is told as the
 * user wants it: `-p --json`.
 * @returns whether a failure has to be JSON
 */
export function wantsJson(words: readonly string[]): boolean {
  const { json, output } = printFlags;
  return readWords(words, { json, output }).flags.some(
    ({ name, value = '' }) =>
      name === 'json' || (name === 'output' && /^(?:=|--)?jsonl?$/.test(value.trim())),
  );
}
