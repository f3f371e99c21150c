/**
 * Around all tests: their temporary files are in one folder, with the code of gw that is compiled once for all of them.
 * The end of the run scans the files that tests have left in it (scan.ts), removes them, and prints the parts that this
 * machine lacks (skip.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unportableParts } from './portable.ts';
import { scanFolder } from './scan.ts';
import { missedParts, notePart } from './skip.ts';

export default function makeRunRoot(): () => void {
  // Each project of the run asks for it.
  if (process.env.GW_TEST_ROOT) return () => undefined;
  const root = mkdtempSync(path.join(tmpdir(), 'gw-'));
  process.env.GW_TEST_ROOT = root;
  process.env.TMPDIR = root;
  process.env.XDG_CACHE_HOME = path.join(root, 'cache');
  unportableParts(process.platform).forEach(notePart);
  return () => {
    process.stdout.write(missedParts(root) ?? '');
    try {
      scanFolder(root);
    } catch (error) {
      process.exitCode = 1;
      throw error;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  };
}
