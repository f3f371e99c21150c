/** Ledgers that cannot be trusted with a payment, and what the money does then: it stays. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSingleSender } from '../../../../src/client/senders/single.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { LEDGER_FILE_FORM } from '../../../../src/store/ledger/sqlite-schema.ts';
import { allRows } from '../../../../src/store/sql.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { CALLS, ENVELOPE } from '../../../helpers/calls.ts';
import { createTestClient, standingClock } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { run } from '../../../helpers/run.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const clock = standingClock();
const newFile = () => path.join(temporaryDirectory(), 'state', 'ledger.db');

const BUSY_MS = 20;

interface Trouble {
  what: string;
  /** Makes the trouble. @returns the file that is to be the ledger */
  make: (directory: string) => string;
  message: RegExp;
}

const withTables = (file: string, statements: string): string => {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  return file;
};

const TROUBLES: Trouble[] = [
  {
    what: 'is no database',
    make(directory) {
      const file = path.join(directory, 'ledger.db');
      writeFileSync(file, 'Dear diary, today I charged a card. '.repeat(100));
      return file;
    },
    message: /is damaged or is not a database/,
  },
  {
    what: 'is damaged in the middle',
    make(directory) {
      const file = withTables(
        path.join(directory, 'ledger.db'),
        `PRAGMA application_id = 0x67776c67; PRAGMA user_version = ${LEDGER_FILE_FORM}; CREATE TABLE money_requests (id);`,
      );
      const bytes = readFileSync(file);
      bytes.fill(0xff, 4096);
      bytes.fill(0xff, 100, 4096);
      writeFileSync(file, bytes);
      return file;
    },
    message: /is damaged or is not a database/,
  },
  {
    what: 'is the database of another program',
    make: (directory) =>
      withTables(path.join(directory, 'x.db'), 'CREATE TABLE photos (id); PRAGMA user_version = 3'),
    message: /is a database, but not a gw ledger/,
  },
  {
    what: 'is the database of another program that does not say so',
    make: (directory) => withTables(path.join(directory, 'x.db'), 'CREATE TABLE photos (id)'),
    message: /is a database, but not a gw ledger/,
  },
  {
    what: 'is marked by another program',
    make: (directory) => withTables(path.join(directory, 'x.db'), 'PRAGMA application_id = 7'),
    message: /is a database, but not a gw ledger/,
  },
  {
    what: 'was written by a newer gw',
    make: (directory) =>
      withTables(
        path.join(directory, 'x.db'),
        'PRAGMA application_id = 0x67776c67; PRAGMA user_version = 99',
      ),
    message: /was written by a newer gw/,
  },
  {
    what: 'has lost its table',
    make: (directory) =>
      withTables(
        path.join(directory, 'x.db'),
        `PRAGMA application_id = 0x67776c67; PRAGMA user_version = ${LEDGER_FILE_FORM}`,
      ),
    message: /no such table/,
  },
  {
    what: 'is a directory',
    make(directory) {
      const file = path.join(directory, 'ledger.db');
      mkdirSync(file);
      return file;
    },
    message: /cannot be used/,
  },
  {
    what: 'has a file where its directory should be',
    make(directory) {
      writeFileSync(path.join(directory, 'state'), '');
      return path.join(directory, 'state', 'ledger.db');
    },
    message: /cannot be used/,
  },
  {
    what: 'is a link that leads nowhere',
    make(directory) {
      const file = path.join(directory, 'ledger.db');
      symlinkSync(path.join(directory, 'gone', 'ledger.db'), file);
      return file;
    },
    message: /cannot be used/,
  },
];

