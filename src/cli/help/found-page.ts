/**
 * The page of `gw help` for words that name no command: the commands and recipes that they describe.
 *
 * Tests: test/unit/cli/help/found-page.test.ts
 */
import MiniSearch, { type SearchResult } from 'minisearch';
import { lackingSay } from '../dispatch/cannot.ts';
import { meaningIn, meantByTables, SMALL } from '../dispatch/meant.ts';
import { meanings } from '../dispatch/words.ts';
import { asTyped } from './command-page.ts';
import { flagMeaning, flagTerm, isCommon } from './flag-groups.ts';
import { GUIDES } from './guides.ts';
import {
  type CommandHelp,
  commandWords,
  type HelpFlag,
  type HelpSource,
  type Recipe,
} from './help-data.ts';
import {
  commandLines,
  type Entry,
  entries,
  type Part,
  paragraph,
  type Style,
  section,
} from './layout.ts';

const MAX_FOUND = 6;
const MAX_FLAGS = 2;
/** A recipe of more lines is a program, of which the first lines say enough. */
const MAX_LINES = 6;
/** Results below this part of the best one's score have other things to say. */
const LEAST_SCORE = 0.3;

/** Text that is searched, by how much a word in it tells. */
const FIELDS = { name: 3, summary: 3, examples: 1.5, flags: 1, text: 0.7 };

type Found = { id: string } & Record<keyof typeof FIELDS, string>;

/** Words that gw has for those that were typed tell less than these. */
const RELATED = 0.35;

/** Somebody who asks, or tells of something, wants to look, so that commands which change something count less. */
const QUESTION =
  /^(?:who|whose|whom|what|which|when|where|why|how much|how many)\b|\b(?:did|does|is|are|was|were|has|have|says)\b/i;
const OF_QUESTION = 0.25;
/** So do words that begin with no action, such as `next charge`, a little. */
const OF_NO_ACTION = 0.7;

/** The command that a word of other programs stands for counts more than others with that word in a text. */
const OF_MEANT = 1.3;

/**
 * @param words what somebody wants to do, in any words: `who churned in march`
 * @returns the lines of the page, best match first; undefined if nothing fits
 */
export function foundPage(
  words: readonly string[],
  source: HelpSource,
  style: Style,
): string[] | undefined {
  const commands = Object.keys(source.index.commands).map((id) => source.command(id));
  const recipes = [...source.recipes(), ...guideRecipes()];
  const texts = [...commands.map(commandText), ...recipes.map(recipeText)];
  const grave = [...source.index.charging, ...source.index.erasing];
  const changing = commands.filter(({ flags }) => 'dry-run' in flags).map(({ id }) => id);
  const results = search(words, texts, [...grave, ...changing]);
  const parts: string[] = [];
  const seen: string[] = [];
  for (const result of results) {
    const command = commands.find(({ id }) => id === result.id);
    // `report day`, `report week` and others of their kind are told once.
    const kind = command ? `${command.id.split(':')[0]} ${flagsOf(command)}` : result.id;
    if (seen.includes(kind) || seen.length === MAX_FOUND) continue;
    seen.push(kind);
    const recipe = recipes[Number(result.id)];
    if (command) parts.push(...commandPart(command, result.terms, style));
    else if (recipe) parts.push(...recipePart(recipe, style));
  }
  if (parts.length === 0) return undefined;
  const head = cannotLines(words, source, style);
  const more = '`gw help COMMAND` shows all that a command takes.';
  return [...head, ...parts.slice(1), '', ...paragraph(more, style.width)];
}

/**
 * @returns what the interface does not have, if a word names that; for a noun and an action also what gw does in their place:
 *   with more words, something else may be asked for
 */
function cannotLines(words: readonly string[], source: HelpSource, style: Style): string[] {
  const lower = words.map((word) => word.toLowerCase());
  const known = lower
    .filter((word) => !SMALL.includes(word))
    .map((word) => (meaningIn(word) ? word : stemOf(word)));
  const acts = known.flatMap((word) => meaningIn(word)?.actions ?? []);
  const missing = known
    .flatMap((word) => ['*', ...acts].map((act) => `${meaningIn(word)?.noun} ${act}`))
    .map((pair) => meanings.get(pair))
    .find((text) => /^The (?:interface|pages) /.test(text ?? ''));
  const short = known.length <= 2 ? meantByTables(source, known, true) : undefined;
  const meant = short?.startsWith('Did you mean') ? undefined : short;
  const said =
    lackingSay(lower) ?? meant ?? missing?.replaceAll('{}', 'ID').replace('{period}', 'month');
  return said === undefined ? [] : [...paragraph(said, style.width), ''];
}

