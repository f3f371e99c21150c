/** A batch holds its text and its packed lines in memory: a bounded number of bytes a line. The full size is GW_MEMORY_LINES=1000000. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gw, placeFor } from '../helpers/batch.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const LINES = Number(process.env.GW_MEMORY_LINES ?? 100_000);
const MAX_MB = 140 + LINES / 4_000;
const LIMIT_MS = 60_000 + LINES / 5;

test(`${LINES} lines are checked in less than ${MAX_MB} MB`, { timeout: LIMIT_MS }, async () => {
  const home = temporaryDirectory();
  const file = path.join(home, 'refunds.csv');
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, 'transaction_id,amount,reference\n');
  for (let n = 0; n < LINES; n++) writeSync(descriptor, `071-P-${n},${(n % 900) + 1},REF-${n}\n`);
  closeSync(descriptor);
  const report = path.join(home, 'rss');
  const preload = path.join(home, 'preload.cjs');
  writeFileSync(
    preload,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const place = placeFor(home, 'http://127.0.0.1:9');
  const env = { ...place.env, NODE_OPTIONS: `--require=${preload}` };
  const { code, stderr } = await gw({ ...place, env }, [
    'refund',
    'batch',
    file,
    '--max-count',
    '1',
  ]);
  expect(code, stderr).toBe(10);
  expect(Number(readFileSync(report, 'utf8')) / 1024).toBeLessThan(MAX_MB);
});
