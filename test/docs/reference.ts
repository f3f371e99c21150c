/**
 * The command reference, as Markdown: the pages of help as they are, a page for each topic and each command without
 * one, and an index with the exit codes.
 */
import { readFileSync } from 'node:fs';
import { EXIT_MEANINGS } from '../../src/cli/help/guides.ts';
import { type HelpSource, typed } from '../../src/cli/help/help-data.ts';
import { helpText } from '../../src/cli/help/show-help.ts';
import { EXIT_CODES, EXIT_DEFECT, type FailureKind } from '../../src/failure.ts';
import { plainStyle } from '../helpers/help.ts';
import { description } from './manifest.ts';

/** Cells of the widest page of help. */
const WIDTH = 100;

/** Help data of the built program. */
const source: HelpSource = {
  index: JSON.parse(readFileSync('dist/help/index.json', 'utf8')),
  command: (id) =>
    JSON.parse(readFileSync(`dist/help/commands/${id.replaceAll(':', '/')}.json`, 'utf8')),
};

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
  const ids = Object.keys(source.index.commands);
  const heads = [...new Set(ids.map(headOf))];
  return new Map([
    ['README.md', page(indexPage(ids))],
    ...heads.map((head): [string, string] => [
      `${head}.md`,
      page(
        headPage(
          head,
          ids.filter((id) => headOf(id) === head),
        ),
      ),
    ]),
  ]);
}

const headOf = (id: string) => id.split(':')[0] ?? id;
const page = (blocks: string[]) => `${[MARK, ...blocks].join('\n\n')}\n`;
export const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

function indexPage(ids: readonly string[]): string[] {
  const codes: [number, string][] = [
    [0, 'Done'],
    [EXIT_DEFECT, 'A defect in gw'],
    ...Object.entries(EXIT_CODES).map(([kind, code]): [number, string] => [
      code,
      MEANINGS[kind as FailureKind],
    ]),
  ];
  return [
    '# All pages',
    `${description}. [README](../README.md) is the page to begin with.`,
    '## Guides',
    table(
      ['page', 'what it is about'],
      OTHER_PAGES.map(([name, title, subject]) => [`[${title}](${name})`, subject]),
    ),
    '## Commands',
    'These pages are what `gw help COMMAND` shows.',
    table(
      ['command', 'what it does'],
      ids.map((id) => [
        `[\`gw ${typed(id)}\`](${headOf(id)}.md#gw-${id.replaceAll(':', '-')})`,
        source.index.commands[id] ?? '',
      ]),
    ),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      codes.map(([code, meaning]) => [String(code), meaning]),
    ),
  ];
}

/** @param ids of the commands that begin with the word */
function headPage(head: string, ids: readonly string[]): string[] {
  const below = ids.filter((id) => id !== head);
  return [
    `# gw ${head}`,
    helpOf(head),
    ...below.flatMap((id) => [`## gw ${typed(id)}`, helpOf(id)]),
  ];
}

function helpOf(id: string): string {
  const text = helpText(id.split(':'), source, plainStyle(WIDTH)) ?? '';
  return `\`\`\`text\n${text}\`\`\``;
}
