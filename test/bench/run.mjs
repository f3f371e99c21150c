/**
 * Runs benchmarks: one by its name, with what it takes as arguments, or all of them in turn.
 *
 *     npm run bench [-- NAME [ARGUMENT...]]
 *
 * Those that measure the program measure the one in `dist/`: build it first.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { BENCHMARKS } from './benchmarks.mjs';

const [name, ...args] = process.argv.slice(2);
if (name === undefined) for (const each of Object.keys(BENCHMARKS)) run(each, []);
else if (Object.hasOwn(BENCHMARKS, name)) run(name, args);
else {
  const names = Object.entries(BENCHMARKS).map(([known, what]) => `  ${known.padEnd(14)}${what}\n`);
  process.stderr.write(`There is no benchmark ${name}. There are:\n${names.join('')}`);
  process.exitCode = 2;
}

/**
 * @param {string} benchmark
 * @param {readonly string[]} given
 */
function run(benchmark, given) {
  process.stdout.write(`\n# ${benchmark}: ${BENCHMARKS[benchmark]}\n`);
  const file = path.join(import.meta.dirname, `${benchmark}.bench.mjs`);
  const { status } = spawnSync(process.execPath, [file, ...given], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
