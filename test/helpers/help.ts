/** Makes the help data of the build from the definitions in src. */
import { readFileSync } from 'node:fs';
import { recipes } from '../../scripts/recipes.mjs';
import { commandClass } from '../../src/cli/dispatch/command-class.ts';
import type { CommandHelp, NamedHelp } from '../../src/cli/help/help-data.ts';
import type { Style } from '../../src/cli/help/layout.ts';
import { filesOfCommands, loadCommand } from './cli.ts';

/** Text without colours, in the width of a terminal. */
export const plainStyle = (width = 80): Style => ({ width, paint: (_, text) => text });

export async function helpSource(): Promise<NamedHelp> {
  const all = new Map<string, CommandHelp>();
  const erasing: string[] = [];
  const charging: string[] = [];
  for (const [name, file] of [...filesOfCommands()].sort()) {
    const id = name.replaceAll(' ', ':');
    const {
      summary = '',
      description = '',
      examples,
      args,
      flags,
      strict,
      fields,
      choices,
      erases,
      charges,
    } = commandClass(await loadCommand(file));
    const named = Object.entries(flags).map(([flag, entry]) => [flag, { ...entry, name: flag }]);
    if (erases) erasing.push(id);
    if (charges) charging.push(id);
    all.set(id, {
      ...{ id, summary, description, args, strict, fields, choices },
      examples,
      flags: Object.fromEntries(named),
    } as unknown as CommandHelp);
  }
  const { oclif } = JSON.parse(readFileSync('package.json', 'utf8'));
  const topics = Object.entries<{ description: string }>(oclif.topics);
  return {
    names: {
      isCommand: (words) => all.has(words.join(':')),
      isTopic: (words) =>
        words.length > 0 && [...all.keys()].some((id) => id.startsWith(`${words.join(':')}:`)),
    },
    index: {
      commands: Object.fromEntries([...all].map(([id, { summary }]) => [id, summary])),
      erasing,
      charging,
      topics: Object.fromEntries(topics.map(([id, { description }]) => [id, description])),
    },
    recipes,
    command: (id) => all.get(id) as CommandHelp,
  };
}
