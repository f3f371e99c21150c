import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { bringUpToDate, formOf } from '../../../src/postgres/init.ts';
import { LEDGER_FORM } from '../../../src/postgres/schema.ts';
import type { Server } from '../../../src/postgres/server.ts';
import { Cluster, findPostgres, serverOf, type TestDatabase } from '../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  function open({ url }: Pick<TestDatabase, 'url'>): Server {
    const server = serverOf(url);
    onTestFinished(() => server.close());
    return server;
  }

  test('values come back as they were given, whatever is in them', async () => {
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

  test('a transaction that fails keeps nothing, and what comes after it goes on', async () => {
    const server = open(await cluster.database());
    await server.run('CREATE TABLE t (n integer)');
    const failing = server.transaction(async (run) => {
      await run('INSERT INTO t VALUES (1)');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await server.run('SELECT n FROM t')).toEqual([]);
  });

  test('two that make the ledger at the same time make one', async () => {
    const database = await cluster.database({ isEmpty: true });
    const [one, other] = [open(database), open(database)];
    const made = await Promise.all([bringUpToDate(one, 'a'), bringUpToDate(other, 'b')]);
    expect(made.map(({ from }) => from).sort()).toEqual([0, LEDGER_FORM]);
    expect(await one.transaction(formOf)).toBe(LEDGER_FORM);
  });

  test('a connection that was cut is made again for the next statement', async () => {
    const database = await cluster.database();
    const server = open(database);
    const [{ pid } = { pid: 0 }] = await server.run<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid',
    );
    await cluster.query('postgres', 'SELECT pg_terminate_backend($1)', [pid]);
    const [next] = await server.runAgain<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(next?.pid).not.toBe(pid);
  });

  test('what cannot be reached, is not there or holds no ledger says so, and what to do', async () => {
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
});
