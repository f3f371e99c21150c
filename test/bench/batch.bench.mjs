/**
 * Measures `gw refund batch` beside a bare loop that sends the same refunds to the same server, in
 * one run on one machine: only the ratios mean anything.
 *
 *     npm run build && npm run bench -- batch [REFUNDS] [CONCURRENCY] [ROUNDS]
 *
 * The bare loop keeps no memory of what it sent: the distance to it is the price of the ledger, the
 * checks, and the start of the program. Rounds alternate, and the median of each kind counts.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { median, PROGRAM, startGateway } from './gateway.mjs';

const [refunds = 6_000, concurrency = 16, rounds = 3] = process.argv.slice(2).map(Number);
/** The refunds are of these in turn: of one alone, what is left of it would take ever longer to sum up. */
const PURCHASES = 250;
const home = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const say = (text) => process.stdout.write(`${text}\n`);

const { url, env, stop } = await startGateway(home);
const headers = {
  authorization: `Basic ${Buffer.from('TEST:TEST').toString('base64')}`,
  'content-type': 'application/json',
};
const pool = new Pool(url, { connections: Math.max(concurrency, 8) });

async function post(target, body) {
  const reply = await pool.request({
    method: 'POST',
    path: target,
    headers,
    body: JSON.stringify(body),
  });
  const { response, errors } = await reply.body.json();
  if (reply.statusCode !== 200) throw new Error(errors.join());
  return response;
}

const purchases = [];
for (let i = 0; i < PURCHASES; i++) {
  const { id } = await post('/v1.0/purchases', {
    card_number: '5123456789012346',
    card_holder: 'Ann Example',
    card_expiry: '05/2031',
    cvv: '739',
    amount: 1_000_000_000,
  });
  purchases.push(id);
}
let made = 0;
const newRefunds = (count) =>
  Array.from({ length: count }, () => ({
    transaction_id: purchases[made % PURCHASES],
    amount: 1,
    reference: `R-${made++}`,
  }));

/** @returns requests a second */
async function timed(count, work) {
  const startedAt = performance.now();
  await work();
  return (count * 1000) / (performance.now() - startedAt);
}

const bare = () => {
  const bodies = newRefunds(refunds);
  return timed(refunds, () =>
    Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let body = bodies.pop(); body; body = bodies.pop()) await post('/v1.0/refunds', body);
      }),
    ),
  );
};

const batch = () => {
  const file = path.join(home, `refunds-${made}.jsonl`);
  writeFileSync(
    file,
    newRefunds(refunds)
      .map((body) => JSON.stringify(body))
      .join('\n'),
  );
  return timed(refunds, () =>
    runProgram([PROGRAM, 'refund', 'batch', file, '--concurrency', String(concurrency)]),
  );
};

function runProgram(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(stderr))));
  });
}

const rates = { bare: [], batch: [] };
for (let round = 0; round < rounds; round++) {
  rates.bare.push(await bare());
  rates.batch.push(await batch());
}
const [a, b] = Object.values(rates).map(median);
say(`${refunds} refunds, ${concurrency} in flight, median of ${rounds} rounds`);
say(`bare undici loop          ${a.toFixed(0)}/s`);
say(`gw refund batch           ${b.toFixed(0)}/s   ${(b / a).toFixed(2)} of the bare loop`);

await pool.close();
await stop();
rmSync(home, { recursive: true, force: true });
