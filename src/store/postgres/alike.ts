/**
 * Runs statements that differ in nothing but their values as one. A server takes longer to plan a statement than to find
 * a few rows with it, so that many lines of a batch cost little more than one.
 *
 *     SELECT … WHERE target = :target      SELECT asked.place, found.* FROM json_to_recordset($1) AS asked (…),
 *                                            LATERAL (SELECT … WHERE target = asked.target) AS found
 *
 *     INSERT INTO gw.t (id) VALUES (:id)   INSERT INTO gw.t (id)
 *                                            SELECT id FROM json_populate_recordset(NULL::gw.t, $1)
 *
 * The values of all are one text of JSON, so that the statement is the same for any number. A statement alone runs as it is.
 *
 * Tests: test/unit/store/postgres/alike.test.ts
 */
import { invariant } from '../../failure.ts';
import { type SqlQuery, type SqlValue, type SqlValues, toStored } from '../sql.ts';
import type { RunStatement } from './server.ts';
import { allOf, PARAMETERS, runQuery } from './work.ts';

/**
 * @param queries with values by name; undefined for one that finds nothing. Each keeps the order of its rows only if it
 *   sorts them, groups them or has a limit.
 * @returns the rows of each, in the order of the queries
 * @throws what `run` throws
 */
export async function askEach<Row extends object>(
  run: RunStatement,
  queries: readonly (SqlQuery | undefined)[],
): Promise<Row[][]> {
  const rows: Row[][] = queries.map(() => []);
  const asking = [...byText(queries)].map(async ([text, alike]) => {
    const [first, second] = alike;
    if (!second) {
      rows[first.place] = await runQuery<Row>(run, first.query);
      return;
    }
    const asked = alike.map(({ place, query: [, values] }) => ({
      ...(values as SqlValues),
      place,
    }));
    const found = await run<Row & { place: number }>(questionOf(text, asked), [jsonOf(asked)]);
    for (const { place, ...row } of found) rows[place]?.push(row as unknown as Row);
  });
  await allOf(asking);
  return rows;
}

/**
 * @param insertions `INSERT INTO gw.NAME (COLUMNS) VALUES (:NAME, …)` and what follows, with a list of values in the
 *   order of the columns. Rows of one table are written in their order.
 * @returns the rows that all of them return
 * @throws what `run` throws
 */
export async function insertEach<Row extends object>(
  run: RunStatement,
  insertions: readonly SqlQuery[],
): Promise<Row[]> {
  const inserting = [...byText(insertions)].map(([text, alike]) => {
    const [first, second] = alike;
    if (!second) return runQuery<Row>(run, first.query);
    const { table, columns, rest } = partsOf(text);
    const rows = alike.map(({ query: [, values] }) =>
      Object.fromEntries(columns.map((name, n) => [name, (values as readonly SqlValue[])[n]])),
    );
    return run<Row>(
      `INSERT INTO ${table} (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) ${rest}`,
      [jsonOf(rows)],
    );
  });
  return (await allOf(inserting)).flat();
}

interface Placed {
  place: number;
  query: SqlQuery;
}

type Alike = [Placed, ...Placed[]];

function byText(queries: readonly (SqlQuery | undefined)[]): Map<string, Alike> {
  const alike = new Map<string, Alike>();
  for (const [place, query] of queries.entries()) {
    if (!query) continue;
    const known = alike.get(query[0]);
    if (known) known.push({ place, query });
    else alike.set(query[0], [{ place, query }]);
  }
  return alike;
}

/** @returns the query of all, whose parameters are columns of `asked` */
function questionOf(text: string, asked: readonly SqlValues[]): string {
  const types = new Map<string, string>();
  const lateral = text.replace(PARAMETERS, (_, name: string) => {
    if (!types.has(name)) types.set(name, typeOf(name, text, asked));
    return `asked."${name}"`;
  });
  const columns = [...types].map(([name, type]) => `"${name}" ${type}`);
  return `SELECT asked.place, found.*
    FROM json_to_recordset($1) AS asked (place integer, ${columns}),
         LATERAL (${lateral.replace(/\browid\b/g, 'number')}) AS found`;
}

const TYPES: Readonly<Record<string, string>> = { number: 'bigint', boolean: 'boolean' };

/** A parameter that is cast: `:target::text`. */
const CASTS = /:(\w+)::(\w+)/g;

/** @returns the type that the text casts a parameter to, or else that of its values */
function typeOf(name: string, text: string, asked: readonly SqlValues[]): string {
  const cast = [...text.matchAll(CASTS)].find(([, parameter]) => parameter === name)?.[2];
  if (cast !== undefined) return cast;
  const value = asked.map((values) => values[name]).find((one) => one !== null);
  if (Array.isArray(value)) return 'text[]';
  return TYPES[typeof value] ?? 'text';
}

const INSERTION = /^\s*INSERT INTO (gw\.\w+)\s*\(([^)]*)\)\s*VALUES\s*\([^)]*\)(.*)$/s;

function partsOf(text: string): { table: string; columns: string[]; rest: string } {
  const [, table, columns, rest] = INSERTION.exec(text) ?? [];
  invariant(table && columns && rest !== undefined, `no insertion of one row: ${text}`);
  return { table, columns: columns.split(',').map((name) => name.trim()), rest };
}

function jsonOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? toStored(value) : value));
}
