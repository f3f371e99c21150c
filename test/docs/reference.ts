/**
 * The command reference, as Markdown: a page for each topic and each command without one, and an
 * index with the exit codes.
 */

import { EXIT_MEANINGS } from '../../src/cli/help/guides.ts';
import { EXIT_CODES, EXIT_DEFECT, type FailureKind } from '../../src/failure.ts';
import {
  type Arg,
  type Command,
  commands,
  description,
  examplesOf,
  type Flag,
  oclif,
  typed,
} from './manifest.ts';

/** The first line of every page that is written here, and of no other. */
export const MARK =
  '<!-- Written by `npm run docs` from the commands of src/commands: change those. -->';

const MEANINGS: Readonly<Record<FailureKind, string>> = {
  ...EXIT_MEANINGS,
  // A table has bars of its own.
  unread: EXIT_MEANINGS.unread.replace('|', '\\|'),
};

const END = '<!-- End of what is written. -->';

/**
 * @param text of a page of which a part is written here, between two marks
 * @param source file that the part is made of, which the first mark names
 * @returns the text with `fresh` for that part
 */
export function withPart(text: string, source: string, fresh: string): string {
  const begin = `<!-- Written by \`npm run docs\` from ${source}, up to the end mark: change that. -->`;
  const start = text.indexOf(begin);
  const end = text.indexOf(END, start);
  if (start === -1 || end === -1) throw new Error(`The marks of what ${source} says are not there`);
  return [text.slice(0, start + begin.length), fresh, text.slice(end)].join('\n\n');
}

/** What is written by hand beside these pages, in the order in which it is read. */
const OTHER_PAGES = [
  ['terminal.md', 'On a terminal', 'Where to begin, help, completion'],
  ['profiles-and-credentials.md', 'Profiles and credentials', 'Your own gateway, and its limits'],
  ['cookbook.md', 'Cookbook', 'Recipes: at the phone, on Monday, at the end of the month'],
  ['batches.md', 'Batches', 'Many refunds or purchases from a file, which may be run again'],
  ['webhooks.md', 'Webhooks', 'Received, shown, kept, passed on and sent again'],
  ['scripts.md', 'Scripts', 'Pipes, bodies, amounts, and errors that a program can read'],
  [
    'output.md',
    'Output',
    'Formats, columns, fields, `--jq`, and ids that go on to the next command',
  ],
  ['money-and-secrets.md', 'Money and secrets', 'What is never sent twice, shown or kept'],
  ['team.md', 'One ledger for a team', 'Several operators share one memory of what was sent'],
  ['where-things-are.md', 'Where gw keeps what', 'Its files on this machine'],
  ['data.md', 'Whose data it is', 'What is kept here, where, for how long, and how it is erased'],
  [
    'embedded-gateway.md',
    'The embedded gateway',
    'For integrators: dialects, clock, test cards, webhooks',
  ],
  ['interface.md', "The gateway's interface", 'What is sent and answered, section by section'],
  [
    'decisions.md',
    'What the interface leaves open',
    'How the embedded gateway, and gw, decide it, section by section',
  ],
  ['performance.md', 'Performance', 'How fast it is, and beside what'],
] as const;

/** @returns each page by the name of its file */
export function referencePages(): Map<string, string> {
  const all = commands;
  const topics = [...new Set(all.map(topicOf))].sort();
  return new Map([
    ['README.md', page(indexPage(topics, all))],
    ...topics.map((topic): [string, string] => {
      const own = all.filter((command) => topicOf(command) === topic);
      return [`${topic}.md`, page(topicPage(topic, own))];
    }),
  ]);
}

/** @returns the usage as the help shows it: `gw purchase get ID... [FLAGS]` */
export function usageOf(command: Command): string {
  const args = Object.values(command.args).map((arg) => {
    const name = argName(command, arg);
    return arg.required ? name : `[${name}]`;
  });
  const flags = Object.keys(command.flags).length > 0 ? ['[FLAGS]'] : [];
  return [typed(command), ...args, ...flags].join(' ');
}

const topicOf = ({ id }: Command) => id.split(':')[0] ?? id;
const argName = ({ strict }: Command, { name }: Arg) =>
  `${name.toUpperCase()}${strict === false ? '...' : ''}`;
const page = (blocks: string[]) => `${[MARK, ...blocks].join('\n\n')}\n`;
export const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

