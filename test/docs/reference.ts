/**
 * The command reference, as Markdown: a page for each topic and each command without one, with the pages of help; one
 * page for the flags that many commands share; and an index with the exit codes.
 */
import { readFileSync } from 'node:fs';
import { flagGroups, flagMeaning, flagTerm, isCommon } from '../../src/cli/help/flag-groups.ts';
import { EXIT_MEANINGS } from '../../src/cli/help/guides.ts';
import {
  type CommandHelp,
  commandWords,
  type HelpFlag,
  type HelpSource,
} from '../../src/cli/help/help-data.ts';
import { helpText } from '../../src/cli/help/show-help.ts';
import { EXIT_DEFECT } from '../../src/failure.ts';
import { EXIT_CODES, FAILURE_GROUPS, type FailureKind } from '../../src/failure-codes.ts';
import { plainStyle } from '../helpers/help.ts';

/** Cells of the widest page of help. */
const WIDTH = 100;

/** Help data of the built program. */
const source: HelpSource = {
  index: JSON.parse(readFileSync('dist/help/index.json', 'utf8')),
  recipes: () => [],
  command: (id) =>
    JSON.parse(readFileSync(`dist/help/commands/${id.replaceAll(':', '/')}.json`, 'utf8')),
};

/** A flag that means the same in this many commands is explained on one page, with those that help calls common. */
const SHARED_BY = 4;
const FLAGS_PAGE = 'flags.md';

const ERRORS_PAGE = 'errors.md';
const ERRORS_MARK = '<!-- Written by `npm run docs` from src/failure-codes.ts: change that. -->';

/** The shared flags, by term and meaning. */
const shared = sharedFlags(Object.keys(source.index.commands).map((id) => source.command(id)));

/** Help data without the shared flags. */
const ownSource: HelpSource = {
  ...source,
  command: (id) => {
    const command = source.command(id);
    const own = Object.entries(command.flags).filter(([, flag]) => !isShared(flag));
    return { ...command, flags: Object.fromEntries(own) };
  },
};

/** The first line of every page that is written here, and of no other. */
export const MARK =
  '<!-- Written by `npm run docs` from the commands of src/commands: change those. -->';

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

/** The pages that people write, in the order in which they are read. */
const OTHER_PAGES = [
  ['terminal.md', 'On a terminal', 'Where to begin, questions, completion'],
  ['profiles-and-credentials.md', 'Profiles and credentials', 'Your own gateway, and its limits'],
  ['cookbook.md', 'Cookbook', 'Recipes: at the phone, on Monday, at the end of the month'],
  ['bookkeeping.md', 'Into the books', 'A month in hledger, ledger, beancount and GnuCash'],
  ['batches.md', 'Batches', 'Many requests from a file'],
  ['webhooks.md', 'Webhooks', 'Receive, pass on, send again'],
  ['scripts.md', 'Scripts', 'Pipes, bodies, errors'],
  ['output.md', 'Output', 'Formats, fields, columns, `--jq`'],
  ['money-and-secrets.md', 'Money and secrets', 'What gw never sends twice, shows or stores'],
  ['team.md', 'One ledger for a team', 'Several operators share a ledger on a server'],
  ['data.md', 'What gw keeps', 'Its files, and how to delete or move them'],
  ['assistants.md', 'Assistants', 'A language model looks things up and proposes, and never pays'],
  ['test-gateway.md', 'The built-in test gateway', 'Test cards, dialects, clock'],
  ['interface.md', "The gateway's interface", 'Requests and answers, section by section'],
  [
    'interface-decisions.md',
    'Interface decisions',
    'What the interface leaves open, and what gw decided',
  ],
  [
    'technical-decisions.md',
    'Technical decisions',
    "What was decided about gw's code, and what it costs",
  ],
  ['performance.md', 'Performance', 'How fast gw is'],
] as const;

