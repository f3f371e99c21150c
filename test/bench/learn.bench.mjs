/**
 * Measures what it costs to keep and find requests: the CPU that the first `gw find` after a batch of purchases takes to
 * learn them, and the bytes that a purchase then takes in the ledger's file.
 *
 *     npm run build && npm run bench -- learn [COMMIT] [PURCHASES] [ROUNDS]
 *
 * With a commit, both programs are measured in turn, each with a ledger of its own. A second `gw find` has nothing to
 * learn: its CPU is taken off. The median counts.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from './build.mjs';
import { median, PROGRAM } from './gateway.mjs';

const [commit = '', ...numbers] = process.argv.slice(2);
const [purchases = 10_000, rounds = 5] = numbers.map(Number);
const CUSTOMERS = 50;
const LOCAL = ['--profile', 'local'];

const folder = mkdtempSync(path.join(tmpdir(), 'gw-learn-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const usage = path.join(folder, 'usage.cjs');
writeFileSync(
  usage,
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(process.env.USAGE, String(user + system)); });",
);

const programs = [PROGRAM, ...(commit ? [path.join(build(commit), 'bin/gw.cjs')] : [])];
const filled = programs.map((program, n) => fill(program, path.join(folder, `filled-${n}`)));
/** @type {number[][]} */
const times = programs.map(() => []);
const bytes = programs.map(() => 0);
for (let round = 0; round < rounds; round++)
  for (const [n, program] of programs.entries()) {
    const home = path.join(folder, 'home');
    cpSync(filled[n]?.home ?? '', home, { recursive: true });
    const [first, second] = [1, 2].map(() => cpuOf(program, home));
    times[n]?.push((first ?? 0) - (second ?? 0));
    bytes[n] = (sizeOf(home) - (filled[n]?.empty ?? 0)) / purchases;
    rmSync(home, { recursive: true });
  }
const medians = times.map(median);
const [now = 0, then = Number.NaN] = medians;
process.stdout.write(`
| ${purchases} purchases | this | ${commit || '-'} | this / then |
|---|---:|---:|---:|
| CPU to learn them, ms | ${medians.map(Math.round).join(' | ')} | ${(now / then).toFixed(2)} |
| bytes of each in ledger.db | ${bytes.map(Math.round).join(' | ')} | ${((bytes[0] ?? 0) / (bytes[1] ?? Number.NaN)).toFixed(2)} |
`);

/**
 * @param {string} program
 * @param {string} home of a ledger with purchases that are still to be learnt
 */
function fill(program, home) {
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [program, ...args, ...LOCAL], {
      ...{ env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8', maxBuffer: 1 << 30 },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const tokens = Array.from({ length: CUSTOMERS }, (_, n) => {
    const name = ['--first-name', 'Ada', '--last-name', `Byron${n}`, '--reference', `C-${n}`];
    const email = ['--email', `ada${n}@example.org`, '--test-card', 'approved'];
    return JSON.parse(run('customer', 'create', ...name, ...email, '-o', 'json')).card_token;
  });
  run('find', 'Ada');
  const empty = sizeOf(home);
  const lines = Array.from(
    { length: purchases },
    (_, n) => `${tokens[n % CUSTOMERS]},${1_000 + ((n * 37) % 9_000)},AUD,INV-${100_000 + n}\n`,
  );
  const file = path.join(home, 'charges.csv');
  writeFileSync(file, `card_token,amount,currency,reference\n${lines.join('')}`);
  run('purchase', 'batch', file);
  return { home, empty };
}

/** @param {string} program @param {string} home @returns {number} milliseconds of CPU that `gw find` took */
function cpuOf(program, home) {
  const file = path.join(folder, 'usage');
  execFileSync(process.execPath, ['--require', usage, program, 'find', 'INV-100000', ...LOCAL], {
    env: { PATH: process.env.PATH, HOME: home, USAGE: file },
    stdio: 'ignore',
  });
  return Number(execFileSync('cat', [file], { encoding: 'utf8' })) / 1_000;
}

/** @param {string} home @returns {number} the bytes of its ledger without free pages */
function sizeOf(home) {
  const file = path.join(home, '.local/state/gw/ledger.db');
  const database = new DatabaseSync(file);
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(file).size;
}
