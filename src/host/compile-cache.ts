/**
 * Node's cache of compiled code (22.8 and later). It makes every start but the first faster.
 *
 * gw runs whatever the cache holds, so nobody else may write there. The cache is in the user's own cache directory,
 * because Node's default is a directory for all users of the machine. Node keeps its own versions and versions of the
 * code apart. NODE_DISABLE_COMPILE_CACHE=1 turns the cache off.
 */
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { cacheDirectory } from './files/directories.ts';
import { findExposed, PRIVATE_FOLDER } from './files/private-files.ts';

// Node 20 has none.
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };

/** Call this before loading the code to cache. Without a safe directory, there is no cache. */
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
    // Without a directory for the cache, gw starts a little slower.
  }
}
