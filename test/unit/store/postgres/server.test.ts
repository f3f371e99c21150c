import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { formOf, makeLedger } from '../../../../src/store/ledger/init.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { statementFailure } from '../../../../src/store/postgres/failures.ts';
import {
  BEGIN,
  type RunStatement,
  type Server,
  type ServerParts,
} from '../../../../src/store/postgres/server.ts';
import { allOf } from '../../../../src/store/postgres/work.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  function open({ url }: Pick<TestDatabase, 'url'>, parts: Partial<ServerParts> = {}): Server {
    const server = serverOf(url, parts);
    onTestFinished(() => server.close());
    return server;
  }

  test('any value comes back unchanged', async () => {
    const server = open(await cluster.database());
    const text = 'NUL \0, half a pair \ud800, "quotes", {braces}, \\ and 伟';
    const [row] = await server.run(
      `SELECT $1::text AS text, $2::bigint AS number, $3::boolean AS flag, $4::bytea AS bytes,
              $5::timestamptz AS at, null AS nothing, 9007199254740993 AS large`,
      [text, 2 ** 53 - 1, true, new Uint8Array([0, 255]), '2026-03-10T09:30:00.120Z'],
    );
    expect(row).toEqual({
      text,
      number: 2 ** 53 - 1,
      flag: true,
      bytes: Buffer.from([0, 255]),
      at: '2026-03-10T09:30:00.120Z',
      nothing: null,
      large: 9007199254740993n,
    });
    const texts = [text, 'a,b', '', '"', null];
    const rows = await server.run('SELECT one FROM unnest($1::text[]) AS one', [texts]);
    expect(rows).toEqual(texts.map((one) => ({ one })));
  });

  test.each([
    ["datestyle = 'SQL, DMY'"],
    ["datestyle = 'German'"],
    ["datestyle = 'Postgres, MDY'"],
    ["timezone = 'Asia/Kolkata'"],
    ["timezone = 'Europe/Amsterdam'"],
    ["bytea_output = 'escape'"],
    ['extra_float_digits = -15'],
    ['standard_conforming_strings = off'],
    ["client_encoding = 'LATIN1'"],
    ["intervalstyle = 'sql_standard'"],
    ["search_path = ''"],
  ])('values come back unchanged for a role with %s', async (setting) => {
    const database = await cluster.database();
    await cluster.query('postgres', `ALTER ROLE gw IN DATABASE ${database.name} SET ${setting}`);
    const server = open(database);
    const text = 'a \\ and 伟';
    const bytes = Buffer.from([0, 39, 92, 127, 128, 255, 65]);
    const sql = `
      SELECT $1::text AS text, 'a \\' || 'b' AS literal, $2::bytea AS bytes, $3::timestamptz AS at,
             $4::timestamptz AS early, sum(n + 0.0) AS total FROM generate_series(1, 12345) AS n`;
    const values = [text, bytes, '2026-03-10T09:30:00.120Z', '1900-12-11T10:09:08.000Z'] as const;
    const row = {
      ...{ text, literal: 'a \\b', bytes, at: values[2], early: values[3], total: 76_205_685 },
    };
    expect(await server.run(sql, values)).toEqual([row]);
    await server.transaction(async (run) => expect(await run(sql, values)).toEqual([row]));
  });

  test('a failed transaction stores nothing, and the next one works', async () => {
    const server = open(await cluster.database());
    await server.run('CREATE TABLE t (n integer)');
    const failing = server.transaction(async (run) => {
      await run('INSERT INTO t VALUES (1)');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await server.run('SELECT n FROM t')).toEqual([]);
  });

  test('a COMMIT behind a statement that fails stores nothing, and the next transaction works', async () => {
    const server = open(await cluster.database());
    await server.run('CREATE TABLE t (n integer PRIMARY KEY)');
    const insert = (...numbers: number[]) =>
      server.transaction((run, { commit }) =>
        allOf([...numbers.map((n) => run('INSERT INTO t VALUES ($1)', [n])), commit()]),
      );
    await expect(insert(1, 2, 2)).rejects.toMatchObject({
      message: expect.stringMatching('t_pkey'),
    });
    expect(await server.run('SELECT n FROM t')).toEqual([]);
    await insert(3);
    expect(await server.run('SELECT n FROM t')).toEqual([{ n: 3 }]);
  });

  test('whether a transaction that is cut behind its COMMIT was stored is not known', async () => {
    const database = await cluster.database();
    const [server, other] = [open(database), open(database)];
    await server.run('CREATE TABLE t (n integer)');
    const cut = server.transaction(async (run, { commit }) => {
      const [{ pid } = { pid: 0 }] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const ended = allOf([run('INSERT INTO t SELECT 1 FROM pg_sleep(60)'), commit()]);
      ended.catch(() => undefined);
      const isAsleep = () =>
        other.run("SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'", [
          pid,
        ]);
      await expect.poll(isAsleep).toHaveLength(1);
      await cluster.query('postgres', 'SELECT pg_terminate_backend($1)', [pid]);
      return ended;
    });
    await expect(cut).rejects.toMatchObject({ code: 'ledger-lost' });
  });

  test('what is asked with the beginning of a transaction is asked behind its locks', async () => {
    const database = await cluster.database();
    const [first, second, other] = [open(database), open(database), open(database)];
    await first.run('CREATE TABLE t (n integer)');
    await first.run('INSERT INTO t VALUES (1)');
    const begin = () => `${BEGIN}; SELECT FROM t FOR UPDATE`;
    const ask = (run: RunStatement) => run('SELECT n FROM t');
    const taken = await first.transaction(
      async (run) => {
        const seen = second.transaction(async (_run, { asked }) => asked, { begin, ask });
        const isWaiting = () =>
          other.run(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1",
            [database.name],
          );
        await expect.poll(isWaiting).toHaveLength(1);
        await run('UPDATE t SET n = 2');
        return { seen };
      },
      { begin },
    );
    expect(await taken.seen).toEqual([{ n: 2 }]);
  });

  test('two processes that create the ledger at once create one', async () => {
    const database = await cluster.database({ isEmpty: true });
    const [one, other] = [open(database), open(database)];
    const made = await Promise.all([makeLedger(one, SCHEMA), makeLedger(other, SCHEMA)]);
    expect(made.sort()).toEqual([false, true]);
    expect(await one.transaction(formOf)).toBe(LEDGER_FORM);
  });

  test('a cut connection is opened again for the next statement', async () => {
    const database = await cluster.database();
    const server = open(database);
    const [{ pid } = { pid: 0 }] = await server.run<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid',
    );
    await cluster.query('postgres', 'SELECT pg_terminate_backend($1)', [pid]);
    const [next] = await server.runAgain<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(next?.pid).not.toBe(pid);
  });

  test('a waiting statement is ended without doubt, and the next one works', async () => {
    const database = await cluster.database();
    const [holder, server] = [open(database), open(database, { statementMs: 1_000 })];
    await holder.run('CREATE TABLE t (n integer)');
    const waiting = holder.transaction(async (run) => {
      await run('LOCK TABLE t');
      await expect(server.run('INSERT INTO t VALUES (1)')).rejects.toMatchObject({
        kind: 'guard',
        code: 'ledger-timeout',
      });
      return run('SELECT n FROM t');
    });
    expect(await waiting).toEqual([]);
    expect(await server.run('SELECT n FROM t')).toEqual([]);
    const { pid } = (await server.run<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0] ?? {};
    const again = await server.run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(again[0]?.pid).toBe(pid);
  });

  test('a transaction that is cut before its end is repeated and stored once', async () => {
    const database = await cluster.database();
    const server = open(database);
    await server.run('CREATE TABLE t (n integer)');
    let times = 0;
    await server.transaction(async (run) => {
      times++;
      await run('INSERT INTO t VALUES (1)');
      const [{ pid } = { pid: 0 }] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (times === 1) await cluster.query('postgres', 'SELECT pg_terminate_backend($1)', [pid]);
      await run('INSERT INTO t VALUES (2)');
    });
    expect(times).toBe(2);
    expect(await server.run('SELECT n FROM t ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('the greatest number of connections and a time limit of the server are reported', async () => {
    const database = await cluster.database();
    await cluster.query('postgres', 'CREATE ROLE one LOGIN CONNECTION LIMIT 1');
    await cluster.query('postgres', "ALTER ROLE one SET statement_timeout = '50ms'");
    const asOne = { url: database.url.replace('gw@', 'one@') };
    const [first, second] = [open(asOne), open(asOne)];
    await expect(first.run('SELECT pg_sleep(10)')).rejects.toMatchObject({
      code: 'ledger-timeout',
    });
    await expect(second.run('SELECT 1')).rejects.toMatchObject({
      kind: 'guard',
      code: 'ledger-busy',
      next: expect.stringContaining('pool'),
    });
    await first.close();
    await expect.poll(() => second.run('SELECT 1 AS n').catch(() => [])).toEqual([{ n: 1 }]);
  });

  test.each([
    ['EPIPE', 'ledger-lost'],
    ['ECONNRESET', 'ledger-lost'],
    ['57P01', 'ledger-lost'],
    ['08P01', 'ledger-lost'],
    ['40003', 'ledger-lost'],
    ['XX000', 'ledger-failed'],
  ])('a statement that ends with %s is %s', async (code, kind) => {
    const { address } = serverOf('postgres://localhost/gw');
    expect(statementFailure(Object.assign(new Error('No'), { code }), address).code).toBe(kind);
  });

  test('an unreachable server, a missing database and a missing ledger are reported with what to do', async () => {
    const { url, name } = await cluster.database({ isEmpty: true });
    const ask = async (address: string) =>
      open({ url: address })
        .run('SELECT form FROM gw.ledger')
        .catch((error) => error);
    expect(await ask(url)).toMatchObject({ kind: 'guard', code: 'ledger-missing' });
    expect(await ask(url.replace(name, 'nothing'))).toMatchObject({ code: 'ledger-missing' });
    expect(await ask('postgres://127.0.0.1:9/gw')).toMatchObject({
      code: 'ledger-unreachable',
      next: expect.stringContaining('address'),
    });
  });

  test('a silent server does not delay the end', async () => {
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const met = once(silent, 'connection');
    const server = serverOf(`postgres://gw@127.0.0.1:${port}/gw`);
    server.begin();
    const [socket] = (await met) as [net.Socket];
    const ended = once(socket.resume(), 'close');
    await server.close();
    await ended;
  });
});
