/**
 * Webhooks that `gw listen` keeps in a second, each on disk before its answer, beside the simplest listener that does so
 * too, and has one path as gw has (one-path-listener.mjs). They are measured in turn, each a process of its own with 64
 * connections of `wrk`, by deliveries that are each of another purchase (deliveries.lua). Their own CPU, threads
 * included, is what a loaded machine disturbs least.
 *
 *     npm run build && npm run bench -- listen
 *     GW_BENCH_SECONDS=10 GW_BENCH_ROUNDS=3 npm run bench -- listen
 *
 * With GW_LEDGER_URL the listener keeps what it receives in that ledger, which has to be there. The
 * stores are in GW_BENCH_DIRECTORY, which should be on the disk that counts.
 *
 * Aim: half of the one with one path.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { median, PROGRAM } from './gateway.mjs';

const CONNECTIONS = 64;
const SECONDS = Number(process.env.GW_BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.GW_BENCH_ROUNDS ?? 3);
const TICKS_A_SECOND = 100;
const here = (/** @type {string} */ name) => path.join(import.meta.dirname, name);
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @returns {Promise<{ url: string, pid: number, stop(): Promise<void> }>} */
async function start(/** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill());
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let said = '';
  const url = await new Promise((resolve, reject) => {
    // Later output is read and dropped.
    const look = (/** @type {Buffer} */ text) => {
      if (said.length < 10_000) said += text;
      const [found] = /http:\S+(?=\s)/.exec(said) ?? [];
      if (found) resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => reject(new Error(said)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const run = promisify(execFile);

/**
 * The listener's lines are read meanwhile, as whoever runs it does: it waits for a reader that is too far behind.
 * @returns deliveries a second, the slowest but one in a hundred in ms, and CPU of one in µs
 */
async function load(/** @type {{ url: string, pid: number }} */ { url, pid }, seconds = SECONDS) {
  const before = ticksOf(pid);
  const { stdout: said } = await run('wrk', [
    ...['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency'],
    ...['-s', here('deliveries.lua'), url],
  ]);
  const failed = /Non-2xx.*|Socket errors.*/.exec(said)?.[0];
  if (failed) throw new Error(failed);
  const [, slowest = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(said) ?? [];
  const [, count = ''] = /(\d+) requests in/.exec(said) ?? [];
  const [, perSecond = ''] = /Requests\/sec:\s+([\d.]+)/.exec(said) ?? [];
  const cpuSeconds = (ticksOf(pid) - before) / TICKS_A_SECOND;
  return {
    perSecond: Number(perSecond),
    p99Ms: Number(slowest) * { us: 0.001, ms: 1, s: 1_000 }[unit],
    cpuUs: (cpuSeconds * 1e6) / Number(count),
  };
}

/** @returns CPU that a process has had, its threads included (proc(5)) */
function ticksOf(/** @type {number} */ pid) {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(user) + Number(system);
}

async function measure(
  /** @type {string} */ name,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const server = await start(args, env);
  await load(server, 1);
  const result = await load(server);
  await server.stop();
  const { perSecond, p99Ms, cpuUs } = result;
  say(
    `${name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)}/s   p99 ${p99Ms.toFixed(1)} ms   ${cpuUs.toFixed(0)} µs of CPU each`,
  );
  return result;
}

const home = mkdtempSync(path.join(process.env.GW_BENCH_DIRECTORY ?? tmpdir(), 'gw-bench-'));
const { PATH, GW_LEDGER_URL } = process.env;
const env = { PATH, HOME: home, ...(GW_LEDGER_URL && { GW_LEDGER_URL }) };
/** @type {Record<string, Awaited<ReturnType<typeof load>>[]>} */
const results = { 'one path': [], 'gw listen': [] };
try {
  for (let round = 1; round <= ROUNDS; round++) {
    const file = (/** @type {string} */ name) => path.join(home, `${name}-${round}.db`);
    const commands = {
      'one path': [here('one-path-listener.mjs'), file('one')],
      'gw listen': [PROGRAM, 'listen', '--port', '0'],
    };
    for (const [name, command] of Object.entries(commands))
      results[name].push(await measure(name, command, env));
  }
  const of = (/** @type {string} */ name, /** @type {'perSecond' | 'cpuUs' | 'p99Ms'} */ what) =>
    median(results[name].map((result) => result[what]));
  const rates = of('gw listen', 'perSecond') / of('one path', 'perSecond');
  const cpu = of('one path', 'cpuUs') / of('gw listen', 'cpuUs');
  say(`beside one path: ${rates.toFixed(2)} of its rate, ${cpu.toFixed(2)} by CPU`);
  say(`medians of ${ROUNDS} rounds; aim: 0.5 of one path`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
