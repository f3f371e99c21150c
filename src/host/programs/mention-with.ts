/** Mentions a newer gw, and has it asked for by a process of its own. */
import path from 'node:path';
import type { Host } from '../host.ts';
import { detach } from './detach.ts';
import { mentionNewVersion } from './new-version.ts';

const PROGRAM = 'dist/ask-version.cjs';

/** @param root folder of the program */
export function mentionWith(
  host: Pick<Host, 'env' | 'clock' | 'files' | 'stderr' | 'stdout' | 'version'>,
  argv: readonly string[],
  root: string,
): Promise<void> {
  const ask = (url: string, file: string) => detach(path.join(root, PROGRAM), [url, file]);
  return mentionNewVersion({ ...host, ask }, argv);
}
