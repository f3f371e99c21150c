/**
 * Durable deliveries per second of `gw listen`, against a bare node:http server that reads the body
 * and answers 200, in one run. Both are processes of their own and get the same requests over the
 * same number of connections from this one.
 *
 *     npm run build && npm run bench -- listen
 *     GW_BENCH_SECONDS=10 GW_BENCH_ROUNDS=3 npm run bench -- listen
 *
 * With GW_LEDGER_URL the listener keeps what it receives in that ledger, which has to be there.
 *
 * Aim: at least half of the bare server, p99 below 50 ms at 64 connections. The store is in
 * GW_BENCH_DIRECTORY, which should be on the disk that counts.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CONNECTIONS = 64;
const SECONDS = Number(process.env.GW_BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.GW_BENCH_ROUNDS ?? 3);
const PROGRAM = path.join(import.meta.dirname, '../../bin/gw.cjs');
const BARE = `
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  });
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/'));
`;

let sent = 0;
const body = () =>
  JSON.stringify({
    event: 'charge:successful',
    payload: [
      {
        subscription: {
          id: `001-S-${sent % 500}`,
          frequency: 'Daily',
          start_date: '2026-03-10',
          end_date: null,
          reference: `SUB-${sent % 500}`,
          customer: {
            email: 'ada@example.com',
            first_name: 'Ada',
            last_name: 'Lovelace',
            reference: 'CUST-1',
            id: '001-C-AAAA1111',
          },
        },
        response: {
          successful: true,
          response: {
            id: `001-P-${++sent}`,
            authorization: '582',
            card_number: '512345XXXXXX2346',
            amount: 2500,
            decimal_amount: 25,
            successful: true,
            message: 'Approved',
            currency: 'AUD',
            transaction_date: new Date().toISOString(),
            source: 'Recurring',
          },
          errors: [],
          test: true,
        },
      },
    ],
  });

async function start(command, args, env, pattern) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    let isFound = false;
    // What is printed later is read and dropped: it must not slow this process down.
    const look = (text) => {
      if (isFound) return;
      said += text;
      const found = pattern.exec(said)?.[0];
      if (!found) return;
      isFound = true;
      resolve(new URL(found));
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => reject(new Error(said)));
  });
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @returns deliveries that were answered with 200 within the time, and how long each took */
async function load(url, seconds) {
  const end = performance.now() + seconds * 1000;
  const latenciesMs = [];
  let refused = 0;
  const run = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname);
      let startedAt = 0;
      const next = () => {
        if (performance.now() >= end) {
          socket.end();
          resolve();
          return;
        }
        const text = body();
        startedAt = performance.now();
        socket.write(
          `POST / HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n` +
            `X-Service-Mode: Sandbox\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      };
      socket.setNoDelay(true).on('connect', next).on('error', reject);
      // Answers have no body and fit one packet.
      socket.on('data', (data) => {
        if (data.includes('HTTP/1.1 200')) latenciesMs.push(performance.now() - startedAt);
        else refused++;
        next();
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
  if (refused > 0) throw new Error(`${refused} deliveries were not answered with 200`);
  latenciesMs.sort((a, b) => a - b);
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: latenciesMs[Math.floor(latenciesMs.length * 0.5)],
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)],
  };
}

async function measure(name, command, args, env, pattern) {
  const server = await start(command, args, env, pattern);
  await load(server.url, 1);
  const result = await load(server.url, SECONDS);
  await server.stop();
  process.stdout.write(
    `${name.padEnd(10)} ${result.perSecond.toFixed(0).padStart(7)}/s   p50 ${result.p50Ms.toFixed(1)} ms   p99 ${result.p99Ms.toFixed(1)} ms\n`,
  );
  return result;
}

const home = mkdtempSync(path.join(process.env.GW_BENCH_DIRECTORY ?? tmpdir(), 'gw-bench-'));
const { PATH, GW_LEDGER_URL } = process.env;
const env = { PATH, HOME: home, ...(GW_LEDGER_URL && { GW_LEDGER_URL }) };
const ratios = [];
try {
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await measure('bare', process.execPath, ['-e', BARE], env, /http:\S+/);
    const listen = await measure(
      'gw listen',
      process.execPath,
      [PROGRAM, 'listen', '--port', '0', '-o', 'jsonl'],
      env,
      /http:\S+(?=\nOnly)/,
    );
    const ratio = listen.perSecond / bare.perSecond;
    ratios.push(ratio);
    process.stdout.write(`ratio      ${ratio.toFixed(2)}\n`);
  }
  ratios.sort((a, b) => a - b);
  process.stdout.write(`median     ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}\n`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
