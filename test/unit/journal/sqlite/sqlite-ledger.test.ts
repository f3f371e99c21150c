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
import type { Ledger, MoneyRequest } from '../../../../src/journal/ledger.ts';
import { type LedgerOptions, openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { LEDGER_MIGRATIONS } from '../../../../src/store/ledger/sqlite-schema.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { CALLS, ENVELOPE } from '../../../helpers/calls.ts';
import { createTestClient, standingClock } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { sandboxPurchase } from '../../../helpers/recorded.ts';
import { run } from '../../../helpers/run.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { ledgerCases, MACHINE, START } from '../ledger-cases.ts';

const clock = standingClock();
const newFile = () => path.join(temporaryDirectory(), 'state', 'ledger.db');

ledgerCases(async () => {
  const file = newFile();
  const clock = { time: Date.parse(START), now: () => new Date(clock.time) };
  const gone = new Set<string>();
  const open = async (operator: string, self: string | null, onLate?: LedgerOptions['onLate']) => {
    const ledger = await openLedger(file, clock, {
      onLate,
      author: { operator, machine: MACHINE },
      processes: { self, isGone: (name) => gone.has(name) },
    });
    onTestFinished(() => ledger.close());
    return ledger;
  };
  return {
    as: (process, onLate) => open(process, process, onLate),
    asNobody: () => open('nobody', null),
    end: async (process) => void gone.add(process),
    async pass(ms) {
      clock.time += ms;
    },
  };
});

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
        'PRAGMA application_id = 0x67776c67; PRAGMA user_version = 1; CREATE TABLE money_requests (id);',
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
        'PRAGMA application_id = 0x67776c67; PRAGMA user_version = 1',
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
  test.each(TROUBLES)('$what keeps a money request from being sent', async ({ make, message }) => {
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
    expect(failure.next).toMatch(/^Nothing was sent\. /);
    expect(server.connections).toBe(0);

    await client.call(...CALLS.read);
    await client.close();
    expect(server.requests).toHaveLength(1);
  });

  test('is the database of another program is left as it was', async () => {
    const file = path.join(temporaryDirectory(), 'photos.db');
    withTables(file, 'CREATE TABLE photos (id)');
    const before = readFileSync(file);
    await failureOf(() => openLedger(file, clock));
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test('another process keeps busy is waited for, and no longer than that', async () => {
    const file = path.join(temporaryDirectory(), 'ledger.db');
    await (await openLedger(file, clock)).close();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const ledger = await openLedger(file, clock, { busyTimeoutMs: BUSY_MS });
    const failure = await failureOf(() => ledger.list({ limit: 1 }).then(() => intend(ledger)));
    expect(failure.kind).toBe('guard');
    expect(failure.message).toContain('is locked');
    other.exec('ROLLBACK');
    expect(await intend(ledger)).toMatchObject({ kind: 'recorded' });
  });

  test('breaks between intent and outcome does not take the answer with it', async () => {
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
    expect(reply.unrecorded?.next).not.toContain('Nothing was sent');
    await client.close();
  });
});

describe('a user without the right to write', () => {
  const NOBODY = 65_534;
  let program: string;
  beforeAll(async () => {
    program = await bundle('test/unit/journal/program.ts');
  });
  /** As somebody whom file modes hold back; root is not. */
  const open = (file: string) =>
    run(process.execPath, [program, 'open', file], {
      ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
    });

  test.each([
    ['the file', 0o444, 0o777],
    ['the directory', 0o644, 0o555],
  ])('to %s pays nothing', async (_, fileMode, directoryMode) => {
    const directory = temporaryDirectory();
    const file = path.join(directory, 'ledger.db');
    const ledger = await openLedger(file, clock);
    await ledger.close();
    chmodSync(file, fileMode);
    chmodSync(directory, directoryMode);
    const { stdout, stderr } = await open(file);
    expect(stderr).toBe('');
    // A ledger that can only be read opens for `gw journal`; it is the intent that fails.
    expect(stdout === 'ok\n' || stdout.startsWith('guard: ')).toBe(true);
    chmodSync(directory, 0o700);
  });

  test('where the ledger should be made pays nothing', async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o555);
    const { stdout } = await open(path.join(directory, 'state', 'ledger.db'));
    expect(stdout).toMatch(/^guard: .* cannot be used: .*EACCES.* Nothing was sent\./);
  });
});

const intend = (ledger: Ledger, reference: string | null = null) =>
  ledger.intend({ ...sandboxPurchase(''), reference });

