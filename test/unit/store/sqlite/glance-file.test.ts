/** A file that is read for a Tab key stays as it is, with whatever lies beside it. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { allRows, runSql, type Work } from '../../../../src/store/sql.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { glanceFile } from '../../../../src/store/sqlite/glance-file.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const names = (): Work<{ purchase: string }[]> =>
  allRows('SELECT purchase FROM gw.pruned_refunds', {});
const ADD = "INSERT INTO gw.pruned_refunds VALUES ('R-1', 'a', 'p', 'P-1', 100)";

function aLedger() {
  const folder = temporaryDirectory();
  const format = ledgerFile(path.join(folder, 'ledger.db'));
  const database = new Database(format);
  database.write((queries) => queries.do(runSql(ADD)));
  return { folder, format, database };
}

/** The index of the log is shared memory, in which each reader notes what it reads. */
const contents = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [name, readFileSync(path.join(folder, name)).toString('latin1')]);

test('rows are read that another connection has just written, and nothing is changed', () => {
  const { folder, format, database } = aLedger();
  const before = contents(folder);
  expect(glanceFile(format.path, names())).toEqual([{ purchase: 'P-1' }]);
  expect(contents(folder)).toEqual(before);
  database.close();
});

test('a writer that has begun is not waited for, and does not wait', () => {
  const { format, database } = aLedger();
  database.write((queries) => {
    expect(glanceFile(format.path, names())).toEqual([{ purchase: 'P-1' }]);
    queries.do(runSql("DELETE FROM gw.pruned_refunds WHERE id = 'R-1'"));
  });
  expect(glanceFile(format.path, names())).toEqual([]);
  database.close();
});

test('a file without a log gets none', () => {
  const { format, database } = aLedger();
  database.compact();
  const copy = path.join(temporaryDirectory(), 'a b?#%.db');
  copyFileSync(format.path, copy);
  expect(glanceFile(copy, names())).toEqual([{ purchase: 'P-1' }]);
  expect(readdirSync(path.dirname(copy))).toEqual(['a b?#%.db']);
  database.close();
});

test('work that would write fails', () => {
  const { format, database } = aLedger();
  expect(() => glanceFile(format.path, runSql('DELETE FROM gw.pruned_refunds'))).toThrow(
    /readonly/,
  );
  database.close();
});

test('a missing file throws and is not made, and a damaged one throws', () => {
  const folder = temporaryDirectory();
  expect(() => glanceFile(path.join(folder, 'no.db'), names())).toThrow();
  expect(readdirSync(folder)).toEqual([]);
  const damaged = path.join(folder, 'ledger.db');
  writeFileSync(damaged, 'not a database, although it is long enough to be taken for one');
  expect(() => glanceFile(damaged, names())).toThrow();
});
