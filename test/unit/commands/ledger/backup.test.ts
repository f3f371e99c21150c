import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import backup from '../../../../src/commands/ledger/backup.command.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { allRows, insert } from '../../../../src/store/sql.ts';
import { makeBackup } from '../../../../src/store/sqlite/backup-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { createTestHost, type TestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

/** A machine whose ledger has some entries that are in its log alone. */
function machineWith(entries: number) {
  const host = createTestHost();
  const from = ledgerPath(host.files);
  const database = new Database(ledgerFile(from));
  onTestFinished(() => database.close());
  database.write((queries) => {
    for (let n = 0; n < entries; n++)
      queries.do(
        insert('money_requests', {
          ...{
            id: `e${n}`,
            created_at: '2026-03-10T09:30:00.000Z',
            account: 'a1',
            profile: 'shop',
          },
          ...{ environment: 'live', host: 'h', operation: 'purchase create', body: '{}' },
          state: 'done',
        }),
      );
  });
  return { host, from };
}

async function backUp(host: TestHost, to: string) {
  const context = { host, redactor: new Redactor(), root: '.' };
  await backup.run(context, { args: { file: to }, argv: [to], flags: {} });
  return host.stderr.text;
}

function idsIn(file: string): string[] {
  const database = new Database(ledgerFile(file));
  try {
    return database.read((queries) =>
      queries
        .do(allRows<{ id: string }>('SELECT id FROM money_requests ORDER BY id'))
        .map(({ id }) => id),
    );
  } finally {
    database.close();
  }
}

test('a backup has the entries of the log, is private and opens as a ledger', async () => {
  const { host, from } = machineWith(3);
  expect(statSync(`${from}-wal`).size).toBeGreaterThan(0);
  const to = path.join(temporaryDirectory(), 'backup.db');
  expect(await backUp(host, to)).toMatch(/^Copied .* to .*backup\.db \([\d,]+ bytes\)\.\n$/);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(to))).toEqual(['backup.db']);
  expect(idsIn(to)).toEqual(['e0', 'e1', 'e2']);
});

test('a backup replaces nothing', async () => {
  const { host } = machineWith(1);
  const to = path.join(temporaryDirectory(), 'backup.db');
  writeFileSync(to, 'mine');
  expect(await failureOf(() => backUp(host, to))).toMatchObject({ code: 'file-exists' });
  expect(statSync(to).size).toBe(4);
});

test('a backup does not replace a file that appears meanwhile', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  const made = makeBackup(to, (partial) => {
    writeFileSync(partial, 'a backup');
    writeFileSync(to, 'mine');
  });
  expect(await failureOf(() => made)).toMatchObject({ code: 'file-exists' });
  expect(readdirSync(path.dirname(to))).toEqual(['backup.db']);
});

test('a backup that fails leaves no file', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  const made = makeBackup(to, (partial) => {
    writeFileSync(partial, 'half');
    throw new Error('killed');
  });
  await expect(made).rejects.toThrow('killed');
  expect(readdirSync(path.dirname(to))).toEqual([]);
  const nowhere = path.join(path.dirname(to), 'not-there', 'backup.db');
  expect(await failureOf(() => backUp(machineWith(1).host, nowhere))).toMatchObject({
    code: 'file-unusable',
  });
});

test('a backup without a ledger has nothing to copy', async () => {
  const to = path.join(temporaryDirectory(), 'backup.db');
  expect(await failureOf(() => backUp(createTestHost(), to))).toMatchObject({
    code: 'ledger-missing',
  });
  expect(existsSync(to)).toBe(false);
});
