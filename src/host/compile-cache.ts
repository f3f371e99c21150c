/**
 * Node's cache of compiled code (22.8 and later), which makes every start but the first one faster.
 *
 * What the cache holds is run as a part of gw, so nobody else may write there: it is in the user's
 * own cache directory, and not where Node would put it by itself, a directory for all users of the
 * machine. Node tells versions of itself and of the code apart. NODE_DISABLE_COMPILE_CACHE=1 turns
 * it off.
 */
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { cacheDirectory } from './files/directories.ts';
import { findExposed, PRIVATE_FOLDER } from './files/private-files.ts';

// Node 20 has none.
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/** To be called before the code that is to be cached is loaded. Without a place that is safe there is no cache. */
export function useCompileCache(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform = process.platform,
  enable = enableCompileCache,
): void {
  if (!enable) return;
  try {
    const directory = path.join(cacheDirectory(env, platform), 'compiled');
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const { open, foreign } = findExposed([directory]);
    if (open.length === 0 && foreign.length === 0) enable(directory);
  } catch {
    // Nowhere to keep it: gw starts a little slower.
  }
}
