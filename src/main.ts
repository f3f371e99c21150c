/** The first file of the program. Everything loaded after it comes from the code cache, if there is one. */
import { findCommand } from './cli/dispatch/argv.ts';
import { commandNames, createLoader } from './host/code-cache.ts';
import { isVersion, printVersionAndExit } from './host/version.ts';

/**
 * @param argv the words after `gw`
 * @param root folder of package.json, oclif's manifest and `dist`
 * @param require loads packages and the modules of Node
 * @returns never, because it ends the process
 */
export async function run(
  argv: readonly string[],
  root: string,
  require: NodeJS.Require,
): Promise<never> {
  if (isVersion(argv)) printVersionAndExit();
  const names = commandNames(root);
  const found = findCommand(argv, names);
  const load = createLoader(root, found.id?.replaceAll(':', '-') ?? 'other', require);
  const { start } = load('start.cjs') as typeof import('./start.ts');
  return start(argv, found, { root, names, load });
}
