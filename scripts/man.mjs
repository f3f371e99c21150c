/**
 * Makes the manual pages from the data of help: one for gw, one for each topic and one for each command. `npm i -g`
 * puts them where `man` finds them (`man` in package.json).
 *
 * The pages are man(7): groff_man(7) and mandoc's man(7) say what both take.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** @typedef {import('../src/cli/help/layout.ts').Part} Part */
/** @typedef {import('../src/cli/help/help-data.ts').HelpSource} HelpSource */
/** @typedef {Awaited<ReturnType<typeof loadHelp>>} Help */
/** @typedef {{ version: string, released: string }} Release of gw; `released` is a date, or empty */

const HELP = ['command-page', 'guides', 'help-data', 'layout', 'map'];
const EXAMPLE_WIDTH = 72;
const ABOUT = 'charge, refund and look up card payments';

/**
 * @param {HelpSource} source
 * @param {Release} release
 * @returns {Promise<Map<string, string>>} each page by the name of its file
 */
export async function manualPages(source, release) {
  const help = await loadHelp();
  const { commands, topics } = source.index;
  const ids = [...new Set([...Object.keys(topics), ...Object.keys(commands)])].sort();
  /** @param {string} id @returns {[string, string][]} the pages of the commands below it, with their summaries */
  const below = (id) =>
    help.namesBelow(id, source.index).map((name) => [`${pageName(name)}(1)`, commands[name] ?? '']);
  /** @param {string} id */
  const pageOf = (id) => {
    if (!Object.hasOwn(commands, id))
      return [
        ...head(id, topics[id] ?? '', release),
        ...synopsis(`gw ${words(id)} COMMAND`),
        ...section({ title: 'Commands', list: below(id) }),
        ...seeAlso(id, ids),
      ];
    const command = source.command(id);
    return [
      ...head(id, command.summary, release),
      ...synopsis(help.usageOf(command)),
      ...section({ title: 'Description', paragraphs: command.description.split('\n\n') }),
      ...help.partsOf(command, below(id)).flatMap((part) => section(part)),
      ...section({ title: 'Examples', commands: lines(help, command.examples.map(help.asTyped)) }),
      ...seeAlso(id, ids),
    ];
  };
  const groups = help.GROUPS.map(([title, names]) => ({
    title,
    list: names.map(
      (name) =>
        /** @type {const} */ ([`${pageName(name)}(1)`, topics[name] ?? commands[name] ?? '']),
    ),
  }));
  const map = [
    ...head('', ABOUT, release),
    ...synopsis('gw COMMAND [FLAGS]'),
    '.SH COMMANDS',
    ...groups.flatMap((part) => section(part, '.SS')),
    ...guides(help),
  ];
  /** @type {[string, string[]][]} */
  const pages = [
    ['', map],
    ...ids.map((id) => /** @type {[string, string[]]} */ ([id, pageOf(id)])),
  ];
  return new Map(pages.map(([id, page]) => [`${pageName(id)}.1`, `${page.join('\n')}\n`]));
}

/** @param {Help} help @returns {string[]} the guides, which stand in the page of gw */
function guides(help) {
  return Object.entries(help.GUIDES).flatMap(([name, { summary, parts }]) => [
    `.SH "${name.toUpperCase().replaceAll('-', ' ')}"`,
    ...text(`${summary}.`),
    ...parts.flatMap(({ commands: examples = [], ...part }) =>
      section({ ...part, commands: lines(help, examples) }, '.SS'),
    ),
  ]);
}

