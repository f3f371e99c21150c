/**
 * What a single money command pays for the ledger: the same refund with and without it, in turn, at
 * the same server. The fastest of each kind counts, since everything else on the machine only adds.
 *
 *     npm run build && npm run bench -- ledger [ROUNDS]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROGRAM, startGateway } from './gateway.mjs';

const [rounds = 20] = process.argv.slice(2).map(Number);
const home = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const { env, stop } = await startGateway(home);

function gw(...args) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    env,
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return { stdout, ms: performance.now() - startedAt };
}

const card = [
  '--test-card',
  'approved',
  '--card-holder',
  'Ann',
  '--card-expiry',
  '05/2031',
  '--cvv',
  '123',
];
const purchase = gw(
  'purchase',
  'create',
  ...card,
  '--amount',
  '100000000',
  '-o',
  'id',
).stdout.trim();
const times = { without: [], with: [] };
for (let round = 0; round < rounds; round++) {
  for (const [kind, flags] of [
    ['without', ['--no-journal']],
    ['with', []],
  ]) {
    const refund = [
      '--transaction-id',
      purchase,
      '--amount',
      '1',
      '--reference',
      `${kind}-${round}`,
    ];
    times[kind].push(gw('refund', 'create', ...refund, ...flags).ms);
  }
}
const [without, withIt] = [Math.min(...times.without), Math.min(...times.with)];
process.stdout.write(
  `refund create: ${without.toFixed(0)} ms without the ledger, ${withIt.toFixed(0)} ms with it: ${(withIt - without).toFixed(0)} ms\n`,
);
await stop();
rmSync(home, { recursive: true, force: true });
