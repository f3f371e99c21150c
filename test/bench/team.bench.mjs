/**
 * `gw refund batch` with a ledger on a server: one machine beside a file, and three machines that run one file at once,
 * at a gateway that answers each refund at once, or after ANSWER_MS milliseconds.
 *
 *     npm run build && npm run bench -- team [LINES [ROUNDS [PROGRAM...]]]
 *
 * PROGRAM is the `bin/gw.cjs` of another build, run in turn with this one. Each program has homes and ledgers of its
 * own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cpuOfServer, startCluster } from './cluster.mjs';
import { median, PROGRAM, startRefundServer } from './gateway.mjs';

const [lines = '2000', rounds = '3', ...others] = process.argv.slice(2);
const count = Number(lines);
const folder = mkdtempSync(path.join(tmpdir(), 'gw-team-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const url = await startRefundServer();
const cluster = await startCluster();
const file = path.join(folder, 'refunds.jsonl');
const usage = path.join(folder, 'usage.cjs');
writeFileSync(
  usage,
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(process.env.USAGE, String(user + system)); });",
);

/** @typedef {{ ms: number, cpuMs: number, serverMs: number }} Took */
/** @type {{ name: string, machines: number, isShared: boolean }[]} */
const KINDS = [
  { name: 'a file', machines: 1, isShared: false },
  { name: 'a server, one machine', machines: 1, isShared: true },
  { name: 'a server, three machines', machines: 3, isShared: true },
];
const rows = [PROGRAM, ...others].flatMap((program) =>
  KINDS.map((kind) => ({ program, kind, took: /** @type {Took[]} */ ([]) })),
);
// The first round fills caches.
for (let round = -1; round < Number(rounds); round++)
  for (const { program, kind, took } of rows) {
    writeFileSync(file, Array.from({ length: count }, (_, i) => lineOf(round, i)).join(''));
    const once = await run(program, kind);
    if (round >= 0) took.push(once);
  }
process.stdout.write(
  '| ledger | lines/s | CPU of a line, ms | that of the server | program |\n|---|---:|---:|---:|---|\n',
);
for (const { program, kind, took } of rows) {
  const of = (/** @type {'ms' | 'cpuMs' | 'serverMs'} */ what) =>
    median(took.map((one) => one[what]));
  const figures = [(count * 1_000) / of('ms'), of('cpuMs') / count, of('serverMs') / count];
  const texts = figures.map((one, n) => one.toFixed(n === 0 ? 0 : 2));
  process.stdout.write(`| ${[kind.name, ...texts, program].join(' | ')} |\n`);
}
// The server would go on.
process.exit();

/** @param {number} round @param {number} i */
function lineOf(round, i) {
  const id = `071-P-${10_000_000 + (i % 250)}`;
  return `${JSON.stringify({ transaction_id: id, amount: 1, reference: `B-${round}-${i}` })}\n`;
}

/**
 * @param {string} program
 * @param {{ machines: number, isShared: boolean }} kind
 * @returns {Promise<Took>}
 */
async function run(program, { machines, isShared }) {
  const ledger = isShared ? (await cluster.database({ isEmpty: true })).url : undefined;
  const homes = Array.from({ length: machines }, (_, n) => {
    const home = path.join(folder, `${n}`);
    mkdirSync(home, { recursive: true });
    rmSync(path.join(home, '.local'), { recursive: true, force: true });
    return home;
  });
  const envOf = (/** @type {string} */ home) => ({
    ...{ PATH: process.env.PATH, HOME: home, GW_OPERATOR: path.basename(home) },
    USAGE: path.join(home, 'usage'),
    ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_BASE_URL: url, GW_ENVIRONMENT: 'sandbox' },
    ...(ledger !== undefined && { GW_LEDGER_URL: ledger }),
  });
  if (ledger !== undefined)
    spawnSync(process.execPath, [program, 'ledger', 'init', ledger], { env: envOf(folder) });
  const before = cpuOfServer(cluster);
  const startedAt = performance.now();
  const args = ['-r', usage, program, 'refund', 'batch', file, '--concurrency', '16'];
  const ended = homes.map((home) =>
    ends(spawn(process.execPath, args, { env: envOf(home), cwd: home })),
  );
  for (const { code, stderr } of await Promise.all(ended))
    if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  const ms = performance.now() - startedAt;
  const used = homes.map((home) => Number(readFileSync(path.join(home, 'usage'), 'utf8')) / 1_000);
  const cpuMs = used.reduce((sum, one) => sum + one);
  return { ms, cpuMs, serverMs: cpuOfServer(cluster) - before };
}

/** @param {import('node:child_process').ChildProcess} child */
function ends(child) {
  let stderr = '';
  child.stdout?.resume();
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}
