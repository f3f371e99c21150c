/**
 * What the card of `gw get` (its ties) and `gw history` take from a ledger of a million facts
 * (million-facts.ts): of a purchase, a subscription and a customer with their hundred charges, by id,
 * reference and name. A name that ten thousand have is named as ambiguous.
 *
 *     node test/bench/desk.bench.mjs [facts]
 *
 * Prints a JSON line for each.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const [count = '1000000'] = process.argv.slice(2);

// Below node_modules, so that the bundle finds the packages it leaves out.
const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
try {
  const program = path.join(folder, 'desk.mjs');
  const build = await rolldown({
    input: path.resolve('test/bench/desk-program.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await build.write({ file: program, format: 'esm', codeSplitting: false });
  await build.close();
  for (const what of ['fill', 'ask']) {
    const run = [program, what, path.join(folder, 'ledger.db'), count];
    const { status } = spawnSync(process.execPath, run, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`The run ${what} failed`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
