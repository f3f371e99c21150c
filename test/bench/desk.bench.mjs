/**
 * Measures how long the first rows of a search of `gw desk` take, as a ratio to the same query in the process: both open the ledger,
 * search and read what is found; the page makes HTML of it, and sends it.
 *
 *     npm run bench -- desk [THINGS]
 *
 * Prints a JSON line for each search. The aim is 1.3.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const [things = '50000'] = process.argv.slice(2);

// Below node_modules, so that the bundles find the packages they leave out.
const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
try {
  for (const name of ['find', 'desk']) {
    const build = await rolldown({
      input: path.resolve(`test/bench/${name}-program.ts`),
      platform: 'node',
      external: (id) =>
        !id.startsWith('.') && !path.isAbsolute(id) && !id.startsWith('@oxc-project/'),
    });
    await build.write({
      file: path.join(folder, `${name}.mjs`),
      format: 'esm',
      codeSplitting: false,
    });
    await build.close();
  }
  const state = path.join(folder, '.local/state/gw');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const env = { PATH: process.env.PATH, HOME: folder, TZ: 'UTC' };
  for (const words of [['find.mjs', 'fill', path.join(state, 'ledger.db'), things], ['desk.mjs']]) {
    const [file = '', ...rest] = words;
    const args = [path.join(folder, file), ...rest];
    const { status } = spawnSync(process.execPath, args, { env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`The run ${words.join(' ')} failed`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