/** @param changing the commands that move money, start charges, delete or change something else */
function search(
  words: readonly string[],
  texts: readonly Found[],
  changing: readonly string[],
): readonly SearchResult[] {
  const index = new MiniSearch<Found>({
    fields: Object.keys(FIELDS),
    searchOptions: { boost: FIELDS },
    processTerm: (term) => (says(term) ? term.toLowerCase() : null),
  });
  index.addAll(texts);
  const typed = words.flatMap((word) => word.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter(says);
  const { related, lines } = relatedTo(typed, texts);
  const meant = texts.filter(({ name }) => lines.some((line) => `${line} `.startsWith(`${name} `)));
  const meantIds = meant.flatMap(({ id, name }) => (name === '' ? [] : [id]));
  const [first = ''] = typed;
  const isOrder = [first, stemOf(first)].some((word) => meaningIn(word)?.actions);
  const ofChange = QUESTION.test(words.join(' ')) ? OF_QUESTION : isOrder ? 1 : OF_NO_ACTION;
  const results = index.search([...typed, ...related].join(' '), {
    boostDocument: (id) =>
      (changing.includes(id) ? ofChange : 1) * (meantIds.includes(id) ? OF_MEANT : 1),
    boostTerm: (term) => (typed.includes(term) ? 1 : RELATED),
    prefix: (term) => term.length > 3 && typed.includes(term),
    fuzzy: (term) => (term.length > 4 && typed.includes(term) ? 0.2 : false),
    weights: { fuzzy: 0.3, prefix: 0.5 },
  });
  const least = (results[0]?.score ?? 0) * LEAST_SCORE;
  return results.filter(({ score }) => score >= least);
}

const ENDINGS = [/s$/, /ed$/, /d$/, /ing$/];

/** @returns a word without its ending, as a table has it: `churn` for churned, `dispute` for disputed */
function stemOf(word: string): string {
  const stems = ENDINGS.map((ending) => word.replace(ending, ''));
  return stems.find((stem) => stem !== word && meaningIn(stem)) ?? word;
}

const says = (word: string) => word.length > 1 && !SMALL.includes(word.toLowerCase());

/**
 * @returns the words of gw for those that people bring: `takings` are a report, and to resend a webhook is `events resend`;
 *   and the lines that the tables have for them
 */
function relatedTo(words: readonly string[], texts: readonly Found[]) {
  const commands = new Set(texts.map(({ name }) => name));
  const names = new Set(texts.flatMap(({ name }) => name.split(' ')));
  const found = [...words, ...words.map((word, at) => `${word}-${words[at + 1]}`)].map((word) => {
    const stem = stemOf(word);
    const { noun, actions = [] } = meaningIn(word) ?? meaningIn(stem) ?? {};
    // A word of gw, such as `refund`, is searched itself.
    return { noun, actions, stem, isOwn: names.has(word) || names.has(stem) };
  });
  const pairs = found.flatMap((one) => [
    ...(one.noun ? [`${one.noun} *`] : []),
    ...one.actions.flatMap((action) =>
      found.flatMap(({ noun }) => (noun && noun !== one.noun ? [`${noun} ${action}`] : [])),
    ),
    ...(one.isOwn ? [] : one.actions.map((action) => `* ${action}`)),
  ]);
  const meant = [...new Set(pairs)].flatMap((pair) =>
    commands.has(pair) ? pair : (meanings.get(pair)?.split(' | ') ?? []),
  );
  // A sentence names commands between backticks.
  const named = meant.flatMap((text) =>
    /^[a-z]/.test(text) ? [text] : [...text.matchAll(/`gw ([^`]*)`/g)].map(([, line = '']) => line),
  );
  const own = found.flatMap(({ noun, actions, stem, isOwn }) =>
    isOwn ? [stem] : [...(noun ? [noun] : []), ...actions],
  );
  const all = [...own, ...named.flatMap((text) => text.split(/[^a-z]+/))];
  return {
    related: [...new Set(all)].filter((one) => says(one) && !words.includes(one)),
    lines: named,
  };
}

function commandText(command: CommandHelp): Found {
  const { id, summary, description, args, examples } = command;
  const given = Object.entries(args).map(([name, arg]) => `${name} ${arg.description}`);
  return {
    ...{ id, summary, name: commandWords(id), examples: examples.join(' ') },
    ...{ flags: flagsOf(command), text: [description, ...given].join(' ') },
  };
}

const ownFlags = ({ flags }: CommandHelp) => Object.values(flags).filter((flag) => !isCommon(flag));

const flagsOf = (command: CommandHelp) =>
  ownFlags(command)
    .map((flag) => flagText(command, flag))
    .join(' ');

const flagText = ({ choices }: CommandHelp, flag: HelpFlag) =>
  [flag.name, flagMeaning(flag), ...(choices[flag.name] ?? [])].join(' ').toLowerCase();

/** @returns for each guide, the line that shows it */
const guideRecipes = (): Recipe[] =>
  Object.entries(GUIDES).map(([name, { summary, parts }]) => ({
    title: summary,
    text: [name, ...parts.map(partText)].join(' '),
    commands: [`gw help ${name}`],
  }));

const partText = ({ title, text = '', list = [] }: Part) => [title, text, ...list.flat()].join(' ');

function recipeText({ title, text, commands }: Recipe, at: number): Found {
  const examples = commands.join(' ');
  return { id: String(at), name: '', summary: title, examples, flags: '', text };
}

/**
 * @param terms those that were found
 * @returns the example that has most of them, and flags for others
 */
function commandPart(command: CommandHelp, terms: readonly string[], style: Style): string[] {
  const countIn = (text: string, of = terms) =>
    of.filter((term) => text.toLowerCase().includes(term)).length;
  const examples = command.examples.map(asTyped);
  const [best = ''] = [...examples].sort((one, other) => countIn(other) - countIn(one));
  const rest = terms.filter((term) => !`${best} ${command.summary}`.toLowerCase().includes(term));
  const flags = ownFlags(command)
    .map((flag) => ({ flag, count: countIn(flagText(command, flag), rest) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_FLAGS);
  const list = flags.map(({ flag }): Entry => [flagTerm(flag), firstSentence(flagMeaning(flag))]);
  return section(command.summary, [...commandLines([best], style), ...entries(list, style)], style);
}

/** A colon or a full stop in brackets ends nothing. */
const firstSentence = (text: string) =>
  `${/^(?:\([^)]*\)|[^.:(]|[.:](?! |$))*/.exec(text)?.[0] ?? text}.`;

/** The lines stay as they are: one may begin or end in the middle of quotes. */
function recipePart({ title, commands }: Recipe, style: Style): string[] {
  const lines = commands.slice(0, MAX_LINES).map((line) => `  ${style.paint('command', line)}`);
  return section(title, lines, style);
}
