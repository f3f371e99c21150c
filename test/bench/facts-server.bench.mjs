/**
 * How long questions to an index on a PostgreSQL server take, by default among 200,000 facts, and how
 * large it is: of the process, without the start of the program. The server is one of its own, in the
 * folder of temporary files (TMPDIR), where ten million facts need 30 GB and half an hour.
 *
 *     npm run bench -- facts-server [FACTS [stay]]
 *     npm run bench -- facts-server 0 ADDRESS
 *
 * With `stay` the server goes on until the process is ended, and is asked again by its address.
 * Prints a JSON line for each.
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
    input: path.resolve('test/bench/facts-server-program.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await build.write({ file: program, format: 'esm', codeSplitting: true });
  await build.close();
  const asked = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.on('SIGTERM', () => asked.kill());
  process.on('SIGINT', () => undefined);
  const [status] = await once(asked, 'exit');
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
