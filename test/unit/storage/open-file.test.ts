/** The write-ahead log of the ledger: whoever opens the file next reads all of it first. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/journal/sqlite-ledger.ts';
import { standingClock } from '../../helpers/client.ts';
import { recorded, sandboxPurchase } from '../../helpers/recorded.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const KIB = 1024;
test('the write-ahead log is written back now and then, also beside another connection, and nothing is lost', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const open = () => openLedger(file, standingClock());
  const other = await open();
  const sizes: number[] = [];
  for (let i = 0; i < 60; i++) {
    const ledger = await open();
    await recorded(ledger, sandboxPurchase(`INV-${i}`));
    await ledger.close();
    sizes.push(statSync(`${file}-wal`).size);
  }
  expect(Math.max(...sizes)).toBeLessThan(400 * KIB);
  expect(Math.max(...sizes)).toBeGreaterThan(100 * KIB);
  expect(await other.list({ limit: 100 })).toHaveLength(60);
  await other.close();
});
