/** A write counts as on disk only after a sync that began after it. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { LogSync } from '../../../../src/store/sqlite/log-sync.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const newFile = () => path.join(temporaryDirectory(), 'ledger.db');

function logOf(file = newFile(), hasLog = true) {
  if (hasLog) writeFileSync(`${file}-wal`, 'log');
  return new LogSync({ path: file, name: "The ledger's file", repair: 'Move it away.' });
}

test('a request during a sync waits for one of its own', async () => {
  const log = logOf();
  const ends: string[] = [];
  const first = log.sync().then(() => ends.push('first'));
  // The first has begun by now.
  await Promise.resolve();
  const later = [log.sync(), log.sync()];
  await Promise.all([first, ...later.map((one) => one.then(() => ends.push('later')))]);
  expect(ends).toEqual(['first', 'later', 'later']);
  await log.close();
});

test('all requests fail after one failure, also when the disk works again', async () => {
  const file = newFile();
  const log = logOf(file, false);
  await expect(log.sync()).rejects.toThrow(Failure);
  writeFileSync(`${file}-wal`, 'log');
  const asked = log.sync();
  await expect(asked).rejects.toMatchObject({ kind: 'usage', code: 'file-unusable' });
  await log.close();
});

test('the file is closed after the last sync', async () => {
  const log = logOf();
  let isSynced = false;
  void log.sync().then(() => (isSynced = true));
  await log.close();
  expect(isSynced).toBe(true);
  // The number of its file is free again.
  const next = openSync(import.meta.filename, 'r');
  closeSync(next);
});
