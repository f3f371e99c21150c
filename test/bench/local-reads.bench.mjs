/**
 * How long commands take that read only this machine, as ratios to `gw purchase create -p local`, which
 * reads and writes it: with a ledger of one entry, and with a large one.
 *
 *     npm run build && npm run bench -- local-reads [ROUNDS [ENTRIES]]
 *
 * Rounds alternate. A row is slower than it should be where its ratio is above 1; `CPU` is the ratio of
 * processor times, which is left when other programs keep the machine busy.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { alternate } from './alternate.mjs';
import { withProgram } from './fill-and-ask.mjs';
import { PROGRAM } from './gateway.mjs';

const [rounds = '15', entries = '20000'] = process.argv.slice(2);
const LIMIT =
  'purchase create -p local --test-card approved --amount 2500 --currency AUD --allow-duplicate';
const READS = [
  'journal list',
  'journal list -o table',
  'journal list byron',
  'journal show ENTRY',
  'events list',
  'events list byron',
  'find byron',
  'find byron -o table',
  'purchase list',
  'batch list',
  'history PURCHASE',
  'report day -p local',
  'report month -p local',
  'profile list',
  'profile show local',
  'whoami -p local',
  'emulator status',
  'ledger status',
  'doctor',
];

const folder = mkdtempSync(path.join(process.env.GW_BENCH_DIRECTORY ?? tmpdir(), 'gw-bench-'));
measure('one entry', homeOf('small'));
const large = homeOf('large');
await withProgram('local-reads-program', (run) => {
  run([path.join(large, '.local/state/gw/ledger.db'), entries]);
});
measure(`${entries} entries, as many events`, large);
rmSync(folder, { recursive: true, force: true });

/**
 * @param {string} title
 * @param {string} home
 */
function measure(title, home) {
  const env = { PATH: process.env.PATH, HOME: home };
  const run = (/** @type {string} */ command) => output(command.split(' '), env);
  const purchase = run(`${LIMIT} -o id`);
  const entry = run('journal list --limit 1 -o id');
  const named = (/** @type {string} */ command) =>
    command.replace('PURCHASE', purchase).replace('ENTRY', entry);
  const commands = [LIMIT, ...READS.map(named)].map((command) => command.split(' '));
  const [limit, ...reads] = alternate(
    commands.map((args) => [process.execPath, PROGRAM, ...args]),
    { rounds: Number(rounds), env, cwd: home },
  );
  if (!limit) return;
  process.stdout.write(`\n## ${title}, Node ${process.version.slice(1)}, ${rounds} rounds\n\n`);
  process.stdout.write('|  | median ms | best ms | ratio | of the best | CPU |\n');
  process.stdout.write('|---|---:|---:|---:|---:|---:|\n');
  ['purchase create -p local', ...READS].forEach((name, i) => {
    const row = i === 0 ? limit : reads[i - 1];
    if (row) process.stdout.write(`| gw ${name} | ${cells(row, limit).join(' | ')} |\n`);
  });
}

/**
 * @param {import('./alternate.mjs').Timed} row
 * @param {import('./alternate.mjs').Timed} limit
 */
function cells(row, limit) {
  const { medianMs, bestMs, cpuMs } = row;
  return [
    medianMs.toFixed(0),
    bestMs.toFixed(0),
    (medianMs / limit.medianMs).toFixed(2),
    (bestMs / limit.bestMs).toFixed(2),
    cpuMs === undefined || !limit.cpuMs ? '' : (cpuMs / limit.cpuMs).toFixed(2),
  ];
}

/** @param {string} name */
function homeOf(name) {
  const home = path.join(folder, name);
  mkdirSync(path.join(home, '.local/state/gw'), { recursive: true, mode: 0o700 });
  return home;
}

/**
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} env
 */
function output(args, env) {
  const command = [PROGRAM, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`gw ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}
