/** The page of a command: what it does, an example, how it is typed, its flags, and then the details. */
import { flagGroups, flagMeaning, flagTerm } from './flag-groups.ts';
import { type CommandHelp, typed } from './help-data.ts';
import { commandLines, paragraph, type Style, section, termSection } from './layout.ts';

/** @returns the lines of the page */
export function commandPage(command: CommandHelp, style: Style): string[] {
  const { summary, description, args, examples } = command;
  const [first, ...others] = examples.map(asTyped);
  return [
    ...paragraph(`${summary}.`, style.width),
    '',
    ...commandLines(first === undefined ? [] : [first], style),
    ...section('Usage', [`  ${usageOf(command)}`], style),
    ...termSection(
      'Arguments',
      Object.keys(args).map((name) => [argName(command, name), args[name]?.description ?? '']),
      style,
    ),
    ...flagGroups(command).flatMap(({ title, flags }) =>
      termSection(
        title,
        flags.map((flag) => [flagTerm(flag), flagMeaning(flag)]),
        style,
      ),
    ),
    ...section('Details', paragraph(description, style.width, 2), style),
    ...section('More examples', commandLines(others, style), style),
  ];
}

/** @returns `gw purchase get ID... [FLAGS]` */
export function usageOf(command: CommandHelp): string {
  const args = Object.keys(command.args).map((name) => argName(command, name));
  const flags = Object.keys(command.flags).length > 0 ? ['[FLAGS]'] : [];
  return ['gw', typed(command.id), ...args, ...flags].join(' ');
}

/** @returns `ID`, `ID...` where it may come several times, in brackets where it may be left out */
export function argName({ args, strict }: CommandHelp, name: string): string {
  const isLast = name === Object.keys(args).at(-1);
  const shown = `${name.toUpperCase()}${!strict && isLast ? '...' : ''}`;
  return args[name]?.required ? shown : `[${shown}]`;
}

/** @returns an example as it is typed, without the `$ ` of a prompt */
export const asTyped = (example: string) => example.replace(/^\$ /, '');
