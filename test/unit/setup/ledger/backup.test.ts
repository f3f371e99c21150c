import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { backUpLedger } from '../../../../src/setup/ledger/backup.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { makeBackup } from '../../../../src/store/sqlite/backup-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { inspectFile } from '../../../../src/store/sqlite/inspect-file.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { Cluster, findPostgres } from '../../../helpers/postgres.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const programs = findPostgres();

async function backUp(from: string, to: string) {
  const host = createTestHost();
  const context = { host, redactor: new Redactor(), root: '.' };
  await backUpLedger(context, to, { from, profile: undefined });
  return host.stderr.text;
}

function ledgerWith(entries: number): string {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const database = new Database(ledgerFile(file));
  onTestFinished(() => database.close());
  database.write((queries) => {
    for (let n = 0; n < entries; n++)
      queries.insert('money_requests', {
        ...{ id: `e${n}`, created_at: '2026-03-10T09:30:00.000Z', profile: 'shop' },
        ...{ environment: 'live', host: 'h', operation: 'purchase create', body: '{}' },
        state: 'done',
      });
  });
  return file;
}

function idsIn(file: string): string[] {
  const database = new Database(ledgerFile(file));
  try {
    return database.read((queries) =>
      queries.all<{ id: string }>('SELECT id FROM money_requests ORDER BY id').map(({ id }) => id),
    );
  } finally {
    database.close();
  }
}

test('a file is copied with what is in its log alone, private, and is a ledger', async () => {
  const from = ledgerWith(3);
  expect(statSync(`${from}-wal`).size).toBeGreaterThan(0);
  const to = path.join(temporaryDirectory(), 'backup.db');
  expect(await backUp(from, to)).toMatch(/^Copied .* to .*backup\.db \([\d,]+ bytes\)\.\n$/);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(to))).toEqual(['backup.db']);
  expect(idsIn(to)).toEqual(['e0', 'e1', 'e2']);
  expect(inspectFile(ledgerFile(to)).faults).toEqual([]);
});

test('a backup replaces nothing', async () => {
  const from = ledgerWith(1);
  const to = path.join(temporaryDirectory(), 'backup.db');
  writeFileSync(to, 'mine');
  expect(await failureOf(() => backUp(from, to))).toMatchObject({ code: 'file-exists' });
  expect(statSync(to).size).toBe(4);
});

test('somebody who makes the file meanwhile keeps it', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  const made = makeBackup(to, (partial) => {
    writeFileSync(partial, 'a backup');
    writeFileSync(to, 'mine');
  });
  expect(await failureOf(() => made)).toMatchObject({ code: 'file-exists' });
  expect(readdirSync(path.dirname(to))).toEqual(['backup.db']);
});

test('one that fails leaves nothing', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  const made = makeBackup(to, (partial) => {
    writeFileSync(partial, 'half');
    throw new Error('killed');
  });
  await expect(made).rejects.toThrow('killed');
  expect(readdirSync(path.dirname(to))).toEqual([]);
  const nowhere = path.join(path.dirname(to), 'not-there', 'backup.db');
  expect(await failureOf(() => backUp(ledgerWith(1), nowhere))).toMatchObject({
    code: 'file-unusable',
  });
});

test('what is no ledger, or not there, is not backed up', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  expect(await failureOf(() => backUp('./not-there.db', to))).toMatchObject({
    code: 'ledger-missing',
  });
  expect(existsSync(to)).toBe(false);
});

describe.skipIf(programs === undefined)('a backup of a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  test('it is a ledger in a file, as the server was when it began', async () => {
    const database = await cluster.database();
    await cluster.query(
      database.name,
      `INSERT INTO gw.money_requests (id, created_at, profile, environment, host, operation, body, state)
       SELECT 'e' || n, now(), 'shop', 'live', 'h', 'purchase create', '{}', 'done'
         FROM generate_series(1, 1200) AS n`,
    );
    const to = path.join(temporaryDirectory(), 'backup.db');
    await backUp(database.url, to);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(to))).toEqual(['backup.db']);
    expect(idsIn(to)).toHaveLength(1200);
    const documents = new Database(ledgerFile(to));
    onTestFinished(() => documents.close());
    expect(documents.read((queries) => queries.one('SELECT count(*) AS count FROM facts'))).toEqual(
      {
        count: 1200,
      },
    );
  });

  test('of a ledger that a newer gw made there is none', async () => {
    const database = await cluster.database();
    await cluster.query(database.name, 'UPDATE gw.ledger SET form = form + 1');
    const to = path.join(temporaryDirectory(), 'backup.db');
    expect(await failureOf(() => backUp(database.url, to))).toMatchObject({ code: 'ledger-newer' });
    expect(readdirSync(path.dirname(to))).toEqual([]);
  });
});
