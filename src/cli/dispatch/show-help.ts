/** Prints a page of help. */

import type { Host } from '../../host/host.ts';
import { painter } from '../../view/text/color.ts';
import { GUIDES } from '../help/guides.ts';
import type { HelpSource } from '../help/help-data.ts';
import { helpText } from '../help/show-help.ts';

/**
 * @param topic words of a command or topic, or the name of a guide; none for the map
 * @throws Failure usage when there is no such help
 */
export async function showHelp(
  { stdout, paged }: Pick<Host, 'stdout' | 'paged'>,
  topic: readonly string[],
  source: HelpSource,
): Promise<void> {
  const text = helpText(topic, source, { width: stdout.columns, paint: painter(stdout) });
  if (text === undefined) {
    const { noSuchTopic } = await import('./unknown-words.ts');
    throw noSuchTopic(source.index, topic, Object.keys(GUIDES));
  }
  await (paged() ?? stdout).write(text);
}
