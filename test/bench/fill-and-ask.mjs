/** Runs programs of this folder that make a ledger and ask it, each time in a process of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/**
 * The program is told what to do, `fill` or `ask`, and the file of the ledger and how many facts.
 * @param {string} name of the program, for example `desk-program`
 * @param {string} count
 */
export async function fillAndAsk(name, count) {
  await withProgram(name, (run, folder) => {
    for (const what of ['fill', 'ask']) run([what, path.join(folder, 'ledger.db'), count]);
  });
}

/**
 * Builds a program, and removes it after `use`.
 * @param {string} name of the program, for example `desk-program`
 * @param {(run: (args: readonly string[]) => void, folder: string) => void} use is given what runs it,
 *   and a folder of its own
 */
export async function withProgram(name, use) {
  // Below node_modules, so that the bundle finds the packages it leaves out.
  const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
  try {
    const program = path.join(folder, 'program.mjs');
    const build = await rolldown({
      input: path.resolve(`test/bench/${name}.ts`),
      platform: 'node',
      external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    });
    await build.write({ file: program, format: 'esm', codeSplitting: false });
    await build.close();
    use((args) => {
      const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
      if (status !== 0) throw new Error(`The run ${args[0]} failed`);
    }, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
