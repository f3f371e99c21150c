/**
 * `gw refund batch` beside the simplest honest batch (simplest-batch.mjs), at a server that answers each refund at once
 * (refund-server.cjs), so that nothing but the two programs differs.
 *
 *     npm run build && npm run bench -- simplest [LINES [ROUNDS [PROGRAM...]]]
 *
 * PROGRAM is the `bin/gw.cjs` of another build, run in turn with this one. Each program keeps its home, so its compiled
 * code, and begins with an empty ledger. CPU is that of all threads.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, PROGRAM, startRefundServer } from './gateway.mjs';

const [lines = '4000', rounds = '5', ...others] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'gw-simplest-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const url = await startRefundServer();
const SIMPLEST = path.join(import.meta.dirname, 'simplest-batch.mjs');

/** @typedef {{ ms: number, cpuMs: number }} Took */
const took = new Map(
  [SIMPLEST, PROGRAM, ...others].map((name) => [name, /** @type {Took[]} */ ([])]),
);
// The first round fills caches.
for (let round = -1; round < Number(rounds); round++) {
  const file = path.join(folder, `${round}.jsonl`);
  writeFileSync(file, Array.from({ length: Number(lines) }, (_, i) => lineOf(round, i)).join(''));
  for (const [i, [program, all]] of [...took].entries()) {
    const home = path.join(folder, String(i));
    const once = run(program, file, home);
    if (round >= 0) all.push(once);
    rmSync(path.join(home, '.local'), { recursive: true, force: true });
  }
}
const rate = (/** @type {Took[]} */ all) =>
  (Number(lines) * 1000) / median(all.map(({ ms }) => ms));
const limit = rate(took.get(SIMPLEST) ?? []);
for (const [program, all] of took) {
  const cpu = (median(all.map(({ cpuMs }) => cpuMs)) * 1000) / Number(lines);
  const ratio = (rate(all) / limit).toFixed(2);
  process.stdout.write(
    `${rate(all).toFixed(0)}/s  ${ratio}  ${cpu.toFixed(0)} µs of CPU a line  ${program}\n`,
  );
}
// The server would go on.
process.exit();

/** @param {number} round @param {number} i */
function lineOf(round, i) {
  const line = {
    transaction_id: `071-P-${10_000_000 + (i % 250)}`,
    amount: 1,
    reference: `B-${round}-${i}`,
  };
  return `${JSON.stringify(line)}\n`;
}

/** @param {string} program @param {string} file @param {string} home @returns {Took} */
function run(program, file, home) {
  mkdirSync(path.join(home, '.local'), { recursive: true });
  const account = {
    GW_USERNAME: 'TEST',
    GW_API_TOKEN: 'TEST',
    GW_ENVIRONMENT: 'sandbox',
    GW_BASE_URL: url,
  };
  const args =
    program === SIMPLEST
      ? [program, file, path.join(home, '.local', 'ledger.db'), url, '16']
      : [program, 'refund', 'batch', file, '--concurrency', '16'];
  const startedAt = performance.now();
  // Node does not say what its children took; `times` of the shell does, in its last line.
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', '"$@" && times >&2', 'sh', process.execPath, ...args],
    {
      env: { PATH: process.env.PATH, HOME: home, ...account },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  const ms = performance.now() - startedAt;
  if (status !== 0) throw new Error(stderr);
  const spent = stderr.trim().split('\n').at(-1) ?? '';
  let cpuMs = 0;
  for (const [, minutes, seconds] of spent.matchAll(/(\d+)m([\d.]+)s/g))
    cpuMs += Number(minutes) * 60_000 + Number(seconds) * 1000;
  return { ms, cpuMs };
}
