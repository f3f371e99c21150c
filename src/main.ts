/** The first file of the program. Node caches the compiled code of everything loaded after it. */
import { useCompileCache } from './host/compile-cache.ts';
import { isVersion, printVersionAndExit } from './host/version.ts';

/**
 * @param argv the words after `gw`
 * @param root folder of package.json, oclif's manifest and `dist`
 * @returns never, because it ends the process
 */
export async function run(argv: readonly string[], root: string): Promise<never> {
  if (isVersion(argv)) printVersionAndExit();
  useCompileCache();
  const { start } = await import('./start.ts');
  return start(argv, root);
}
