import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkForm, formOf, makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import { LEDGER_FORM, TARGET_LOCKS } from '../../../../src/store/ledger/postgres-schema.ts';
import type { Server } from '../../../../src/store/postgres/server.ts';
import { failureOf } from '../../../helpers/failure.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';

const programs = findPostgres();

describe.skipIf(programs === undefined)('a ledger made by schema.sql', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());
  let people = 0;

  async function person(rights = ''): Promise<string> {
    const name = `p${++people}`;
    await cluster.query('postgres', `CREATE ROLE ${name} LOGIN ${rights}`);
    return name;
  }

  function open({ url }: Pick<TestDatabase, 'url'>, role?: string): Server {
    const server = serverOf(role === undefined ? url : url.replace('gw@', `${role}@`));
    onTestFinished(() => server.close());
    return server;
  }

  /** Runs the SQL as psql does. */
  function psql(database: TestDatabase, sql: string): string {
    return execFileSync(
      path.join(programs ?? '', 'psql'),
      [
        '-X1',
        '-v',
        'ON_ERROR_STOP=1',
        '-h',
        cluster.folder,
        '-p',
        String(cluster.port),
        '-U',
        'gw',
        '-d',
        database.name,
      ],
      { input: sql, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
    );
  }

  async function anOperator(): Promise<{ database: TestDatabase; operator: Server }> {
    const database = await cluster.database();
    const owner = open(database);
    await makeLedger(owner, SCHEMA);
    const name = await person();
    await makeOperator(owner, name);
    await owner.run(
      `INSERT INTO gw.money_requests (id, created_at, account, profile, environment, host, operation, body, state)
       VALUES ('a', now(), 'acc', 'shop', 'live', 'gateway.example', 'refund create', '{}', 'sending')`,
    );
    await owner.run(
      `INSERT INTO gw.records (account, profile, host, kind, id, environment, first_seen_at, last_seen_at, seen_by, record)
       VALUES ('acc', 'shop', 'gateway.example', 'purchase', 'p', 'live', '', '', '', '{}')`,
    );
    return { database, operator: open(database, name) };
  }

  test('an operator can say an outcome and change nothing of an entry', async () => {
    const { operator } = await anOperator();
    await operator.run(
      "INSERT INTO gw.outcomes (entry, state, resolution) VALUES ('a', 'done', 'said')",
    );
    for (const column of [
      'state',
      'settled_at',
      'amount',
      'created_at',
      'operator',
      'machine',
      'body',
      'target',
      'id',
    ])
      expect(
        await failureOf(() => operator.run(`UPDATE gw.money_requests SET ${column} = NULL`)),
      ).toMatchObject({ code: 'ledger-not-permitted' });
  });

  test('an operator can delete only the index, and cannot change the form or the tables', async () => {
    const { operator, database } = await anOperator();
    const tables = await cluster.query<{ name: string }>(
      database.name,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'gw' ORDER BY 1",
    );
    expect(tables.length).toBeGreaterThan(7);
    const derived = ['thing_keys', 'things', 'sources_due'];
    for (const name of derived) await operator.run(`DELETE FROM gw.${name}`);
    for (const { name } of tables)
      for (const what of [
        ...(derived.includes(name) ? [] : ['DELETE FROM']),
        'TRUNCATE',
        'DROP TABLE',
      ])
        expect(await failureOf(() => operator.run(`${what} gw.${name}`))).toMatchObject({
          code: 'ledger-not-permitted',
        });
    for (const sql of [
      'UPDATE gw.ledger SET form = 1',
      "INSERT INTO gw.ledger VALUES ('x', 1)",
      'INSERT INTO gw.target_locks VALUES (-1)',
      'UPDATE gw.target_locks SET number = -number',
      "INSERT INTO gw.outcomes (entry, state, entered_by) VALUES ('a', 'done', 'eve')",
      "UPDATE gw.outcomes SET state = 'not-done'",
      "UPDATE gw.money_requests SET entered_by = 'eve'",
      'CREATE TABLE gw.mine (n integer)',
      "UPDATE gw.records SET kind = 'refund'",
    ])
      expect(await failureOf(() => operator.run(sql))).toMatchObject({
        code: 'ledger-not-permitted',
      });
  });

  test('an operator can read every table and write to the necessary ones', async () => {
    const { operator, database } = await anOperator();
    const tables = await cluster.query<{ name: string }>(
      database.name,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'gw'",
    );
    for (const { name } of tables) await operator.run(`SELECT count(*) FROM gw.${name}`);
    await operator.transaction((run) => checkForm(run, 'x'));
    await operator.run('SELECT number FROM gw.target_locks WHERE number = 7 FOR UPDATE');
  });

  test('the owner may do everything, and so may members of that role', async () => {
    const [database, maker, friend] = [
      await cluster.database({ isEmpty: true }),
      await person('CREATEROLE'),
      await person(),
    ];
    await cluster.query(database.name, `ALTER DATABASE ${database.name} OWNER TO ${maker}`);
    expect(await makeLedger(open(database, maker), SCHEMA)).toBe(true);
    expect(await makeLedger(open(database, maker), SCHEMA)).toBe(false);
    await cluster.query('postgres', `GRANT ${maker} TO ${friend}`);
    await open(database, friend).run('DELETE FROM gw.money_requests');
  });

  test('a user who may not create roles creates nothing and is told whom to ask', async () => {
    const [database, name] = [await cluster.database({ isEmpty: true }), await person()];
    await cluster.query(database.name, `ALTER DATABASE ${database.name} OWNER TO ${name}`);
    const server = open(database, name);
    expect(await failureOf(() => makeLedger(server, SCHEMA))).toMatchObject({
      code: 'ledger-not-permitted',
    });
    expect(await server.transaction(formOf)).toBeUndefined();
  });

  test('psql makes the same ledger, and a second run changes nothing', async () => {
    const [byHand, byGw] = [
      await cluster.database({ isEmpty: true }),
      await cluster.database({ isEmpty: true }),
    ];
    psql(byHand, SCHEMA);
    await makeLedger(open(byGw), SCHEMA);
    const shape = await shapeOf(byGw);
    expect(await shapeOf(byHand)).toEqual(shape);
    expect(shape.length).toBeGreaterThan(80);
    const ledger = 'SELECT * FROM gw.ledger';
    const [before] = await cluster.query<{ id: string }>(byHand.name, ledger);
    expect(before).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      form: LEDGER_FORM,
      timeline: expect.stringMatching(/^[0-9A-F]{8}$/),
    });
    psql(byHand, SCHEMA);
    await makeLedger(open(byHand), SCHEMA);
    expect(await shapeOf(byHand)).toEqual(shape);
    expect(await cluster.query(byHand.name, ledger)).toEqual([before]);
    const [{ locks }] = (await cluster.query<{ locks: number }>(
      byHand.name,
      'SELECT count(*)::integer AS locks FROM gw.target_locks',
    )) as [{ locks: number }];
    expect(locks).toBe(TARGET_LOCKS);
  });

  /** Columns, indexes, owners and rights. */
  async function shapeOf({ name }: TestDatabase): Promise<string[]> {
    const rows = await cluster.query<{ line: string }>(
      name,
      `SELECT concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable) AS line
         FROM information_schema.columns WHERE table_schema = 'gw'
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'gw'
       UNION ALL SELECT concat_ws(' ', relname, relowner::regrole, relacl::text)
         FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'gw'
       UNION ALL SELECT concat_ws(' ', attrelid::regclass, attname, attacl::text)
         FROM pg_attribute WHERE attacl IS NOT NULL ORDER BY 1`,
    );
    return rows.map(({ line }) => line.replaceAll(`_${name}`, ''));
  }

  test.each([
    ['no schema `public`', 'DROP SCHEMA public'],
    ['pg_trgm in `public`', 'CREATE EXTENSION pg_trgm SCHEMA public'],
    [
      'pg_trgm in another schema',
      'CREATE SCHEMA "my ext"; CREATE EXTENSION pg_trgm SCHEMA "my ext"; DROP SCHEMA public',
    ],
  ])('a database with %s gets a ledger, by gw and by psql', async (_, sql) => {
    for (const make of [
      (database: TestDatabase) => makeLedger(open(database), SCHEMA),
      (database: TestDatabase) => psql(database, SCHEMA),
    ]) {
      const database = await cluster.database({ isEmpty: true });
      await cluster.query(database.name, sql);
      await make(database);
      expect(await makeLedger(open(database), SCHEMA)).toBe(false);
      const [index] = await cluster.query<{ indexdef: string }>(
        database.name,
        "SELECT indexdef FROM pg_indexes WHERE indexname = 'things_by_text'",
      );
      expect(index?.indexdef).toContain('gin_trgm_ops');
      await makeOperator(open(database), await person());
    }
  });

  test('an unknown role does not become an operator, and the message says how to make it', async () => {
    const owner = open(await cluster.database());
    for (const [role, word] of [
      ['nobody', 'nobody'],
      ["o'neill; x", "'o'\\''neill; x'"],
    ] as const)
      expect(await failureOf(() => makeOperator(owner, role))).toMatchObject({
        ...{
          kind: 'guard',
          code: 'ledger-role-missing',
          message: `The server has no role ${role}.`,
        },
        next: expect.stringContaining(`createuser -P ${word}`),
      });
  });

  test('a role that inherits no rights becomes an operator once it does', async () => {
    const database = await cluster.database();
    const owner = open(database);
    await makeLedger(owner, SCHEMA);
    const role = await person('NOINHERIT');
    for (let time = 1; time < 3; time++)
      expect(await failureOf(() => makeOperator(owner, role))).toMatchObject({
        ...{ kind: 'guard', code: 'ledger-role-without-rights' },
        next: expect.stringContaining(`ALTER ROLE "${role}" INHERIT`),
      });
    await owner.run(`ALTER ROLE ${role} INHERIT`);
    await makeOperator(owner, role);
    await open(database, role).run('SELECT FROM gw.ledger');
  });

  test('a ledger of a newer or older gw is refused', async () => {
    const server = open(await cluster.database());
    for (const [form, code] of [
      [LEDGER_FORM + 1, 'ledger-newer'],
      [LEDGER_FORM - 1, 'ledger-older'],
    ]) {
      await server.run('UPDATE gw.ledger SET form = $1', [form ?? 0]);
      expect(await failureOf(() => server.transaction((run) => checkForm(run, 'x')))).toMatchObject(
        { kind: 'guard', code },
      );
    }
    const empty = open(await cluster.database({ isEmpty: true }));
    expect(
      await failureOf(() => checkForm((sql, values) => empty.run(sql, values), 'x')),
    ).toMatchObject({
      code: 'ledger-missing',
    });
  });
});