/** Bundles those files of `src` that know what a page of help has: Node 20 runs no TypeScript. */
async function loadHelp() {
  const folder = mkdtempSync(join(tmpdir(), 'gw-help-'));
  const from = HELP.map((name) => `export * from './src/cli/help/${name}.ts';`).join('\n');
  const entry = join(process.cwd(), 'help.entry.ts');
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [
      {
        name: 'help',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? from : undefined),
      },
    ],
  });
  try {
    await bundle.write({ file: join(folder, 'help.mjs'), codeSplitting: false });
    /** @type {typeof import('../src/cli/help/command-page.ts') & typeof import('../src/cli/help/guides.ts') & typeof import('../src/cli/help/help-data.ts') & typeof import('../src/cli/help/layout.ts') & typeof import('../src/cli/help/map.ts')} */
    return await import(pathToFileURL(join(folder, 'help.mjs')).href);
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} id */
const words = (id) => id.replaceAll(':', ' ');
/** @param {string} id of a command or a topic; empty for gw itself */
const pageName = (id) => (id === '' ? 'gw' : `gw-${id.replaceAll(':', '-')}`);

/**
 * @param {string} id
 * @param {string} summary
 * @param {Release} release
 */
function head(id, summary, { version, released }) {
  const name = pageName(id);
  return [
    `.TH ${escaped(name.toUpperCase())} 1 "${released}" "gw ${escaped(version)}" "Manual of gw"`,
    // A command is copied from the page: no line breaks a word of it, or widens its spaces.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
  ];
}

/** @param {string} usage */
function synopsis(usage) {
  return ['.SH SYNOPSIS', ...text(usage)];
}

/**
 * @param {Part} part
 * @param {'.SH' | '.SS'} heading
 * @returns {string[]} its lines; none if it has no content
 */
function section(
  { title, text: sentence = '', paragraphs = [], commands = [], list = [] },
  heading = '.SH',
) {
  const said = [...(sentence ? [sentence] : []), ...paragraphs];
  const content = [
    ...said.flatMap((one, n) => [...(n > 0 ? ['.PP'] : []), ...text(one)]),
    ...(commands.length > 0
      ? [...(said.length > 0 ? ['.PP'] : []), '.EX', ...commands.map(line), '.EE']
      : []),
    ...list.flatMap(([term, meaning]) => ['.TP', line(bold(term)), ...text(meaning)]),
  ];
  const name = heading === '.SH' ? title.toUpperCase() : title;
  return content.length === 0 ? [] : [`${heading} "${escaped(name)}"`, ...content];
}

/**
 * @param {Help} help
 * @param {readonly string[]} commands
 * @returns {string[]} the command lines, of which long ones continue on the next line
 */
function lines({ commandLines }, commands) {
  return commandLines(commands, { width: EXAMPLE_WIDTH, paint: (_, shown) => shown }).map(escaped);
}

/**
 * @param {string} id
 * @param {readonly string[]} ids of all pages
 */
function seeAlso(id, ids) {
  const [first = ''] = id.split(':');
  const near = ids.filter(
    (other) => other !== id && (other === first || other.startsWith(`${first}:`)),
  );
  return ['.SH SEE ALSO', ['', ...near].map((other) => `${bold(pageName(other))}(1)`).join(', ')];
}

/**
 * @param {string} said sentences, with commands in backquotes
 * @returns {string[]} a line, or none
 */
function text(said) {
  const flat = said.replace(/\s+/g, ' ').trim();
  const parts = flat.split(/(`[^`]+`)/);
  const shown = parts.map((part) =>
    /^`.+`$/.test(part) ? bold(part.slice(1, -1)) : escaped(part),
  );
  return flat === '' ? [] : [line(shown.join(''))];
}

/** @param {string} term */
const bold = (term) => `\\fB${escaped(term)}\\fR`;

/** @param {string} shown @returns {string} the same as a line: roff takes a full stop or an apostrophe at its beginning for a request */
const line = (shown) => (/^[.']/.test(shown) ? `\\&${shown}` : shown);

/** Signs that roff gives a meaning, or prints as others that a shell does not take. */
const SIGNS = /** @type {Readonly<Record<string, string>>} */ ({
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
});

/** @param {string} plain @returns {string} the text as roff prints it; other characters than those of ASCII by their number */
function escaped(plain) {
  return plain
    .replace(/[\\\-'"`^~]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
