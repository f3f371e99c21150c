/** Prints help from the data of the build: the map, a topic, a command, a guide, or what words describe. */
import type { Host } from '../../host/host.ts';
import { painter } from '../../view/text/color.ts';
import { asTyped, commandPage } from './command-page.ts';
import { GUIDES, guidePage } from './guides.ts';
import { commandWords, type HelpSource, namesBelow } from './help-data.ts';
import { commandLines, type Entry, paragraph, partLines, type Style } from './layout.ts';
import { mapPage } from './map.ts';

/** The widest text that is still easy to read. */
const MAX_WIDTH = 100;

/**
 * Prints a page of help.
 * @param topic words of a command or topic, or the name of a guide; empty for the map
 * @throws Failure usage if there is no such help
 */
export async function showHelp(
  { stdout, paged }: Pick<Host, 'stdout' | 'paged'>,
  topic: readonly string[],
  source: HelpSource,
): Promise<void> {
  const style = { width: stdout.columns, paint: painter(stdout) };
  const text = helpText(topic, source, style) ?? (await foundText(topic, source, style));
  await (paged() ?? stdout).write(text);
}

/**
 * @param words those that name no page
 * @returns the page of what they describe
 * @throws Failure usage if that is nothing, or if they are the name of a page with a letter wrong
 */
async function foundText(
  words: readonly string[],
  source: HelpSource,
  style: Style,
): Promise<string> {
  const { noSuchTopic } = await import('../dispatch/unknown-words.ts');
  const { namesOf, nearestName } = await import('../dispatch/meant.ts');
  const guides = Object.keys(GUIDES);
  const failure = noSuchTopic(source, words, guides);
  // Somebody who searches may put quotes around the words.
  const each = words.flatMap((word) => word.split(' ')).filter(Boolean);
  const isName = nearestName(each, [...namesOf(source.index), ...guides]).length === each.length;
  const isMeant = each.length === 1 && failure.next?.startsWith('Did you mean');
  if (isName || isMeant) throw failure;
  const { foundPage } = await import('./found-page.ts');
  const lines = foundPage(each, source, readable(style));
  if (lines === undefined) throw failure;
  return textOf(lines);
}

const readable = (style: Style): Style => ({ ...style, width: Math.min(style.width, MAX_WIDTH) });

const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;

/**
 * @param topic words of a command or topic, or the name of a guide; empty for the map
 * @returns the page with its line end; undefined if there is no such help
 */
export function helpText(
  topic: readonly string[],
  source: HelpSource,
  style: Style,
): string | undefined {
  const lines = pageOf(topic, source, readable(style));
  return lines && textOf(lines);
}

function pageOf(
  topic: readonly string[],
  source: HelpSource,
  style: Style,
): readonly string[] | undefined {
  const { commands } = source.index;
  if (topic.length === 0) return mapPage(source.index, Object.keys(GUIDES), style);
  const id = topic.join(':');
  if (Object.hasOwn(commands, id))
    return commandPage(source.command(id), commandsBelow(id, source), style);
  if (Object.keys(commands).some((name) => name.startsWith(`${id}:`))) {
    return topicPage(id, source, style);
  }
  return Object.hasOwn(GUIDES, id) ? guidePage(id, style) : undefined;
}

const MAX_EXAMPLES = 3;
/** The commands of a topic that users want first. */
const FIRST_VERBS = ['create', 'get', 'list', 'batch', 'start', 'day', 'show', 'set'];

/** @param topic oclif's id of a topic that has commands. @returns the lines of the page */
function topicPage(topic: string, source: HelpSource, style: Style): string[] {
  const { topics } = source.index;
  const below = commandsBelow(topic, source);
  const ids = below.map(([name]) => name.slice('gw '.length).replaceAll(' ', ':'));
  const ranked = [...ids].sort((a, b) => rankOf(a) - rankOf(b));
  const examples = ranked
    .slice(0, MAX_EXAMPLES)
    .flatMap((id) => source.command(id).examples.slice(0, 1))
    .map(asTyped);
  return [
    ...paragraph(`${topics[topic] ?? commandWords(topic)}.`, style.width),
    '',
    ...commandLines(examples, style),
    ...partLines({ title: 'Commands', list: below }, style),
    '',
    ...paragraph(
      `\`gw help ${commandWords(ranked[0] ?? topic)}\` shows what a command takes.`,
      style.width,
    ),
  ];
}

/** @returns the commands of the page of an id, each with its summary */
const commandsBelow = (id: string, { index }: HelpSource) =>
  namesBelow(id, index).map(
    (name): Entry => [`gw ${commandWords(name)}`, index.commands[name] ?? ''],
  );

function rankOf(id: string): number {
  const rank = FIRST_VERBS.indexOf(id.split(':').at(-1) ?? '');
  return rank === -1 ? FIRST_VERBS.length : rank;
}