/** @returns each page by the name of its file */
export function referencePages(): Map<string, string> {
  const ids = Object.keys(source.index.commands);
  const heads = [...new Set(ids.map(headOf))];
  return new Map([
    ['README.md', page(indexPage(ids))],
    [FLAGS_PAGE, page(flagsPage())],
    [ERRORS_PAGE, `${[ERRORS_MARK, ...errorsPage()].join('\n\n')}\n`],
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
/** @returns a text in which a bar does not end the cell of a table */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

const page = (blocks: string[]) => `${[MARK, ...blocks].join('\n\n')}\n`;

/** @returns a table of Markdown */
export const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** @returns terms with their meanings */
const list = (entries: readonly (readonly [term: string, meaning: string])[]) =>
  entries.map(([term, meaning]) => `- ${term}: ${meaning}`).join('\n');

function indexPage(ids: readonly string[]): string[] {
  const codes: [number, string][] = [
    [0, 'Done'],
    [EXIT_DEFECT, 'A defect in gw'],
    ...Object.entries(EXIT_CODES).map(([kind, code]): [number, string] => [
      code,
      EXIT_MEANINGS[kind as FailureKind],
    ]),
  ];
  return [
    '# All pages',
    'Begin with the [README](../README.md).',
    '## Guides',
    list(OTHER_PAGES.map(([name, title, subject]) => [`[${title}](${name})`, subject])),
    '## Commands',
    `The pages have what \`gw help COMMAND\` shows, without fields, some examples, and [the flags that many commands share](${FLAGS_PAGE}).`,
    list(
      [...new Set(ids.map(headOf))].map((head) => [
        `[\`gw ${head}\`](${head}.md)`,
        source.index.commands[head] ?? source.index.topics[head] ?? '',
      ]),
    ),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      codes.map(([code, meaning]) => [String(code), inCell(meaning)]),
    ),
    `[Errors](${ERRORS_PAGE}) has the code of each cause.`,
  ];
}

/** The codes of all failures, by the exit code that they usually have. */
function errorsPage(): string[] {
  const sections = Object.entries(EXIT_CODES).flatMap(([kind, exit]) => {
    const codes = FAILURE_GROUPS.filter((group) => group.kind === kind)
      .flatMap((group) => Object.entries(group.codes))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      `## Exit ${exit}: \`${kind}\``,
      table(
        ['code', 'meaning'],
        codes.map(([code, meaning]) => [`\`${code}\``, inCell(meaning)]),
      ),
    ];
  });
  return [
    '# Errors',
    'An error in JSON has a `code`, which stays the same when the words change ([Scripts](scripts.md#errors)). A cause has the exit code of its section, with three exceptions: before a request is sent, every failure of the ledger is a refusal (exit 10); a failure about several records or lines has the exit code of the first or of its reason; and where credentials are read, every failure is one of credentials (exit 3).',
    'A defect in gw has the code `defect` (exit 1).',
    ...sections,
  ];
}

function entryOf(flag: HelpFlag): string {
  return `${flagTerm(flag)}\n${flagMeaning(flag)}`;
}

/** @returns the flags that mean the same everywhere, and those that as many commands have, by term and meaning */
function sharedFlags(all: readonly CommandHelp[]): Map<string, HelpFlag> {
  const flags = all.flatMap((command) => Object.values(command.flags));
  const counts = new Map<string, { flag: HelpFlag; count: number }>();
  for (const flag of flags) {
    const count = (counts.get(entryOf(flag))?.count ?? 0) + 1;
    counts.set(entryOf(flag), { flag, count });
  }
  const rarestFirst = [...counts].sort(([, a], [, b]) => a.count - b.count);
  return new Map(
    rarestFirst
      .filter(([, { flag, count }]) => isCommon(flag) || count >= SHARED_BY)
      .map(([entry, { flag }]) => [entry, flag]),
  );
}

function isShared(flag: HelpFlag): boolean {
  return shared.has(entryOf(flag));
}

function flagsPage(): string[] {
  const groups = flagGroups({ flags: Object.fromEntries(shared) });
  return [
    '# Flags that many commands share',
    '`gw help COMMAND` names the flags that a command takes.',
    ...groups.flatMap(({ title, flags }) => [
      `## ${title}`,
      list(flags.map((flag) => [`\`${flagTerm(flag)}\``, flagMeaning(flag)])),
    ]),
  ];
}

/** @param ids of the commands that begin with the word */
function headPage(head: string, ids: readonly string[]): string[] {
  const below = ids.filter((id) => id !== head);
  const links = below.map((id) => {
    const name = commandWords(id).slice(head.length + 1);
    return `[${name}](#gw-${id.replaceAll(':', '-')})`;
  });
  const toldOnce = sharedDetails(ids);
  const flags = ids
    .map(sharedFlagsOf)
    .reduce((some, more) => some.filter((flag) => more.includes(flag)));
  const ofAll = ids.length > 1 ? flags : [];
  const hasProfile = ids.some((id) =>
    source.command(id).examples.some((line) => line.search(PROFILE) >= 0),
  );
  return [
    `# gw ${head}`,
    ...(ids.includes(head) ? helpOf(head, toldOnce, ofAll) : [`${source.index.topics[head]}.`]),
    ...(links.length > 0 ? [links.join(' · ')] : []),
    ...(ofAll.length > 0 ? [`Each command also takes ${ofAll.join(', ')}.`] : []),
    ...(hasProfile ? ['The examples need `export GW_PROFILE=local`.'] : []),
    ...[...toldOnce].map(([names, texts]) =>
      names === namesOf(ids)
        ? texts.join('\n\n')
        : [`${names}:`, texts.map((text) => `- ${text}`).join('\n')].join('\n\n'),
    ),
    ...below.flatMap((id) => [`## gw ${commandWords(id)}`, ...helpOf(id, toldOnce, ofAll)]),
  ];
}

/** @returns the paragraphs of a command's description */
const detailsOf = (id: string) =>
  source
    .command(id)
    .description.split('\n\n')
    .map((text) => text.trim());

/** @returns commands as a sentence names them: `report day`, `report week` */
const namesOf = (ids: readonly string[]) => ids.map((id) => `\`${commandWords(id)}\``).join(', ');

/** @returns the paragraphs that several commands have, by the names of these commands */
function sharedDetails(ids: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const text of new Set(ids.flatMap(detailsOf))) {
    const having = ids.filter((id) => detailsOf(id).includes(text));
    if (having.length === 1) continue;
    const names = namesOf(having);
    found.set(names, [...(found.get(names) ?? []), text]);
  }
  return found;
}

