/** Rows come out as they went in, whether a statement is used once or often. */
import { DatabaseSync } from '@photostructure/sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Statement } from '../../../../src/store/sqlite/queries.ts';

/** Often enough that rows are made in every way there is. */
const OFTEN = 12;

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\0', '\u0001json:', '"', '\ud83d', '\udca9', 'a'))
    .map((parts) => parts.join('')),
  fc.maxSafeInteger(),
  // The package takes what is all but a whole number for one.
  fc.maxSafeInteger().map((eighths) => eighths / 8),
  fc.constant(null),
  fc.uint8Array(),
);

type Connection = InstanceType<typeof DatabaseSync>;

function database(sql: string): Connection {
  const connection = new DatabaseSync(':memory:');
  connection.exec(sql);
  return connection;
}

/** The results of running `sql` repeatedly: the first row each time, and all rows. */
function asked(connection: Connection, sql: string): object[] {
  const [first, every] = [new Statement(connection, sql), new Statement(connection, sql)];
  const times = Array.from({ length: OFTEN });
  return times.flatMap(() => [first.get([]), every.all([])[0]] as object[]);
}

test('any value comes back unchanged, however often it is read', async () => {
  const columns = Array.from({ length: 20 }, (_, i) => `c${i}`);
  const connection = database(`CREATE TABLE t (${columns})`);
  const insert = new Statement(
    connection,
    `INSERT INTO t VALUES (${columns.map((name) => `:${name}`)})`,
  );
  const row = fc
    .array(value, { minLength: columns.length, maxLength: columns.length })
    .map((values) => Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null])));
  await fc.assert(
    fc.property(row, (given) => {
      connection.exec('DELETE FROM t');
      insert.run(given);
      for (const found of asked(connection, `SELECT ${columns} FROM t`))
        expect(found).toStrictEqual(given);
      for (const found of asked(connection, 'SELECT * FROM t')) expect(found).toStrictEqual(given);
    }),
  );
});

test.each([
  ['SELECT 2 AS a, 1', { 1: 1, a: 2 }],
  ['SELECT 1 AS a, 2 AS a', { a: 2 }],
  ['SELECT count(*) AS n FROM t', { n: 1 }],
  ['SELECT a * 2 AS double FROM t', { double: 6 }],
])('%s has the names of its columns', (sql, row) => {
  const connection = database('CREATE TABLE t (a); INSERT INTO t VALUES (3)');
  for (const found of asked(connection, sql)) expect(found).toStrictEqual(row);
});

test('a statement with named columns works after its table is created again', () => {
  const connection = database('CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)');
  const statement = new Statement(connection, 'SELECT b, a FROM t');
  for (let i = 0; i < OFTEN; i++) statement.all([]);
  connection.exec('DROP TABLE t; CREATE TABLE t (b, x, a); INSERT INTO t VALUES (5, 6, 7)');
  expect(statement.all([])).toStrictEqual([{ b: 5, a: 7 }]);
});
