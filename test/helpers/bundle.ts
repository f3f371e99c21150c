/**
 * Bundles a TypeScript program into a file that every supported Node can run: Node 20 cannot run
 * TypeScript, and a test of signals, pipes or exit codes needs a real process.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** Inside the repository, so that packages which stay outside the bundle are found. */
const FOLDER = path.resolve('node_modules/.cache/gw-test');

/**
 * @param entry path of the program's source, from the top of the repository
 * @returns path of the bundled program, which is named by its content and stays for the next run
 */
export async function bundle(entry: string): Promise<string> {
  const build = await rolldown({
    input: path.resolve(entry),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();

  const { code } = output[0];
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = path.join(FOLDER, `${path.basename(entry, '.ts')}-${hash}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  // In one step, since test files run side by side.
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, code);
  renameSync(temporary, file);
  return file;
}
