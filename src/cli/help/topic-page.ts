/** The page of a topic: what it is about, an example of each of its commands, and the commands. */
import { asTyped } from './command-page.ts';
import { type HelpSource, typed } from './help-data.ts';
import { commandLines, entries, paragraph, type Style, section } from './layout.ts';

const MAX_EXAMPLES = 3;
/** What somebody who comes to a topic wants to do first. */
const FIRST_VERBS = ['create', 'get', 'list', 'batch', 'start', 'day', 'show', 'set'];

/** @param topic oclif's id of a topic that has commands. @returns the lines of the page */
export function topicPage(topic: string, source: HelpSource, style: Style): string[] {
  const { commands, topics } = source.index;
  const ids = Object.keys(commands).filter((id) => id.startsWith(`${topic}:`));
  const ranked = [...ids].sort((a, b) => rankOf(a) - rankOf(b));
  const examples = ranked
    .slice(0, MAX_EXAMPLES)
    .flatMap((id) => source.command(id).examples.slice(0, 1))
    .map(asTyped);
  return [
    ...paragraph(`${topics[topic] ?? typed(topic)}.`, style.width),
    '',
    ...commandLines(examples, style),
    ...section(
      'Commands',
      entries(
        ids.map((id) => [`gw ${typed(id)}`, commands[id] ?? '']),
        style,
      ),
      style,
    ),
    '',
    ...paragraph(
      `\`gw help ${typed(ranked[0] ?? topic)}\` shows what a command takes.`,
      style.width,
    ),
  ];
}

function rankOf(id: string): number {
  const rank = FIRST_VERBS.indexOf(id.split(':').at(-1) ?? '');
  return rank === -1 ? FIRST_VERBS.length : rank;
}