/** The heading has the command, and the arguments follow in order. */
const USAGE = /^Usage\n.*\n\n?/m;
/** The first example, the rest of the page, and the other examples. */
const MORE_EXAMPLES = /^([^\n]*\n\n(?: {2}[^\n]*\n)+)(.*)\nMore examples\n(.*)/s;
const PROFILE = / (?:--profile|-p) local\b/g;
const MOST_EXAMPLES = 2;

/**
 * @param toldOnce details that the page says of several commands
 * @param ofAll shared flags that the page names for all of its commands
 * @returns the help of a command without these, its usage and its fields, and the shared flags that it takes
 */
function helpOf(
  id: string,
  toldOnce: ReadonlyMap<string, readonly string[]>,
  ofAll: readonly string[],
): string[] {
  const elsewhere = new Set([...toldOnce.values()].flat());
  const own: HelpSource = {
    ...source,
    command: (name) => {
      const command = ownSource.command(name);
      const examples = command.examples.slice(0, MOST_EXAMPLES);
      const description = detailsOf(name).filter((text) => !elsewhere.has(text));
      return {
        ...command,
        examples: examples.map((line) => line.replace(PROFILE, '')),
        description: description.join('\n\n'),
        fields: [],
      };
    },
  };
  const text = (helpText(id.split(':'), own, plainStyle(WIDTH)) ?? '')
    .replace(USAGE, '')
    .replace(MORE_EXAMPLES, '$1$3$2');
  const block = `\`\`\`text\n${text}\`\`\``;
  const flags = sharedFlagsOf(id).filter((flag) => !ofAll.includes(flag));
  return flags.length === 0 ? [block] : [block, `Also: ${flags.join(', ')}.`];
}

/** @returns the shared flags of a command, besides the common ones: a whole group by its name */
function sharedFlagsOf(id: string): string[] {
  const own = Object.values(source.command(id).flags).filter(isShared);
  return flagGroups({ flags: Object.fromEntries(shared) }).flatMap(({ title, flags }) => {
    const group = flags.filter((flag) => !isCommon(flag));
    const taken = group.filter((flag) => own.some((one) => entryOf(one) === entryOf(flag)));
    const [missing, ...others] = group.filter((flag) => !taken.includes(flag));
    const link = `[${title.toLowerCase()}](${FLAGS_PAGE}#${title.toLowerCase().replaceAll(' ', '-')})`;
    if (group.length > 1 && missing === undefined) return [link];
    if (taken.length > 3 && others.length === 0) return [`${link} without \`--${missing?.name}\``];
    return taken.map(({ name }) => `[\`--${name}\`](${FLAGS_PAGE})`);
  });
}
