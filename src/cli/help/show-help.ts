/** Help, made of what the build wrote of the commands: the map, a topic, a command, or a guide. */
import { commandPage } from './command-page.ts';
import { GUIDES, guidePage } from './guides.ts';
import type { HelpSource } from './help-data.ts';
import type { Style } from './layout.ts';
import { mapPage } from './map.ts';
import { topicPage } from './topic-page.ts';

/** Of text that is still easy to read. */
const MAX_WIDTH = 100;

/**
 * @param topic words of a command or topic, or the name of a guide; none for the map
 * @returns the page with its line end, or undefined when there is none of that name
 */
export function helpText(
  topic: readonly string[],
  source: HelpSource,
  style: Style,
): string | undefined {
  const lines = pageOf(topic, source, { ...style, width: Math.min(style.width, MAX_WIDTH) });
  return lines && `${lines.join('\n')}\n`;
}

function pageOf(
  topic: readonly string[],
  source: HelpSource,
  style: Style,
): readonly string[] | undefined {
  const { commands } = source.index;
  if (topic.length === 0) return mapPage(source.index, Object.keys(GUIDES), style);
  const id = topic.join(':');
  if (Object.hasOwn(commands, id)) return commandPage(source.command(id), style);
  if (Object.keys(commands).some((name) => name.startsWith(`${id}:`))) {
    return topicPage(id, source, style);
  }
  return Object.hasOwn(GUIDES, id) ? guidePage(id, style) : undefined;
}