describe('a ledger that', () => {
  test.each(TROUBLES)('$what stops a money request', async ({ make, message }) => {
    const server = await hostileServer({
      onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
    });
    const file = make(temporaryDirectory());
    const { client } = createTestClient({
      baseUrl: server.url,
      sender: createSingleSender(),
      ledgerFile: file,
    });
    const failure = await failureOf(() => client.call(...CALLS.money));
    expect(failure).toMatchObject({ kind: 'guard', exitCode: 10 });
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain(file);
    expect(failure.sent).toBe(false);
    expect(server.connections).toBe(0);

    await client.call(...CALLS.read);
    await client.close();
    expect(server.requests).toHaveLength(1);
  });

  test('is the database of another program stays unchanged', async () => {
    const file = path.join(temporaryDirectory(), 'photos.db');
    withTables(file, 'CREATE TABLE photos (id)');
    const before = readFileSync(file);
    await failureOf(() => openSqliteLedger(file, clock));
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test('another process uses is waited for, up to a limit', async () => {
    const file = path.join(temporaryDirectory(), 'ledger.db');
    await (await openSqliteLedger(file, clock)).close();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const ledger = await openSqliteLedger(file, clock, { busyTimeoutMs: BUSY_MS });
    const failure = await failureOf(() => ledger.list({ limit: 1 }).then(() => intend(ledger)));
    expect(failure.kind).toBe('guard');
    expect(failure.message).toContain('is locked');
    other.exec('ROLLBACK');
    expect(await intend(ledger)).toMatchObject({ kind: 'recorded' });
  });

  test('breaks between intent and outcome does not lose the answer', async () => {
    const server = await hostileServer({
      onRequest(socket) {
        withTables(ledgerFile, 'DROP TABLE money_requests');
        socket.write(answer(200, ENVELOPE));
      },
    });
    const { client, ledgerFile } = createTestClient({
      baseUrl: server.url,
      sender: createSingleSender(),
    });
    const reply = await client.call(...CALLS.money);
    expect(reply.outcome).toBe('approved');
    expect(reply.unrecorded?.message).toContain('no such table');
    expect(reply.unrecorded?.sent).toBeUndefined();
    await client.close();
  });
});

describe('a user without the right to write', () => {
  const NOBODY = 65_534;
  let program: string;
  beforeAll(async () => {
    program = await bundle('test/unit/journal/program.ts');
  });
  /** Runs as a user to whom file modes apply; they do not apply to root. */
  const open = (file: string) =>
    run(process.execPath, [program, 'open', file], {
      ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
    });

  test.each([
    ['the file', 0o444, 0o777],
    ['the directory', 0o644, 0o555],
  ])('to %s sends no money request', async (_, fileMode, directoryMode) => {
    const directory = temporaryDirectory();
    const file = path.join(directory, 'ledger.db');
    const ledger = await openSqliteLedger(file, clock);
    await ledger.close();
    chmodSync(file, fileMode);
    chmodSync(directory, directoryMode);
    const { stdout, stderr } = await open(file);
    expect(stderr).toBe('');
    // A ledger that can only be read opens for `gw journal`; it is the intent that fails.
    expect(stdout === 'ok\n' || stdout.startsWith('guard: ')).toBe(true);
    chmodSync(directory, 0o700);
  });

  test("in the ledger's folder sends no money request", async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o555);
    const { stdout } = await open(path.join(directory, 'state', 'ledger.db'));
    expect(stdout).toMatch(/^guard: .* cannot be used: .*EACCES.* sent: false/);
  });
});

const intend = (ledger: Ledger, reference: string | null = null) =>
  ledger.intend({ ...sandboxPurchase(''), reference });

test('the file and its directory are private and are created if they are missing', async () => {
  const file = newFile();
  await intend(await openSqliteLedger(file, clock));
  const directory = path.dirname(file);
  const modes = readdirSync(directory).map((name) => [
    name,
    statSync(path.join(directory, name)).mode & 0o777,
  ]);
  expect(Object.fromEntries(modes)).toEqual({
    'ledger.db': 0o600,
    'ledger.db-wal': 0o600,
    'ledger.db-shm': 0o600,
  });
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('an entry names its sender only until it has an outcome', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const processes = { self: 'desk 1', isGone: () => false };
  const ledger = await openSqliteLedger(file, standingClock(), { processes });
  onTestFinished(() => ledger.close());
  const owner = () => ledger.sql.read(() => allRows('SELECT owner FROM gw.money_requests'));
  const id = await recorded(ledger, sandboxPurchase('INV-1'));
  expect(await owner()).toEqual([{ owner: 'desk 1' }]);
  await ledger.settle(id, { state: 'unknown', status: null, recordId: null, message: null });
  expect(await owner()).toEqual([{ owner: null }]);
});

test('writes of one turn share a transaction and are on disk when they resolve', async () => {
  const file = newFile();
  let turns = 0;
  const ledger = await openSqliteLedger(file, clock, {
    async endOfTurn() {
      turns++;
    },
  });
  const reader = await openSqliteLedger(file, clock);
  await Promise.all(Array.from({ length: 20 }, (_, n) => intend(ledger, `R-${n}`)));
  expect(turns).toBe(1);
  expect(await reader.list({ limit: 99 })).toHaveLength(20);
});

test('a file of a development version is refused and stays unchanged', async () => {
  const file = newFile();
  await (await openSqliteLedger(file, clock)).close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 16; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const before = readFileSync(file);
  const failure = await failureOf(() => openSqliteLedger(file, clock));
  expect(failure).toMatchObject({ kind: 'guard', code: 'file-older' });
  expect(failure.message).toContain('was written by a development version of gw');
  expect(failure.next).toContain('start a new one');
  expect(readFileSync(file).equals(before)).toBe(true);
});
