/** What a command line asks to be completed: which command it is, and what stands at the cursor. */
import type { CommandHelp, HelpFlag, HelpSource } from '../help/help-data.ts';

export type Place =
  /** The next word of a command's name. @prop path the words so far */
  | { kind: 'command'; path: readonly string[]; isHelp: boolean }
  | { kind: 'flag'; command: CommandHelp; given: ReadonlySet<string> }
  /** @prop before what stands before the value in the same word: `--output=` */
  | {
      kind: 'value';
      command: CommandHelp;
      flag: HelpFlag;
      before: string;
      profile?: string | null | undefined;
    }
  | { kind: 'argument'; command: CommandHelp; name: string; profile?: string | null | undefined }
  /** The value of a flag before the command. */
  | { kind: 'early'; flag: string }
  | { kind: 'nothing' };

/** Flags that people put before the command, and that take a value. */
const EARLY_OPTIONS: Readonly<Record<string, string>> = {
  '-p': 'profile',
  '--profile': 'profile',
  '-o': 'output',
  '--output': 'output',
  '--timeout': 'timeout',
  '--fields': 'fields',
};

/**
 * @param words what was typed after `gw`, up to the word at the cursor
 * @param current the word at the cursor, up to it
 */
export function placeOf(words: readonly string[], current: string, source: HelpSource): Place {
  const ids = Object.keys(source.index.commands);
  const isHelp = words[0] === 'help';
  const start = isHelp ? 1 : earlyWords(words);
  if (start > words.length) {
    return { kind: 'early', flag: EARLY_OPTIONS[words.at(-1) ?? ''] ?? '' };
  }
  const path: string[] = [];
  for (const word of words.slice(start)) {
    const id = [...path, word].join(':');
    if (!ids.some((known) => known === id || known.startsWith(`${id}:`))) break;
    path.push(word);
  }
  const rest = words.slice(start + path.length);
  const id = path.join(':');
  if (!ids.includes(id)) {
    return rest.length > 0 ? { kind: 'nothing' } : { kind: 'command', path, isHelp };
  }
  if (isHelp) return { kind: 'nothing' };
  return placeInCommand(source.command(id), words, rest, current);
}

/** @returns how many words come before the command; one more than there are where a value is due */
function earlyWords(words: readonly string[]): number {
  let at = 0;
  while (words[at]?.startsWith('-')) at += Object.hasOwn(EARLY_OPTIONS, words[at] ?? '') ? 2 : 1;
  return at;
}

function placeInCommand(
  command: CommandHelp,
  all: readonly string[],
  rest: readonly string[],
  current: string,
): Place {
  const { given, positionals, open, isOver } = readWords(command, rest);
  const profile = given.has('all-profiles') ? null : profileOf(all);
  if (open) return { kind: 'value', command, flag: open, before: '', profile };
  const [, name = ''] = (isOver ? null : /^--([\w-]+)=/.exec(current)) ?? [];
  const flag = command.flags[name];
  if (flag?.type === 'option') {
    return { kind: 'value', command, flag, before: `--${name}=`, profile };
  }
  if (current.startsWith('-') && !isOver) return { kind: 'flag', command, given };
  const names = Object.keys(command.args);
  const argument = names[positionals] ?? (command.strict ? undefined : names.at(-1));
  if (argument !== undefined) return { kind: 'argument', command, name: argument, profile };
  return isOver ? { kind: 'nothing' } : { kind: 'flag', command, given };
}

/** What of a command stands in its words. @prop open the flag whose value is next */
function readWords({ flags }: CommandHelp, words: readonly string[]) {
  const end = words.indexOf('--');
  const given = new Set<string>();
  let positionals = end === -1 ? 0 : words.length - end - 1;
  let open: HelpFlag | undefined;
  for (const word of words.slice(0, end === -1 ? undefined : end)) {
    const flag = open || !isFlag(word) ? undefined : flagOf(flags, word);
    if (!open && !isFlag(word)) positionals++;
    if (flag && !flag.multiple) given.add(flag.name);
    open = takesNext(flag, word) ? flag : undefined;
  }
  return { given, positionals, open, isOver: end !== -1 };
}

const takesNext = (flag: HelpFlag | undefined, word: string) =>
  flag?.type === 'option' && !hasValue(word);

const isFlag = (word: string) => word.startsWith('-') && word !== '-';

/** `--output=json`, `-ojson` */
const hasValue = (word: string) => word.includes('=') || /^-\w./.test(word);

function flagOf(flags: CommandHelp['flags'], word: string): HelpFlag | undefined {
  const name = /^--(?:no-)?([\w-]+)/.exec(word)?.[1];
  if (name !== undefined) return flags[/^--([\w-]+)/.exec(word)?.[1] ?? ''] ?? flags[name];
  return Object.values(flags).find(({ char }) => char !== undefined && word.startsWith(`-${char}`));
}

function profileOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '-p' || word === '--profile');
  if (at !== -1) return words[at + 1];
  return words.find((word) => word.startsWith('--profile='))?.slice('--profile='.length);
}
