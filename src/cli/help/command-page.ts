/** The page of a command: what it does, an example, its usage, its flags, and then the details. */
import { flagGroups, flagMeaning, flagTerm, isCommon } from './flag-groups.ts';
import { type CommandHelp, commandWords } from './help-data.ts';
import {
  commandLines,
  type Entry,
  type Part,
  paragraph,
  partLines,
  type Style,
  section,
} from './layout.ts';

/**
 * @param below the commands whose names begin with that of the command
 * @returns the lines of the page
 */
export function commandPage(command: CommandHelp, below: readonly Entry[], style: Style): string[] {
  const examples = command.examples.map(asTyped);
  const details = { title: 'Details', paragraphs: command.description.split('\n\n') };
  const more = { title: 'More examples', commands: examples.slice(1) };
  return [
    ...paragraph(`${command.summary}.`, style.width),
    '',
    ...commandLines(examples.slice(0, 1), style),
    ...section('Usage', [`  ${usageOf(command)}`], style),
    ...[...partsOf(command, below), details, more].flatMap((part) => partLines(part, style)),
  ];
}

/** @returns what a command takes and prints, for its page of help and its manual page */
export function partsOf(command: CommandHelp, below: readonly Entry[]): Part[] {
  return [
    { title: 'Commands', list: below },
    ...termsOf(command),
    { title: 'Common flags', text: commonFlags(command) },
    { title: 'Fields for --json and --fields', text: command.fields.join(', ') },
  ];
}

/** @returns the arguments of a command, if it has any, and its flags in groups */
function termsOf(command: CommandHelp): Part[] {
  const args = Object.entries(command.args).map(
    ([name, { description }]): Entry => [argName(command, name), description],
  );
  const groups = flagGroups(command).map(({ title, flags }) => {
    const own = flags.filter((flag) => !isCommon(flag));
    return { title, list: own.map((flag): Entry => [flagTerm(flag), flagMeaning(flag)]) };
  });
  return args.length > 0 ? [{ title: 'Arguments', list: args }, ...groups] : groups;
}

/** @returns a sentence that names the flags which the guide explains; empty if the command has none of them */
function commonFlags({ flags }: CommandHelp): string {
  const names = Object.values(flags)
    .filter(isCommon)
    .map(({ name, char }) => (char ? `-${char}` : `--${name}`));
  return names.length > 0 ? `${names.join(', ')}. \`gw help flags\` explains them.` : '';
}

/** @returns `gw purchase get ID... [FLAGS]` */
export function usageOf(command: CommandHelp): string {
  const args = Object.keys(command.args).map((name) => argName(command, name));
  const flags = Object.keys(command.flags).length > 0 ? ['[FLAGS]'] : [];
  return ['gw', commandWords(command.id), ...args, ...flags].join(' ');
}

/** @returns `ID`; `ID...` if it may be repeated; in brackets if it may be left out */
function argName({ args, strict }: CommandHelp, name: string): string {
  const isLast = name === Object.keys(args).at(-1);
  const shown = `${name.toUpperCase()}${!strict && isLast ? '...' : ''}`;
  return args[name]?.required ? shown : `[${shown}]`;
}

/** @returns an example as it is typed, without the `$ ` of a prompt */
export const asTyped = (example: string) => example.replace(/^\$ /, '');