test('the file and its directory are private, and are made where they are missing', async () => {
  const file = newFile();
  await intend(await openLedger(file, clock));
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

test('writes of one turn share a transaction, and are on disk when they resolve', async () => {
  const file = newFile();
  let turns = 0;
  const ledger = await openLedger(file, clock, {
    async endOfTurn() {
      turns++;
    },
  });
  const reader = await openLedger(file, clock);
  await Promise.all(Array.from({ length: 20 }, (_, n) => intend(ledger, `R-${n}`)));
  expect(turns).toBe(1);
  expect(await reader.list({ limit: 99 })).toHaveLength(20);
});

describe('a ledger that an older gw wrote', () => {
  /** Makes a file as that version left it. */
  function oldFile(version: number, statements: string): string {
    const file = path.join(temporaryDirectory(), 'ledger.db');
    const migrations = LEDGER_MIGRATIONS.slice(0, version).join(';');
    return withTables(
      file,
      `${migrations}; PRAGMA application_id = 0x67776c67; PRAGMA user_version = ${version}; ${statements}`,
    );
  }
  const versionOf = (file: string) => {
    const database = new DatabaseSync(file);
    const { user_version } = database.prepare('PRAGMA user_version').get();
    database.close();
    return user_version;
  };
  const entry = (id: string, operation: string, target: string, state: string) =>
    `INSERT INTO money_requests (id, created_at, profile, environment, host, operation, target, amount, body, state)
     VALUES ('${id}', '2026-03-01T00:00:00Z', 'sandbox', 'sandbox', 'gateway.example', '${operation}', '${target}', 100, '{}', '${state}');`;

  test('of the first version has all of its entries', async () => {
    const file = oldFile(1, entry('x', 'refund create', 'P-1', 'sending'));
    const ledger = await openLedger(file, clock);
    expect(await ledger.find('x')).toMatchObject([
      { state: 'unknown', target: 'P-1', refundOf: 'P-1', batch: null, resolution: null },
    ]);
    expect(versionOf(file)).toBe(LEDGER_MIGRATIONS.length);
  });

  test('of version 5 knows what its refunds were drawn on, and sums them up', async () => {
    const seen = `INSERT INTO records_seen (profile, host, kind, id, environment, amount, first_seen_at, last_seen_at, seen_by, record)
      VALUES ('sandbox', 'gateway.example', 'purchase', 'P-1', 'sandbox', 1000, '', '', 'purchase get', '{}');`;
    const file = oldFile(
      5,
      [
        entry('a', 'refund create', 'P-1', 'done'),
        entry('b', 'refund create', 'P-1', 'unknown'),
        entry('c', 'refund create', 'P-1', 'rejected'),
        entry('d', 'purchase create', 'P-1', 'done'),
        seen,
      ].join(''),
    );
    const ledger = await openLedger(file, clock);
    const at = {
      account: 'a1',
      profile: 'sandbox',
      environment: 'sandbox',
      host: 'gateway.example',
    };
    expect(await ledger.balance(at, 'P-1')).toEqual({ paid: 1000, refunded: 100, uncertain: 100 });
    expect(await ledger.find('d')).toMatchObject([{ target: 'P-1', refundOf: null }]);
  });

  test('of version 6 refuses what it refused, whoever the account is', async () => {
    const columns =
      'id, created_at, profile, environment, host, operation, target, refund_of, amount, reference, body, state';
    const file = oldFile(
      6,
      `INSERT INTO money_requests (${columns}) VALUES
         ('a', '2026-03-01T00:00:00Z', 'sandbox', 'sandbox', 'gateway.example', 'refund create', 'P-1', 'P-1', 900, 'R-1', '{}', 'done'),
         ('b', '2026-03-01T00:00:00Z', 'sandbox', 'sandbox', 'gateway.example', 'purchase create', 'tok', NULL, 100, NULL, '{}', 'unknown');
       INSERT INTO records_seen VALUES ('sandbox', 'gateway.example', 'purchase', 'P-1', 'sandbox', NULL, NULL, NULL, 1000, '', '', 'purchase get', '{}');`,
    );
    const ledger = await openLedger(file, clock);
    const refund = { ...sandboxPurchase('R-1'), operation: 'refund create', refundOf: 'P-1' };
    const ask = (request: Partial<MoneyRequest>) =>
      ledger.intend(
        { ...refund, target: 'P-1', amount: 900, ...request },
        { noDuplicate: true, noOverRefund: true },
      );
    expect(await ask({})).toMatchObject({ kind: 'duplicate', of: { id: 'a', account: null } });
    expect(await ask({ reference: 'R-2', amount: 101 })).toEqual({
      kind: 'over-refund',
      balance: { paid: 1000, refunded: 900, uncertain: 0 },
    });
    const unreferenced = {
      operation: 'purchase create',
      target: 'tok',
      refundOf: null,
      amount: 100,
      reference: null,
    };
    expect(await ask(unreferenced)).toMatchObject({ kind: 'duplicate', of: { id: 'b' } });
    expect(await ask({ ...unreferenced, profile: 'other' })).toMatchObject({ kind: 'recorded' });
  });

  test('is upgraded once by processes that open it at the same time', async () => {
    const program = await bundle('test/unit/journal/program.ts');
    const file = oldFile(5, entry('a', 'refund create', 'P-1', 'done'));
    const ended = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, [program, 'open', file])),
    );
    expect(ended.map(({ stdout }) => stdout)).toEqual(Array(4).fill('ok\n'));
    expect(versionOf(file)).toBe(LEDGER_MIGRATIONS.length);
  });

  test('keeps a text that only looks encoded', async () => {
    const file = oldFile(5, entry('a', 'refund create', '\u0001json:{x', 'done'));
    expect(await (await openLedger(file, clock)).find('a')).toMatchObject([
      { target: '\u0001json:{x' },
    ]);
  });
});
