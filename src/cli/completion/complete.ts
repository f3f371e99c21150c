/**
 * Completes a command line for the scripts of shells. `gw __complete CURRENT WORD…` prints a line for each value, with
 * its meaning after a tab, or `:files` if the shell should complete files. It offers commands, flags, profiles, values
 * from a list, and records of the ledger. It asks neither a gateway nor the keychain.
 */
import type { Host } from '../../host/host.ts';
import { findCommand, readWords, type TypedFlag, wordsBeforeFlags } from '../dispatch/argv.ts';
import type { FlagMap, OptionFlag } from '../flags/flag.ts';
import { USUAL_FLAGS } from '../flags/global-flags.ts';
import { flagGroups } from '../help/flag-groups.ts';
import type { CommandHelp, NamedHelp } from '../help/help-data.ts';
import type { Suggestion } from './from-ledger.ts';
import { namedBy } from './named.ts';

type CompletionHost = Pick<Host, 'env' | 'files'>;

type Completion = readonly Suggestion[] | 'files';

const MAX_MEANING = 70;

/**
 * @param argv the word at the cursor, up to it, and the words between `gw` and it
 * @returns the text to print; empty after any error, so that a Tab does nothing
 */
export async function completionLines(
  host: CompletionHost,
  [current = '', ...words]: readonly string[],
  source: NamedHelp,
): Promise<string> {
  const found = await complete(host, words, current, source).catch(() => []);
  if (found === 'files') return ':files\n';
  return found
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, meaning }) => `${value}\t${shortened(meaning)}\n`)
    .join('');
}

function shortened(text: string): string {
  return text.length > MAX_MEANING ? `${text.slice(0, MAX_MEANING - 1)}…` : text;
}

async function complete(
  host: CompletionHost,
  words: readonly string[],
  current: string,
  source: NamedHelp,
): Promise<Completion> {
  if (words[0] === 'help') return [...nextWords(words.slice(1), source), ...(await guides(words))];
  const found = findCommand(words, source.names);
  if (found.id === undefined) {
    const early = openFlag(readWords(words, USUAL_FLAGS).flags, USUAL_FLAGS);
    if (early) return valuesOf(host, ...early);
    const next = nextWords(wordsBeforeFlags(found.words), source);
    return [...next, ...(words.length === 0 ? BUILT_IN : [])];
  }
  const next = nextWords([...found.id.split(':'), ...wordsBeforeFlags(found.words)], source);
  const after = await inCommand(host, source.command(found.id), { words: found.words, current });
  return after === 'files' ? after : [...next, ...after];
}

const HELP: Suggestion = { value: '--help', meaning: 'Show help' };
const BUILT_IN: readonly Suggestion[] = [
  { value: 'help', meaning: 'Show help on a command or topic' },
  HELP,
  { value: '--version', meaning: 'Show the version' },
];

async function guides({ length }: readonly string[]): Promise<Suggestion[]> {
  if (length > 1) return [];
  const { GUIDES } = await import('../help/guides.ts');
  return Object.entries(GUIDES).map(([value, { summary }]) => ({ value, meaning: summary }));
}

/** @returns the words that may follow in a command's name */
function nextWords(path: readonly string[], { index }: NamedHelp): Suggestion[] {
  const start = path.map((word) => `${word}:`).join('');
  const found = new Map<string, string>();
  for (const [id, summary] of Object.entries(index.commands)) {
    if (!id.startsWith(start)) continue;
    const [word = '', ...rest] = id.slice(start.length).split(':');
    found.set(word, rest.length === 0 ? summary : (index.topics[start + word] ?? ''));
  }
  return [...found].map(([value, meaning]) => ({ value, meaning }));
}

/** @param typed the words after the command's name, and the one at the cursor */
async function inCommand(
  host: CompletionHost,
  command: CommandHelp,
  { words, current }: { words: readonly string[]; current: string },
): Promise<Completion> {
  const { flags, positionals } = readWords(words, command.flags);
  const open = openFlag(flags, command.flags);
  const values = async (name: string, flag: ValueHelp, typed: string): Promise<Completion> => {
    const found = await valuesOf(host, name, { choices: command.choices[name] ?? [], ...flag });
    const named = namedBy(command.id, name in command.flags ? `--${name}` : name);
    if (found.length > 0 || !named) return found;
    const profile = flags.findLast((given) => given.name === 'profile')?.value;
    const { namesInLedger } = await import('./from-ledger.ts');
    const known = await namesInLedger(host, named, typed, profile);
    return known.filter(({ value }) => !positionals.includes(value));
  };
  if (open) return values(...open, current);
  const [before = '', name = ''] = /^--([\w-]+)=/.exec(current) ?? [];
  const flag = command.flags[name];
  if (flag?.type === 'option') {
    const found = await values(name, flag, current.slice(before.length));
    if (found === 'files') return found;
    return found.map(({ value, meaning }) => ({ value: before + value, meaning }));
  }
  const names = Object.keys(command.args);
  const argument = names[positionals.length] ?? (command.strict ? undefined : names.at(-1));
  if (argument === undefined || current.startsWith('-')) return flagsOf(command, flags);
  // The argument of these commands is a profile, though some call it a name.
  const isProfile = command.id.startsWith('profile:');
  return values(isProfile ? 'profile' : argument, { helpValue: argument }, current);
}

/** @returns the name and the definition of the last flag, if its value comes next */
function openFlag(
  typed: readonly TypedFlag[],
  flags: FlagMap,
): [name: string, flag: OptionFlag] | undefined {
  const last = typed.at(-1);
  const flag = last?.value === undefined ? flags[last?.name ?? ''] : undefined;
  return last && flag?.type === 'option' ? [last.name, flag] : undefined;
}

/** The flags that can still be given, in the order of the help: rare ones last. */
function flagsOf(command: CommandHelp, typed: readonly TypedFlag[]): Suggestion[] {
  const given = new Set(
    typed.map(({ name }) => name).filter((name) => !command.flags[name]?.multiple),
  );
  const excluded = [...given].flatMap((name) => command.flags[name]?.exclusive ?? []);
  const flags = flagGroups(command)
    .flatMap((group) => group.flags)
    .filter(({ name }) => !given.has(name) && !excluded.includes(name))
    .flatMap(({ name, description, allowNo }) => [
      { value: `--${name}`, meaning: description },
      ...(allowNo ? [{ value: `--no-${name}`, meaning: description }] : []),
    ]);
  return [...flags, HELP];
}

type ValueHelp = Pick<OptionFlag, 'options' | 'choices' | 'helpValue'>;

/** @param name of a flag or an argument */
async function valuesOf(
  host: CompletionHost,
  name: string,
  { options, choices = [], helpValue = '' }: ValueHelp,
): Promise<Completion> {
  if (name === 'profile' || helpValue === '<profile>') {
    const { listProfiles } = await import('../../client/profiles/store.ts');
    const listed = await listProfiles(host.files);
    return listed.map(({ profile }) => ({ value: profile.name, meaning: profile.environment }));
  }
  if (/^<?file\b/.test(helpValue)) return 'files';
  if (name === 'time-zone') {
    // This machine's table lacks UTC, which gw takes too.
    const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
    return zones.map((value) => ({ value, meaning: '' }));
  }
  return (options ?? choices).map((value) => ({ value, meaning: '' }));
}
