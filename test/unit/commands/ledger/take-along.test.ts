import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { takeAlong } from '../../../../src/commands/ledger/take-along.ts';
import { learnAllDue } from '../../../../src/requests/known/learn-due.ts';
import { makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { type RowValues, textOfObject } from '../../../../src/store/ledger/object-text.ts';
import { LEFT_OPEN } from '../../../../src/store/ledger/take-along.ts';
import type { Server } from '../../../../src/store/postgres/server.ts';
import { insert, type SqlValues } from '../../../../src/store/sql.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { serverStore } from '../../../helpers/stores.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const programs = findPostgres();
const AT = '2026-03-10T09:30:00.000Z';

interface Rows {
  entries: SqlValues[];
  records: SqlValues[];
}

const text = fc.string({ unit: 'binary', maxLength: 8 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = text.map((value) => JSON.stringify({ value }));
const amount = fc.maxSafeInteger();

const deed = fc.record({
  at: time,
  what: text,
  fields: fc.array(text),
  operator: text,
  note: maybe(text),
});

const entry = (n: number): fc.Arbitrary<SqlValues> =>
  fc.record({
    ...{ id: fc.constant(`entry-${n}`), created_at: time, account: text, profile: text },
    ...{ environment: text, host: text, operation: text, target: maybe(text) },
    ...{ refund_of: maybe(text), amount: maybe(amount), currency: maybe(text) },
    ...{ reference: maybe(text), body: json, batch: maybe(fc.constantFrom('b1', 'b2')) },
    ...{
      line: fc.constant(`line ${n}`),
      occurrence: fc.constant(1),
      operator: maybe(text),
      machine: maybe(text),
    },
    state: fc.constantFrom('unknown', 'done', 'declined', 'not-done'),
    ...{ settled_at: maybe(time), status: maybe(fc.integer({ min: 100, max: 599 })) },
    ...{
      record_id: maybe(text),
      message: maybe(text),
      transaction_date: maybe(time),
      superseded: fc.constantFrom(0, 1),
    },
    ...{ resolution: maybe(text), resolved_by: maybe(text) },
  });

const record = (n: number): fc.Arbitrary<SqlValues> =>
  fc.record({
    ...{ account: text, profile: text, host: text },
    kind: fc.constantFrom('purchase', 'refund', 'customer', 'card'),
    id: text.map((value) => `${n} ${value}`),
    ...{ environment: text, reference: maybe(text), name: maybe(text), last_four: maybe(text) },
    ...{
      amount: maybe(amount),
      currency: maybe(text),
      first_seen_at: time,
      last_seen_at: time,
      seen_by: text,
    },
    record: json,
    deeds: fc.array(deed, { maxLength: 2 }).map((deeds) => JSON.stringify(deeds)),
  });

const several = <Row>(of: (n: number) => fc.Arbitrary<Row>, most: number) =>
  fc
    .integer({ min: 0, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => of(n))));

const ledger = fc.record({ entries: several(entry, 12), records: several(record, 8) });

const PLAIN: SqlValues = {
  ...{ id: 'a', created_at: AT, account: 'acc', profile: 'shop', environment: 'live', host: 'h' },
  ...{ operation: 'purchase create', target: 'P1', refund_of: null, amount: 900, currency: 'AUD' },
  ...{ reference: 'R', body: '{}', batch: 'b', line: 'l', occurrence: 1 },
  ...{ operator: 'ada', machine: 'desk' },
  ...{
    state: 'done',
    settled_at: AT,
    status: 200,
    record_id: 'P1',
    message: null,
    transaction_date: AT,
  },
  ...{ superseded: 0, resolution: null, resolved_by: null },
};
const SEEN: SqlValues = {
  ...{ account: 'acc', profile: 'shop', host: 'h', kind: 'purchase', id: 'P1' },
  ...{ environment: 'live', reference: 'ORDER-77', name: 'Zoe Quill', last_four: '1111' },
  ...{ amount: 900, currency: 'AUD', first_seen_at: AT, last_seen_at: AT, seen_by: 'purchase get' },
  record: JSON.stringify({ id: 'P1', card_holder: 'Zoe Quill', amount: 900, currency: 'AUD' }),
  deeds: '[]',
};

describe.skipIf(programs === undefined)('moving a ledger file to a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  function open({ url }: TestDatabase, role = 'gw'): Server {
    const server = serverOf(url.replace('gw@', `${role}@`));
    onTestFinished(() => server.close());
    return server;
  }

  function fileOf({ entries = [], records = [] }: Partial<Rows>): string {
    const file = path.join(temporaryDirectory(), 'ledger.db');
    const database = new Database(ledgerFile(file));
    database.write((queries) => {
      for (const row of entries)
        queries.do(insert('money_requests', { ...row, body: inFile(row.body, row) }));
      for (const row of records)
        queries.do(insert('records', { ...row, record: inFile(row.record, row) }));
    });
    database.close();
    return file;
  }

  /** @param json of an object in the row @returns the text that a file has of it */
  const inFile = (json: unknown, row: object) =>
    textOfObject(JSON.parse(String(json)), 'sqlite', row as RowValues);

  const take = (file: string, server: Server) =>
    takeAlong(createTestHost(), server, { named: file, label: 'l' });

  const COLUMNS = [Object.keys(PLAIN).join(), Object.keys(SEEN).join()] as const;

  async function onServer(server: Server): Promise<Rows> {
    const entries = await server.run<Record<string, string | number | null>>(
      `SELECT ${COLUMNS[0]} FROM gw.money_requests ORDER BY number`,
    );
    const records = await server.run<Record<string, string | number | null>>(
      `SELECT ${COLUMNS[1]} FROM gw.records ORDER BY number`,
    );
    return {
      entries: entries.map((row) => ({ ...row, superseded: Number(row.superseded) })),
      records,
    };
  }

  test('copies everything, however often it runs', async () => {
    const inOrder = (rows: readonly SqlValues[]) =>
      rows.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    await fc.assert(
      fc.asyncProperty(ledger, async (rows) => {
        const server = open(await cluster.database());
        const file = fileOf(rows);
        await take(file, server);
        const [said] = await take(file, server);
        expect(said).toMatch(/^Copied 0 entries.* and 0 records/);
        const { entries, records } = await onServer(server);
        expect(inOrder(entries)).toEqual(inOrder(rows.entries));
        expect(inOrder(records)).toEqual(inOrder(rows.records));
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  test('keeps the claims and outcomes of lines', async () => {
    const server = open(await cluster.database());
    const said = await take(fileOf({ entries: [PLAIN], records: [SEEN] }), server);
    expect(said[0]).toMatch(/^Copied 1 entry and 1 record from .*ledger\.db to the ledger at l\.$/);
    expect(said.at(-1)).toMatch(/^Webhooks stay in the file/);
    expect(await server.run('SELECT entry, state, entered_by FROM gw.outcomes')).toEqual([
      { entry: 'a', state: 'done', entered_by: 'gw' },
    ]);
    const other = open(await cluster.database());
    await take(fileOf({ entries: [{ ...PLAIN, state: 'unknown' }] }), other);
    // The file has an outcome by now; the ledger never gives one back.
    await take(fileOf({ entries: [PLAIN] }), other);
    await take(fileOf({ entries: [{ ...PLAIN, state: 'unknown' }] }), other);
    expect((await onServer(other)).entries).toEqual([PLAIN]);
    expect(await other.run('SELECT state FROM gw.outcomes ORDER BY number')).toEqual([
      { state: 'unknown' },
      { state: 'done' },
    ]);
  });

  test('makes a request without an outcome unknown, and reports it', async () => {
    const server = open(await cluster.database());
    const said = await take(
      fileOf({ entries: [{ ...PLAIN, state: 'sending', settled_at: null, status: null }] }),
      server,
    );
    expect(said[1]).toContain('1 request has no outcome in the file');
    expect((await onServer(server)).entries).toMatchObject([
      { id: 'a', state: 'unknown', message: LEFT_OPEN },
    ]);
  });

  test('keeps both of two entries for one line, and reports the second', async () => {
    const server = open(await cluster.database());
    await take(fileOf({ entries: [PLAIN] }), server);
    const other = { ...PLAIN, id: 'b', reference: 'R2' };
    const said = await take(fileOf({ entries: [other] }), server);
    expect(said[1]).toContain('1 line of a batch was sent from both ledgers: b.');
    expect((await onServer(server)).entries).toEqual([PLAIN, { ...other, superseded: 1 }]);
  });

  test('keeps the newer record with the fields that only the older one has', async () => {
    const server = open(await cluster.database());
    const later = { ...SEEN, last_seen_at: '2026-03-11T00:00:00.000Z', name: null, amount: 800 };
    await take(fileOf({ records: [SEEN] }), server);
    await take(fileOf({ records: [later] }), server);
    await take(fileOf({ records: [SEEN] }), server);
    expect((await onServer(server)).records).toEqual([{ ...later, name: SEEN.name }]);
  });

  test('keeps each deed of a record once, from every file, whoever saw the record last', async () => {
    const server = open(await cluster.database());
    const deed = { at: AT, what: 'stopped', fields: ['is_active'], operator: 'ada', note: 'moved' };
    const other = { ...deed, operator: 'bea' };
    const blanked = { ...deed, note: null };
    const withDeeds = (last_seen_at: string, ...deeds: object[]) =>
      fileOf({ records: [{ ...SEEN, last_seen_at, deeds: JSON.stringify(deeds) }] });
    await take(withDeeds(AT, blanked), server);
    await take(withDeeds('2026-03-11T00:00:00.000Z', deed), server);
    await take(withDeeds(AT, deed, other), server);
    const [known] = (await onServer(server)).records;
    expect(JSON.parse(String(known?.deeds))).toEqual([blanked, other]);
    expect(known?.last_seen_at).toBe('2026-03-11T00:00:00.000Z');
  });

  test('copies nothing if it fails in the middle', async () => {
    const database = await cluster.database();
    const server = open(database);
    await cluster.query(database.name, 'ALTER TABLE gw.records ADD CHECK (amount < 900)');
    const file = fileOf({ entries: [PLAIN], records: [SEEN] });
    expect(await failureOf(() => take(file, server))).toMatchObject({ kind: 'guard' });
    expect(await onServer(server)).toEqual({ entries: [], records: [] });
  });

  test('copies each row once if two run at the same time', async () => {
    const entries = Array.from({ length: 1_200 }, (_, n) => ({
      ...PLAIN,
      ...{ id: `e${n}`, line: `${n}` },
    }));
    const records = entries.map(({ id }) => ({ ...SEEN, id }));
    const database = await cluster.database();
    const file = fileOf({ entries, records });
    const said = await Promise.all([take(file, open(database)), take(file, open(database))]);
    expect(said.flat().map((line) => line.replace(/ from .*/, ''))).toEqual(
      expect.arrayContaining([
        'Copied 1,200 entries and 1,200 records',
        'Copied 0 entries (1,200 known before) and 0 records (1,200 known before)',
      ]),
    );
  });

  test("copies an operator's entries, which can then be searched", async () => {
    const database = await cluster.database();
    const owner = open(database);
    await makeLedger(owner, SCHEMA);
    await cluster.query('postgres', 'CREATE ROLE bea LOGIN');
    await makeOperator(owner, 'bea');
    const bea = open(database, 'bea');
    expect(await makeLedger(bea, SCHEMA)).toBe(false);
    await take(fileOf({ entries: [PLAIN], records: [SEEN] }), bea);
    await learnAllDue(serverStore(bea));
    const things = await cluster.query(
      database.name,
      'SELECT kind, who, reference FROM gw.things ORDER BY kind',
    );
    expect(things).toEqual([{ kind: 'purchase', who: 'Zoe Quill', reference: 'ORDER-77' }]);
  });

  test('needs no file on a new machine, unless one is named', async () => {
    const database = await cluster.database();
    expect(await take('file', open(database))).toEqual([
      'There is nothing to copy: this machine has sent nothing yet.',
    ]);
    expect(await failureOf(() => take('./not-there.db', open(database)))).toMatchObject({
      code: 'ledger-missing',
    });
    expect(await failureOf(() => take(database.url, open(database)))).toMatchObject({
      code: 'ledger-no-file',
    });
    await cluster.query(database.name, 'UPDATE gw.ledger SET form = form + 1');
    expect(await failureOf(() => take(fileOf({}), open(database)))).toMatchObject({
      code: 'ledger-newer',
    });
  });
});
