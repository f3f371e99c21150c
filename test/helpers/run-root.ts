/**
 * Around all tests: their temporary files are in one folder, with the code of gw that is compiled once for all of them.
 * What is left in it at the end, by whomever, is scanned like the rest (scan.ts) and removed. The last words of a run are
 * what this machine lacks (skip.ts).
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
