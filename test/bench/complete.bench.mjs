/**
 * How long a Tab takes beside `gw --version`, in a ledger with many purchases. The aim is at most twice.
 *
 *     npm run build && npm run bench -- complete [PURCHASES]
 *
 * Each round runs every command once. The median of the times counts.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, PROGRAM } from './gateway.mjs';

const [purchases = '10000'] = process.argv.slice(2);
const ROUNDS = 21;
const CARD = { card_number: '5123456789012346', card_holder: 'Ada Byron', card_expiry: '05/2099' };
const ROWS = [
  ['--version'],
  ['__complete', '--am', 'refund', 'create'],
  ['__complete', '', 'refund', 'create'],
  ['__complete', 'INV-77', 'purchase', 'get'],
  ['__complete', '', 'get'],
  ['__complete', 'Eu', 'report', 'day', '--time-zone'],
];

const home = mkdtempSync(path.join(tmpdir(), 'gw-complete-'));
try {
  const env = { PATH: process.env.PATH, HOME: home, GW_PROFILE: 'local' };
  const run = (/** @type {string[]} */ words, input = '') =>
    execFileSync(process.execPath, [PROGRAM, ...words], { env, cwd: home, input });
  const card = JSON.stringify({ ...CARD, cvv: '123' });
  const token = String(run(['tokenize', '--input', '-', '-o', 'id'], card)).trim();
  const lines = Array.from({ length: Number(purchases) }, (_, n) =>
    JSON.stringify({ card_token: token, amount: 100 + n, currency: 'AUD', reference: `INV-${n}` }),
  );
  run(['purchase', 'batch', '-', '-o', 'id'], `${lines.join('\n')}\n`);
  run(['find', 'byron']);
  const times = ROWS.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, words] of ROWS.entries()) {
      const startedAt = performance.now();
      run(words);
      times[index]?.push(performance.now() - startedAt);
    }
  const [version = 1, ...others] = times.map(median);
  for (const [index, ms] of others.entries()) {
    const words = `gw ${ROWS[index + 1]?.map((word) => word || "''").join(' ')}`;
    process.stdout.write(
      `${JSON.stringify({ words, ratio: Number((ms / version).toFixed(2)) })}\n`,
    );
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
