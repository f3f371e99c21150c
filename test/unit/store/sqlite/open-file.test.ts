/** The write-ahead log of the ledger: whoever opens the file next reads all of it first. */
import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { standingClock } from '../../../helpers/client.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const KIB = 1024;
test('the write-ahead log is written back regularly, even beside another connection, and nothing is lost', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const open = () => openSqliteLedger(file, standingClock());
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

test.each([
  ['moved away', (file: string) => renameSync(file, `${file}.away`)],
  ['emptied', (file: string) => truncateSync(file)],
])('a log whose file was %s is not discarded', async (_, lose) => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const ledger = await openSqliteLedger(file, standingClock());
  await recorded(ledger, sandboxPurchase('INV-1'));
  await ledger.close();
  copyFileSync(file, `${file}.kept`);
  const log = statSync(`${file}-wal`).size;
  lose(file);
  await expect(async () => openSqliteLedger(file, standingClock())).rejects.toMatchObject({
    kind: 'guard',
    code: 'file-lost',
    next: expect.stringContaining(`${file}-wal`),
  });
  expect(statSync(`${file}-wal`).size).toBe(log);
  renameSync(`${file}.kept`, file);
  const again = await openSqliteLedger(file, standingClock());
  expect(await again.list({ limit: 10 })).toHaveLength(1);
  await again.close();
});
