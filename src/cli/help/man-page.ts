/**
 * Man pages, made at the build of the same definitions as the pages on a terminal: gw(1), one for each topic
 * with its commands, and one for each command without a topic. The form is that of man(7).
 */
import { asTyped, termsOf, usageOf } from './command-page.ts';
import { GUIDES } from './guides.ts';
import { type CommandHelp, type HelpSource, typed } from './help-data.ts';
import type { Entry, Part } from './layout.ts';
import { GROUPS } from './map.ts';

/** @returns the pages by the name of their file: `gw.1`, `gw-purchase.1` */
export function manPages(source: HelpSource, version: string): Map<string, string> {
  const ids = Object.keys(source.index.commands);
  const heads = [...new Set(ids.map((id) => id.split(':')[0] ?? ''))];
  return new Map([
    ['gw.1', mainPage(source, heads, version)],
    ...heads.map((head): [string, string] => [
      `gw-${head}.1`,
      headPage(
        head,
        ids.filter((id) => id === head || id.startsWith(`${head}:`)).map(source.command),
        { summary: source.index.commands[head] ?? source.index.topics[head] ?? head, version },
      ),
    ]),
  ]);
}

function mainPage({ index }: HelpSource, heads: readonly string[], version: string): string {
  const summaryOf = (head: string) => index.topics[head] ?? index.commands[head] ?? '';
  return page('gw', 'charge, refund and look up card payments', version, [
    heading('SYNOPSIS'),
    '.B gw',
    '.I COMMAND',
    '[FLAGS]',
    heading('COMMANDS'),
    ...GROUPS.flatMap(([, words]) => words)
      .filter((word) => heads.includes(word))
      .flatMap((word) => item([`gw ${word}`, `${summaryOf(word)}. See gw-${word}(1).`])),
    ...Object.values(GUIDES).flatMap(({ summary, parts }) => [
      heading(summary.toUpperCase()),
      ...parts.flatMap((part) => partLines(part, '.SS')),
    ]),
    heading('SEE ALSO'),
    heads.map((head) => `gw\\-${head}(1)`).join(',\n'),
  ]);
}

function headPage(
  head: string,
  commands: readonly CommandHelp[],
  { summary, version }: { summary: string; version: string },
): string {
  return page(`gw-${head}`, summary, version, [
    heading('SYNOPSIS'),
    ...commands.flatMap((command) => [`.B ${plain(usageOf(command))}`, '.br']).slice(0, -1),
    ...(commands.length === 1
      ? commands.flatMap((command) => commandLines(command, '.SH'))
      : commands.flatMap((command) => [
          heading(`gw ${typed(command.id)}`.toUpperCase()),
          `${plain(command.summary)}.`,
          ...commandLines(command, '.SS'),
        ])),
    heading('SEE ALSO'),
    '.BR gw (1)',
  ]);
}

function commandLines(command: CommandHelp, level: '.SH' | '.SS'): string[] {
  const { description, examples } = command;
  const parts = [
    { title: 'Description', text: description },
    ...termsOf(command),
    { title: 'Examples', commands: examples.map(asTyped) },
  ];
  return parts.flatMap((part) => partLines(part, level));
}

/** @returns the lines of a part in the form of man(7) */
function partLines({ title, text, commands = [], list = [] }: Part, level: '.SH' | '.SS') {
  return [
    `${level} ${quoted(level === '.SH' ? title.toUpperCase() : title)}`,
    ...(text ? [plain(text)] : []),
    ...(text && commands.length > 0 ? ['.PP'] : []),
    ...(commands.length > 0 ? ['.EX', ...commands.map(plain), '.EE'] : []),
    ...list.flatMap(item),
  ];
}

function page(name: string, summary: string, version: string, lines: readonly string[]): string {
  return [
    '.\\" Made by the build of gw from the definitions of its commands.',
    `.TH ${quoted(name.toUpperCase())} 1 ${quoted(`gw ${version}`)} ${quoted(`gw ${version}`)} "gw"`,
    heading('NAME'),
    `${plain(name)} \\- ${plain(summary)}`,
    ...lines,
    '',
  ].join('\n');
}

const heading = (text: string) => `.SH ${quoted(text)}`;

function item([term, meaning]: Entry): string[] {
  return ['.TP', `.B ${plain(term)}`, plain(meaning)];
}

const quoted = (text: string) => `"${plain(text).replaceAll('"', '\\(dq')}"`;

/** Text as roff shows it: no character of it is a request, an escape or another dash. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('…', '...')
    .replace(/^\./, '\\&.');
}
