/** One piece of work, done in both stores. */
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { numbered } from '../../../src/store/postgres/work.ts';
import {
  allRows,
  change,
  engine,
  firstRow,
  insert,
  insertAll,
  onlyRow,
  runSql,
  type SqlStore,
  update,
} from '../../../src/store/sql.ts';
import { Database } from '../../../src/store/sqlite/database.ts';
import { fromPostgres } from '../../../src/store/sqlite/queries.ts';
import { Cluster, findPostgres, serverOf } from '../../helpers/postgres.ts';
import { fileStore, serverStore } from '../../helpers/stores.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const NAMES = Array.from({ length: 23 }, (_, i) => ({
  id: `n-${i}`,
  name: `Name ${i}`,
  is_new: i > 20,
}));
const ODD = 'NUL \0, half a pair \ud800, :name, gw.people, ::text';

function storesInTurn(store: () => Promise<SqlStore>): void {
  test('rows are written and read by the names of their columns', async () => {
    const opened = await store();
    await opened.write(function* () {
      yield* insertAll('people', NAMES);
      yield* insert('people', { id: 'odd', name: ODD, is_new: true });
      yield* insert(
        'people',
        { id: 'odd', name: 'other', is_new: true },
        'ON CONFLICT (id) DO NOTHING',
      );
    });
    const found = await opened.read(function* () {
      return {
        odd: yield* firstRow('SELECT name FROM gw.people WHERE id = :id', { id: 'odd' }),
        none: yield* firstRow('SELECT name FROM gw.people WHERE id = :id', { id: 'none' }),
        same: yield* allRows('SELECT id FROM gw.people WHERE name = ANY (:names)', {
          names: [ODD],
        }),
        few: yield* allRows('SELECT id FROM gw.people WHERE id = ANY (:ids) ORDER BY rowid', {
          ids: ['n-20', 'n-3', "x'"],
        }),
        fresh: yield* onlyRow('SELECT count(*) AS n FROM gw.people WHERE is_new = :yes', {
          yes: true,
        }),
      };
    });
    expect(found).toEqual({
      odd: { name: ODD },
      none: undefined,
      same: [{ id: 'odd' }],
      few: [{ id: 'n-3' }, { id: 'n-20' }],
      fresh: { n: 3 },
    });
  });

  test('counts the changed rows', async () => {
    const opened = await store();
    const counts = await opened.write(function* () {
      yield* insertAll('people', NAMES);
      yield* runSql('DELETE FROM gw.people WHERE id = :id', { id: 'n-1' });
      return [
        yield* update('people', { name: 'N', is_new: false }, { id: 'n-2', name: 'Name 2' }),
        yield* update('people', { name: 'N' }, { id: 'n-1' }),
        yield* change('DELETE FROM gw.people WHERE name <> :name', { name: 'N' }),
      ];
    });
    expect(counts).toEqual([1, 0, 21]);
  });

  test('failing work stores nothing', async () => {
    const opened = await store();
    const failing = opened.write(function* () {
      yield* insert('people', { id: 'a', name: 'A', is_new: false });
      throw new Failure('ledger-failed', 'no', '');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await opened.read(() => allRows('SELECT id FROM gw.people'))).toEqual([]);
  });

  test('a statement that wants no answer fails its work, with its own error', async () => {
    const opened = await store();
    const failing = opened.write(function* () {
      yield* insert('people', { id: 'a', name: 'A', is_new: false });
      yield* insert('people', { id: 'a', name: 'again', is_new: false });
      yield* firstRow('SELECT name FROM gw.people');
    });
    await expect(failing).rejects.toThrow(/unique/i);
    expect(await opened.read(() => allRows('SELECT id FROM gw.people'))).toEqual([]);
  });

  test('a statement without a value for a parameter is a defect', async () => {
    const opened = await store();
    await expect(opened.read(() => allRows('SELECT :none AS n'))).rejects.toThrow('none');
  });
}

describe('a file', () => {
  async function store() {
    const database = new Database({
      ...{ path: path.join(temporaryDirectory(), 'people.db'), name: 'The people', repair: '' },
      ...{ applicationId: 8, busyTimeoutMs: 20, settings: '' },
      tables: 'CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, is_new INTEGER)',
      form: 1,
      refuse: (what) => new Failure(`file-${what}`, what, ''),
    });
    const opened = fileStore(database);
    onTestFinished(() => opened.close());
    return opened;
  }
  storesInTurn(store);

  test('is named in a failure', async () => {
    expect(await (await store()).read(engine)).toBe('sqlite');
  });
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  async function store() {
    const { url } = await cluster.database();
    const server = serverOf(url);
    onTestFinished(() => server.close());
    await server.run(
      `CREATE TABLE gw.people (id text PRIMARY KEY, name text, is_new boolean,
                               number bigint GENERATED BY DEFAULT AS IDENTITY)`,
    );
    return serverStore(server);
  }
  storesInTurn(store);

  test('is named in a failure', async () => {
    expect(await (await store()).read(engine)).toBe('postgres');
  });
});

test.each([
  ['SELECT * FROM gw.a JOIN gw.b_c ON x = :x', 'SELECT * FROM a JOIN b_c ON x = :x'],
  ['x = ANY (:ids)', 'x IN (SELECT value FROM json_each(:ids))'],
  ['sum(x)::float8, :at::timestamptz, :l::text[]', 'sum(x), :at, :l'],
  ['SELECT 1 FROM gw.a WHERE id = :id FOR UPDATE', 'SELECT 1 FROM a WHERE id = :id '],
  ['FROM gw.a /*sqlite INDEXED BY i */ WHERE', 'FROM a INDEXED BY i  WHERE'],
  [
    'a CROSS JOIN LATERAL json_array_elements_text(a.l::json) AS b (value)',
    'a CROSS JOIN json_each(a.l) AS b',
  ],
  ['FROM json_array_elements_text(:l::json) AS b (value)', 'FROM json_each(:l) AS b'],
  ['SELECT now() AS now', 'SELECT :now AS now'],
  ['WHERE (a = :b OR a IS NULL AND :b::bigint IS NULL) AND c', 'WHERE a IS :b AND c'],
  ['1 /* a comment */', '1 /* a comment */'],
  ["logw.a, 'a::'", "logw.a, 'a::'"],
])('%s is %s for SQLite', (both, here) => {
  expect(fromPostgres(both)).toBe(here);
});

test('values have numbers on a server, one for each name', () => {
  expect(
    numbered({
      text: 'SELECT :a::text, :b, :a ORDER BY rowid',
      values: { a: 'x', b: 2, c: 'unused' },
    }),
  ).toEqual({ text: 'SELECT $1::text, $2, $1 ORDER BY number', values: ['x', 2] });
});
