/**
 * What a ledger on a server costs beside the file: a refund by itself, a batch, two batches at once, and
 * a guard over many entries. The server is one of its own, in the folder of temporary files (TMPDIR), and
 * waits for its disk; it is reached by its socket, and over TCP with a password.
 *
 *     npm run build && npm run bench -- team [REFUNDS] [ROUNDS] [ENTRIES]
 *
 * Rounds alternate, and the median of each kind counts: only ratios within one run mean anything.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

// Below node_modules, so that the bundle finds the packages it leaves out.
const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
try {
  const program = path.join(folder, 'program.mjs');
  const build = await rolldown({
    input: path.resolve('test/bench/team-program.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await build.write({ file: program, format: 'esm', codeSplitting: true });
  await build.close();
  const asked = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  const [status] = await once(asked, 'exit');
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
