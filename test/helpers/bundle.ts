/**
 * Bundles a TypeScript program into a file that every supported Node can run: Node 20 cannot run
 * TypeScript, and a test of signals, pipes or exit codes needs a real process.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

/** Inside the repository, so that packages which stay outside the bundle are found. */
const FOLDER = path.resolve('node_modules/.cache/gw-test');

/**
 * @param entry path of the program's source, from the top of the repository
 * @returns path of the bundled program, which is removed after the tests of the file
 */
export async function bundle(entry: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(path.join(FOLDER, 'program-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const build = await rolldown({
    input: path.resolve(entry),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  const file = path.join(folder, 'program.mjs');
  await build.write({ file, format: 'esm', codeSplitting: false });
  await build.close();
  return file;
}
