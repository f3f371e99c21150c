/**
 * How long reports take over a ledger of a million facts: records of purchases and refunds and events
 * of charges, half of which tell of a purchase that was seen as well, over ten months; and ten thousand
 * subscriptions.
 *
 *     node test/bench/report.bench.mjs [facts]
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
  const program = path.join(folder, 'report.mjs');
  const build = await rolldown({
    input: path.resolve('test/bench/report-program.ts'),
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
