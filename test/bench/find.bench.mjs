/**
 * How long `gw find` takes in a ledger with a million records, money requests and events: each query in
 * the process, and the whole program as a ratio to `node -e 0` in the same run.
 *
 *     npm run build && npm run bench -- find [THINGS]
 *
 * Prints a JSON line for each. Making a million of them takes minutes, and 2 GiB.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { median, PROGRAM } from './gateway.mjs';

const [things = '1000000'] = process.argv.slice(2);
const ROUNDS = 9;
const COMMANDS = [
  ['find', 'inv-500'],
  ['find', 'byron', '-o', 'json'],
  ['find', '2346'],
  ['find', 'nosuchword'],
  ['find', 'byron', '--outcome', 'declined', '--amount', '25.00'],
  ['purchase', 'list', 'byron'],
];

// Below node_modules, so that the bundle finds the packages it leaves out.
const folder = mkdtempSync(path.resolve('node_modules/.gw-bench-'));
try {
  const program = path.join(folder, 'find.mjs');
  const build = await rolldown({
    input: path.resolve('test/bench/find-program.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await build.write({ file: program, format: 'esm', codeSplitting: false });
  await build.close();
  const state = path.join(folder, '.local/state/gw');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const ledger = path.join(state, 'ledger.db');
  for (const run of [
    ['fill', ledger, things],
    ['ask', ledger],
  ]) {
    const { status } = spawnSync(process.execPath, [program, ...run], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`The run ${run.join(' ')} failed`);
  }
  measureProgram();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measureProgram() {
  const env = { PATH: process.env.PATH, HOME: folder };
  const rows = [['-e', '0'], ...COMMANDS.map((words) => [PROGRAM, ...words])];
  const times = rows.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, row] of rows.entries()) {
      const startedAt = performance.now();
      spawnSync(process.execPath, row, { env, cwd: folder });
      times[index]?.push(performance.now() - startedAt);
    }
  const [alone = 1, ...others] = times.map(median);
  for (const [index, ms] of others.entries()) {
    const line = {
      program: `gw ${COMMANDS[index]?.join(' ')}`,
      ratio: Number((ms / alone).toFixed(2)),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}
