import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { copyLedger, copyRows } from '../../../../src/setup/ledger/copy.ts';
import { openSource, openTarget } from '../../../../src/setup/ledger/ledgers.ts';
import { checkForm } from '../../../../src/store/ledger/init.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import type {
  EntryRow,
  RecordRow,
  RowSource,
} from '../../../../src/store/ledger/rows/ledger-rows.ts';
import { rowSource } from '../../../../src/store/ledger/rows/row-source.ts';
import { rowTarget } from '../../../../src/store/ledger/rows/row-target.ts';
import { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import type { Server } from '../../../../src/store/postgres/server.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { SqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { standingClock } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { Cluster, findPostgres, serverOf, type TestDatabase } from '../../../helpers/postgres.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const programs = findPostgres();
const AT = '2026-03-10T09:30:00.000Z';

interface Rows {
  entries: EntryRow[];
  records: RecordRow[];
}

const text = fc.string({ unit: 'binary', maxLength: 8 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = text.map((value) => JSON.stringify({ value }));
const amount = fc.maxSafeInteger();

function entry(n: number): fc.Arbitrary<EntryRow> {
  return fc.record({
    id: fc.constant(`entry-${n}`),
    created_at: time,
    account: maybe(text),
    profile: text,
    environment: text,
    host: text,
    operation: text,
    target: maybe(text),
    refund_of: maybe(text),
    amount: maybe(amount),
    currency: maybe(text),
    reference: maybe(text),
    body: json,
    batch: maybe(fc.constantFrom('b1', 'b2')),
    line: fc.constant(`line ${n}`),
    operator: maybe(text),
    machine: maybe(text),
    state: fc.constantFrom('sending', 'unknown', 'done', 'declined', 'not-done'),
    settled_at: maybe(time),
    status: maybe(fc.integer({ min: 100, max: 599 })),
    record_id: maybe(text),
    message: maybe(text),
    superseded: fc.boolean(),
    resolution: maybe(text),
    resolved_by: maybe(text),
  });
}

function record(n: number): fc.Arbitrary<RecordRow> {
  return fc.record({
    account: maybe(text),
    profile: text,
    host: text,
    kind: fc.constantFrom('purchase', 'refund', 'customer', 'card'),
    id: text.map((value) => `${n} ${value}`),
    environment: text,
    reference: maybe(text),
    name: maybe(text),
    last_four: maybe(text),
    amount: maybe(amount),
    first_seen_at: time,
    last_seen_at: time,
    seen_by: text,
    record: json,
  });
}

function numbered<Row>(of: (n: number) => fc.Arbitrary<Row>, most: number): fc.Arbitrary<Row[]> {
  return fc
    .integer({ min: 0, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => of(n))));
}

const ledger: fc.Arbitrary<Rows> = fc.record({
  entries: numbered(entry, 12),
  records: numbered(record, 8),
});

describe.skipIf(programs === undefined)('copying a ledger', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  const newFile = () => path.join(temporaryDirectory(), 'ledger.db');

  function openFile(file: string): SqliteStore {
    const store = new SqliteStore(new Database(ledgerFile(file)), standingClock());
    onTestFinished(() => store.close());
    return store;
  }

  async function made(rows: Partial<Rows>): Promise<string> {
    const file = newFile();
    const target = rowTarget(openFile(file));
    await target.putEntries(rows.entries ?? []);
    await target.putRecords(rows.records ?? []);
    return file;
  }

  async function all(source: RowSource): Promise<Rows> {
    const found: Rows = { entries: [], records: [] };
    for await (const page of source.entries()) found.entries.push(...page);
    for await (const page of source.records()) found.records.push(...page);
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    found.entries.sort(byId);
    found.records.sort(byId);
    return found;
  }

  const inFile = (file: string) => all(rowSource(openFile(file)));

  const onServer = ({ url }: TestDatabase) => all(rowSource(new PostgresStore(open(url))));

  function open(url: string): Server {
    const server = serverOf(url);
    onTestFinished(() => server.close());
    return server;
  }

  /** As `gw ledger copy FROM TO`. */
  async function copy(from: string, to: string): Promise<string> {
    const host = createTestHost();
    await copyLedger(
      { host, redactor: new Redactor(), root: '.' },
      { from, to, profile: undefined },
    );
    return host.stderr.text;
  }

  test('whatever is in a ledger is the same there and back, however often it is copied', async () => {
    await fc.assert(
      fc.asyncProperty(ledger, async (rows) => {
        const [from, database, to] = [await made(rows), await cluster.database(), newFile()];
        await copy(from, database.url);
        await copy(from, database.url);
        await copy(database.url, to);
        const before = await inFile(from);
        expect(await onServer(database)).toEqual(before);
        expect(await inFile(to)).toEqual(before);
        expect(await copy(database.url, from)).toMatch(/: 0 entries.*, 0 records/);
        expect(await inFile(from)).toEqual(before);
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  test('a copy that was ended anywhere and is begun again comes to the same end', async () => {
    const pick = fc.sample(ledger, { numRuns: 1, seed: 7 });
    const rows = pick[0] ?? { entries: [], records: [] };
    const from = await made(rows);
    const host = createTestHost();
    const whole = await cluster.database();
    await copy(from, whole.url);
    for (let pages = 0; pages < 8; pages++) {
      const database = await cluster.database();
      const source = await openSource(host, { kind: 'file', path: from, chosenBy: 'default' });
      const { parseLedgerAddress } = await import('../../../../src/store/postgres/address.ts');
      const target = await openTarget(host, {
        kind: 'server',
        address: parseLedgerAddress(database.url, 'It'),
        command: undefined,
        chosenBy: 'profile',
      });
      let left = pages;
      const ended = copyRows(source.rows, target, async () => {
        if (left-- === 0) throw new Error('killed');
      });
      await ended.catch((error: Error) => expect(error.message).toBe('killed'));
      await source.close();
      await target.close();
      await copy(from, database.url);
      expect(await onServer(database)).toEqual(await onServer(whole));
      const documentsOf = (name: string) =>
        cluster.query(name, 'SELECT origin, text FROM gw.facts ORDER BY origin');
      expect(await documentsOf(database.name)).toEqual(await documentsOf(whole.name));
    }
  }, 60_000);

  const plain: EntryRow = {
    ...{ id: 'a', created_at: AT, account: 'acc', profile: 'shop', environment: 'live' },
    ...{ host: 'h', operation: 'refund create', target: 'P1', refund_of: 'P1', amount: 500 },
    ...{ currency: 'AUD', reference: 'R', body: '{}', batch: 'b', line: 'l', operator: 'ada' },
    ...{ machine: 'desk', state: 'unknown', settled_at: null, status: null, record_id: null },
    ...{ message: null, superseded: false, resolution: null, resolved_by: null },
  };

  test('an outcome is added to what had none, and never taken back', async () => {
    const database = await cluster.database();
    await copy(await made({ entries: [plain] }), database.url);
    const done = { ...plain, state: 'done', status: 200, record_id: 'X', settled_at: AT };
    await copy(await made({ entries: [done] }), database.url);
    expect((await onServer(database)).entries).toEqual([done]);
    await copy(await made({ entries: [plain] }), database.url);
    expect((await onServer(database)).entries).toEqual([done]);
    const file = await made({ entries: [plain] });
    await copy(database.url, file);
    expect((await inFile(file)).entries).toEqual([done]);
  });

  test('a line that was sent from both is told, and neither is lost', async () => {
    const database = await cluster.database();
    const other = { ...plain, id: 'b', operator: 'bob' };
    await copy(await made({ entries: [plain] }), database.url);
    const text = await copy(await made({ entries: [other] }), database.url);
    expect(text).toContain('1 line of a batch was sent from both ledgers: b.');
    expect((await onServer(database)).entries).toEqual([plain, { ...other, superseded: true }]);
    const file = await made({ entries: [other] });
    expect(await copy(database.url, file)).toContain('sent from both ledgers: a.');
    expect((await inFile(file)).entries).toEqual([{ ...plain, superseded: true }, other]);
  });

  test('two copies at once count each row once between them', async () => {
    const entries = Array.from({ length: 600 }, (_, n) => ({
      ...plain,
      id: `e${n}`,
      line: `${n}`,
    }));
    const [seen] = fc.sample(record(1), { numRuns: 1, seed: 5 });
    if (!seen) throw new Error('no rows');
    const records = entries.map(({ id }) => ({ ...seen, id }));
    const from = await made({ entries, records });
    const database = await cluster.database();
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    for (const to of [database.url, newFile()]) {
      // Both have seen that nothing is there when the first one writes.
      const told = await open(database.url).transaction(async (run) => {
        await run('LOCK TABLE gw.money_requests IN SHARE MODE');
        const copies = [copy(from, to), copy(from, to)];
        if (to === database.url)
          await expect.poll(() => cluster.query(database.name, waiting)).toHaveLength(2);
        return copies;
      });
      const texts = await Promise.all(told);
      const counts = texts.map((text) =>
        [...text.matchAll(/(\d+) (?:entr|rec)/g)].map(([, n]) => Number(n)),
      );
      const sums = [0, 1].map((i) => counts.reduce((sum, each) => sum + (each[i] ?? 0), 0));
      expect(sums).toEqual([600, 600]);
      expect(texts.join()).not.toContain('sent from both');
    }
  });

  test('what is copied is found by its words', async () => {
    const seen: RecordRow = {
      ...{ account: 'acc', profile: 'shop', host: 'h', kind: 'purchase', id: 'P1' },
      ...{ environment: 'live', reference: 'ORDER-77', name: 'Zoe Quill', last_four: '1111' },
      ...{ amount: 900, first_seen_at: AT, last_seen_at: AT, seen_by: 'purchase get' },
      record: JSON.stringify({ id: 'P1', card_holder: 'Zoe Quill', amount: 900, currency: 'AUD' }),
    };
    const from = await made({ entries: [plain], records: [seen] });
    const database = await cluster.database();
    await copy(from, database.url);
    const documents = await cluster.query<{ kind: string; who: string; reference: string }>(
      database.name,
      'SELECT kind, who, reference FROM gw.facts ORDER BY kind',
    );
    expect(documents).toEqual([
      { kind: 'purchase', who: 'Zoe Quill', reference: 'ORDER-77' },
      { kind: 'request', who: 'Zoe Quill', reference: 'R' },
    ]);
  });

  test('a ledger is not copied into itself, nor into one of a newer gw', async () => {
    const file = await made({});
    expect(await failureOf(() => copy(file, file))).toMatchObject({ code: 'ledgers-are-one' });
    const database = await cluster.database();
    await cluster.query(database.name, 'UPDATE gw.ledger SET form = form + 1');
    expect(await failureOf(() => copy(file, database.url))).toMatchObject({ code: 'ledger-newer' });
    expect(await failureOf(() => copy(database.url, file))).toMatchObject({ code: 'ledger-newer' });
    const server = open(database.url);
    expect(await failureOf(() => server.transaction((run) => checkForm(run, 'x')))).toMatchObject({
      code: 'ledger-newer',
    });
    expect(await failureOf(() => copy('./not-there.db', database.url))).toMatchObject({
      code: 'ledger-missing',
    });
  });
});