function indexPage(topics: string[], all: Command[]): string[] {
  const rows = all.map((command) => [
    `[\`${typed(command)}\`](${topicOf(command)}.md#${anchorOf(command)})`,
    summaryOf(command),
  ]);
  const codes: [number, string][] = [
    [0, 'Done'],
    [EXIT_DEFECT, 'A defect in gw'],
    ...Object.entries(EXIT_CODES).map(([kind, code]): [number, string] => [
      code,
      MEANINGS[kind as FailureKind],
    ]),
  ];
  const described = topics.filter((topic) => oclif.topics[topic]);
  return [
    '# All pages',
    `${description}. [README](../README.md) is the page to begin with.`,
    '## Guides',
    table(
      ['page', 'what it is about'],
      OTHER_PAGES.map(([name, title, subject]) => [`[${title}](${name})`, subject]),
    ),
    '## Topics',
    'A page for each command, or for the commands of a topic; `gw COMMAND --help` shows the same in the terminal.',
    table(
      ['topic', 'what it is about'],
      described.map((topic) => [
        `[\`gw ${topic}\`](${topic}.md)`,
        oclif.topics[topic]?.description ?? '',
      ]),
    ),
    '## Commands',
    table(['command', 'what it does'], rows),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      codes.map(([code, meaning]) => [String(code), meaning]),
    ),
  ];
}

function topicPage(topic: string, own: Command[]): string[] {
  const head = oclif.topics[topic];
  if (!head) return own.flatMap((command) => [`# ${typed(command)}`, ...commandBlocks(command)]);
  return [
    `# gw ${topic}`,
    `${head.description}.`,
    own
      .map((command) => `- [\`${typed(command)}\`](#${anchorOf(command)}): ${summaryOf(command)}`)
      .join('\n'),
    ...own.flatMap((command) => [`## ${typed(command)}`, ...commandBlocks(command)]),
  ];
}

/** GitHub's anchor of the command's heading. */
const anchorOf = (command: Command) => typed(command).replaceAll(' ', '-');

/** Without a summary, oclif takes the first line of the description for it. */
function summaryOf({ summary, description = '' }: Command): string {
  return summary ?? description.replace(/\.?(?:\n.*)?$/s, '');
}

function commandBlocks(command: Command): string[] {
  const { summary, description, args, flags } = command;
  const groups = [...new Set(Object.values(flags).map(({ helpGroup }) => helpGroup))];
  return [
    ...(summary ? [`${summary}.`] : []),
    shell([usageOf(command)]),
    ...(description ? [description] : []),
    ...list('Arguments', Object.values(args), (arg) => argLine(command, arg)),
    ...groups.flatMap((group) => {
      const own = Object.values(flags).filter(({ helpGroup }) => helpGroup === group);
      const name = group ? `${group.charAt(0)}${group.slice(1).toLowerCase()} flags` : 'Flags';
      return list(name, own, flagLine);
    }),
    '**Examples**',
    shell(examplesOf(command)),
  ];
}

const shell = (lines: string[]) => ['```sh', ...lines, '```'].join('\n');

function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0
    ? []
    : [`**${title}**`, items.map((item) => `- ${line(item)}`).join('\n')];
}

function argLine(command: Command, arg: Arg): string {
  return [`\`${argName(command, arg)}\`:`, sentence(arg.description), ...choices(arg)].join(' ');
}

/** Some descriptions say so themselves. */
const REPEATED = 'May be repeated.';

function flagLine(flag: Flag): string {
  const value = flag.type === 'option' ? ` ${flag.helpValue ?? '<option>'}` : '';
  const name = `--${flag.allowNo ? '[no-]' : ''}${flag.name}${value}`;
  return [
    `\`${flag.char ? `-${flag.char}, ` : ''}${name}\`:`,
    sentence(flag.description),
    ...(flag.required ? ['Required.'] : []),
    ...(flag.multiple && !flag.description?.includes(REPEATED) ? [REPEATED] : []),
    ...choices(flag),
  ].join(' ');
}

const sentence = (text = '') => (/[.!?]$/.test(text) ? text : `${text}.`);

function choices({ options, default: preset }: Pick<Flag, 'options' | 'default'>): string[] {
  return [
    ...(options ? [`One of ${options.map((option) => `\`${option}\``).join(', ')}.`] : []),
    ...(preset === undefined ? [] : [`Default: \`${String(preset)}\`.`]),
  ];
}
