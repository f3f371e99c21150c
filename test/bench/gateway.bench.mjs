/**
 * Requests to the embedded gateway over HTTP, beside node:http that answers them all with a constant of
 * the same bytes: purchases looked up, and purchases with a new card, each kept before its answer.
 *
 *     npm run build && npm run bench -- gateway [ROUNDS [SECONDS [CONNECTIONS]]]
 *
 * Rounds alternate, and the median of each counts. Each server is a process of its own. `CPU` is the
 * processor time of the server for a request, where /proc tells it: what is left when other programs
 * keep the machine busy. The state is in a folder of GW_BENCH_DIRECTORY, or of temporary files.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { median, startGateway } from './gateway.mjs';
import { load } from './http-load.mjs';

const [rounds = 3, seconds = 5, connections = 16] = process.argv.slice(2).map(Number);
/** So many purchases are looked up in turn. */
const PURCHASES = 500;
/** Of Linux, where a tick of /proc is the same everywhere. */
const TICKS_PER_SECOND = 100;
const AUTHORIZATION = `Basic ${btoa('TEST:TEST')}`;

const home = mkdtempSync(path.join(process.env.GW_BENCH_DIRECTORY ?? tmpdir(), 'gw-bench-'));
const gateway = await startGateway(home);
let n = 0;
const ids = await purchaseIds();
const get = () => head('GET', `/v1.0/purchases/${ids[n++ % PURCHASES]}`);
const post = () => {
  const body = purchase();
  return `${head('POST', '/v1.0/purchases', body)}${body}`;
};

for (const { name, request } of [
  { name: 'GET purchase', request: get },
  { name: 'POST purchase', request: post },
]) {
  const constant = await startConstant(await exampleOf(request));
  const bare = results();
  const gw = results();
  for (let round = 0; round < rounds; round++) {
    await measure(constant, request, bare);
    await measure(gateway, request, gw);
  }
  process.stdout.write(`\n${name}, ${connections} connections, median of ${rounds} rounds\n`);
  const limit = report('node:http with a constant', bare);
  const now = report('the embedded gateway', gw);
  process.stdout.write(
    `ratio                      ${(now.perSecond / limit.perSecond).toFixed(2)}      of CPU ${(limit.cpuUs / now.cpuUs).toFixed(2)}\n`,
  );
  constant.stop();
}
await gateway.stop();
rmSync(home, { recursive: true, force: true });

/** @returns {{ perSecond: number[], p50Ms: number[], p99Ms: number[], cpuUs: number[] }} */
function results() {
  return { perSecond: [], p50Ms: [], p99Ms: [], cpuUs: [] };
}

/**
 * @param {{ url: string, pid: number | undefined }} server
 * @param {() => string} request
 * @param {ReturnType<typeof results>} into
 */
async function measure({ url, pid }, request, into) {
  await load({ url, connections, seconds: 1, request });
  const before = cpuSeconds(pid);
  const result = await load({ url, connections, seconds, request });
  into.cpuUs.push(((cpuSeconds(pid) - before) * 1e6) / (result.perSecond * seconds));
  into.perSecond.push(result.perSecond);
  into.p50Ms.push(result.p50Ms);
  into.p99Ms.push(result.p99Ms);
}

/**
 * @param {string} name
 * @param {ReturnType<typeof results>} all
 */
function report(name, all) {
  const [perSecond = 0, p50Ms = 0, p99Ms = 0, cpuUs = 0] = Object.values(all).map(median);
  process.stdout.write(
    `${name.padEnd(26)} ${perSecond.toFixed(0).padStart(6)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms   CPU ${cpuUs.toFixed(0)} µs\n`,
  );
  return { perSecond, cpuUs };
}

/** @param {number | undefined} pid @returns what the process has used of processors so far; NaN where nobody says */
function cpuSeconds(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const [, fields = ''] = readFileSync(file, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS_PER_SECOND;
}

/** @param {string} method @param {string} target */
function head(method, target, body = '') {
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${AUTHORIZATION}\r\ncontent-type: application/json\r\n${length}\r\n`;
}

function purchase() {
  return JSON.stringify({
    card_number: '5123456789012346',
    card_holder: 'Ann Example',
    card_expiry: '05/2031',
    cvv: '987',
    amount: 2_500,
    reference: `ORDER-${n++}`,
  });
}

async function purchaseIds() {
  const found = [];
  for (let i = 0; i < PURCHASES; i++) {
    const { response } = JSON.parse(await answered('POST', '/v1.0/purchases', purchase()));
    found.push(response.id);
  }
  return found;
}

/** @param {() => string} request @returns an answer to it, as text */
function exampleOf(request) {
  const [line = '', ...lines] = request().split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  return answered(method, target, lines.at(-1) || undefined);
}

/** @param {string} method @param {string} target @param {string} [body] */
async function answered(method, target, body) {
  const headers = { authorization: AUTHORIZATION };
  const answer = await fetch(gateway.url + target, { method, headers, ...(body && { body }) });
  return answer.text();
}

/** @param {string} answer */
async function startConstant(answer) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'constant-server.cjs')], {
    env: { ...process.env, GW_BENCH_ANSWER: answer },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  /** @type {string} */
  const url = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  return { url, pid: child.pid, stop: () => child.kill() };
}
