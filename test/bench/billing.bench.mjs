/**
 * How fast the embedded gateway bills: ten thousand subscriptions over 365 days, all frequencies
 * alike, with cards that fail and cards that expire; then as many daily ones over 30 days.
 *
 *     npm run bench -- billing
 *
 * Prints a JSON line for each. Nobody is listening, so deliveries cost nothing here.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const RUNS = [
  ['10000', '365', 'mixed'],
  ['10000', '30', 'Daily'],
];

// Below node_modules, so that the bundle finds the packages it leaves out.
const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
try {
  const program = path.join(folder, 'billing.mjs');
  const build = await rolldown({
    input: path.resolve('test/bench/billing-program.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await build.write({ file: program, format: 'esm', codeSplitting: false });
  await build.close();
  for (const [index, run] of RUNS.entries()) {
    const file = path.join(folder, `${index}.db`);
    const { status } = spawnSync(process.execPath, [program, file, ...run], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`The run ${run.join(' ')} failed`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
