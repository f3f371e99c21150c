/** What a command line may go on with. */
import { flagGroups } from '../help/flag-groups.ts';
import type { CommandHelp, HelpSource } from '../help/help-data.ts';
import { type Place, placeOf } from './command-line.ts';
import type { Completion, CompletionSources, Suggestion } from './sources.ts';
import { argumentValues, flagValues, isListFlag, values } from './values.ts';

/** A command that has the flags that nearly all have. */
const USUAL = 'get';
const MAX_CANDIDATES = 200;

/**
 * @param words what was typed after `gw`, up to the word at the cursor
 * @param current the word at the cursor
 */
export async function complete(
  words: readonly string[],
  current: string,
  { source, known }: { source: HelpSource; known: CompletionSources },
): Promise<Completion> {
  const place = placeOf(words, current, source);
  const before = place.kind === 'value' ? partBefore(place, current) : '';
  const prefix = current.slice(before.length);
  const found = await candidatesAt(place, prefix, { source, known });
  if (found.kind === 'files') return found;
  const listed = before.split(/[=,]/);
  const fitting = found.candidates
    .filter(({ value }) => value.startsWith(prefix) && !listed.includes(value))
    .map(({ value, meaning }) => ({ value: before + value, meaning }));
  return { kind: 'values', candidates: fitting.slice(0, MAX_CANDIDATES) };
}

/** @returns what the value at the cursor stands after: the flag in the same word, and the rest of its list */
function partBefore({ flag, before }: Extract<Place, { kind: 'value' }>, current: string): string {
  return isListFlag(flag) ? current.slice(0, current.lastIndexOf(',') + 1) || before : before;
}

async function candidatesAt(
  place: Place,
  prefix: string,
  { source, known }: { source: HelpSource; known: CompletionSources },
): Promise<Completion> {
  switch (place.kind) {
    case 'command':
      return values(
        prefix.startsWith('-') ? rootFlags(place.path) : await nextWords(place, source),
      );
    case 'flag':
      return values(flagsOf(place.command, place.given));
    case 'value':
      return flagValues(place, prefix, known);
    case 'argument':
      return argumentValues(place, prefix, known);
    case 'early': {
      const command = source.command(USUAL);
      const flag = command.flags[place.flag];
      return flag ? flagValues({ command, flag }, prefix, known) : values([]);
    }
    case 'nothing':
      return values([]);
  }
}

function rootFlags(path: readonly string[]): Suggestion[] {
  const help = { value: '--help', meaning: 'Show help' };
  return path.length > 0 ? [help] : [help, { value: '--version', meaning: 'Show the version' }];
}

async function nextWords(
  { path, isHelp }: { path: readonly string[]; isHelp: boolean },
  { index }: HelpSource,
): Promise<Suggestion[]> {
  const start = path.length === 0 ? '' : `${path.join(':')}:`;
  const found = new Map<string, string>();
  for (const [id, summary] of Object.entries(index.commands)) {
    if (!id.startsWith(start)) continue;
    const [word = '', ...rest] = id.slice(start.length).split(':');
    found.set(word, rest.length === 0 ? summary : (index.topics[start + word] ?? ''));
  }
  const words = [...found].map(([value, meaning]) => ({ value, meaning }));
  if (path.length > 0) return words;
  return [...words, ...(isHelp ? await guideNames() : BUILT_IN)];
}

async function guideNames(): Promise<Suggestion[]> {
  const { GUIDES } = await import('../help/guides.ts');
  return Object.entries(GUIDES).map(([value, { summary }]) => ({ value, meaning: summary }));
}

const BUILT_IN: readonly Suggestion[] = [
  { value: 'help', meaning: 'Show help on a command or topic' },
  { value: 'version', meaning: 'Show the version' },
];

/** Those that were not given yet and can be, in the order of the help: the rare ones last. */
function flagsOf(command: CommandHelp, given: ReadonlySet<string>): Suggestion[] {
  const excluded = new Set([...given].flatMap((name) => command.flags[name]?.exclusive ?? []));
  const left = flagGroups(command)
    .flatMap(({ flags }) => flags)
    .filter(({ name }) => !given.has(name) && !excluded.has(name));
  return [
    ...left.flatMap(({ name, description, allowNo }) => [
      { value: `--${name}`, meaning: description },
      ...(allowNo ? [{ value: `--no-${name}`, meaning: description }] : []),
    ]),
    { value: '--help', meaning: 'Show help' },
  ];
}
