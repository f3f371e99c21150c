/** Fills the index of a server of its own with documents of every kind, and asks it. See facts-server.bench.mjs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IndexedDocument } from '../../src/index/document.ts';
import { DOCS_A_SECOND } from '../../src/index/document.ts';
import { StoredDocuments } from '../../src/index/stored-documents.ts';
import { secondOf } from '../../src/index/words.ts';
import { rowOf } from '../../src/index/write.ts';
import { PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { Cluster, findPostgres, SUPERUSER, serverOf } from '../helpers/postgres.ts';
import { QUESTIONS } from './facts-questions.ts';
import { make, oneOf, person, SECONDS, START } from './made-facts.ts';

const [amount = '200000', what = ''] = process.argv.slice(2);

const SETTINGS = [
  'shared_buffers = 1GB',
  'maintenance_work_mem = 1GB',
  'max_wal_size = 20GB',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'autovacuum = off',
];
const PAGE = 2_000;
const ROUNDS = 5;
/** Times that each document is there: making one takes longer than copying it. */
const COPIES = 20;

if (what.startsWith('postgres:')) await ask(what);
else {
  const cluster = new Cluster(findPostgres() ?? '', SETTINGS);
  const { name, url } = await cluster.database();
  await fill(cluster, name, Number(amount));
  say({ url });
  await ask(url);
  const awake = setInterval(() => undefined, 60_000);
  if (what === 'stay') await once(process, 'SIGTERM');
  clearInterval(awake);
  process.exit();
}

/** Rows first and indexes then, as a restored copy is. */
async function fill(cluster: Cluster, database: string, count: number): Promise<void> {
  const run = (sql: string) => cluster.query<Record<string, string>>(database, sql);
  const indexes = await run(
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'gw' AND tablename = 'facts'
        AND indexname LIKE 'facts_by_%'`,
  );
  for (const { indexdef = '' } of indexes)
    await run(`DROP INDEX gw.${/INDEX (\w+)/.exec(indexdef)?.[1]}`);
  await run('ALTER TABLE gw.facts DROP CONSTRAINT facts_pkey, DROP CONSTRAINT facts_origin_key');
  await run('ALTER TABLE gw.fact_keys DROP CONSTRAINT fact_keys_pkey');
  await timed('rows', () => copyRows(cluster, database, count));
  await timed('keys', () =>
    run(
      `INSERT INTO gw.fact_keys
       SELECT DISTINCT named.value, doc
         FROM gw.facts CROSS JOIN LATERAL json_array_elements_text(keys::json) AS named (value)`,
    ),
  );
  await timed('order of keys', () => run('ALTER TABLE gw.fact_keys ADD PRIMARY KEY (key, doc)'));
  await timed('order of facts', async () => {
    await run('ALTER TABLE gw.facts ADD PRIMARY KEY (doc), ADD UNIQUE (origin)');
  });
  for (const { indexdef = '' } of indexes) await timed(indexdef, () => run(indexdef));
  await run(`SELECT setval('gw.fact_numbers', ${count})`);
  await timed('vacuum', () => run('VACUUM ANALYZE gw.facts, gw.fact_keys'));
  const sizes = await run(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
      WHERE relnamespace = 'gw'::regnamespace AND pg_relation_size(oid) > 100000`,
  );
  say({ documents: count, sizes: Object.fromEntries(sizes.map(({ name, size }) => [name, size])) });
}

async function copyRows(cluster: Cluster, database: string, count: number): Promise<void> {
  const made = Math.ceil(count / COPIES);
  const people = Array.from({ length: Math.ceil(made / 20) }, (_, n) => person(n));
  let columns: string[] | undefined;
  const lines = (from: number) => {
    let text = '';
    for (let n = from; n < Math.min(made, from + PAGE); n++) {
      const at = START + (n / made) * SECONDS * 1_000;
      const [origin, document] = make(n, at, oneOf(people));
      const row = storedRow(n, origin, document);
      columns ??= Object.keys(row);
      text += `${columns.map((name) => copied((row[name] ?? null) as string | number | null)).join('\t')}\n`;
    }
    return text;
  };
  const first = lines(0);
  const copy = `COPY gw.facts (${columns}) FROM STDIN`;
  const args = ['-h', cluster.folder, '-p', String(cluster.port), '-U', SUPERUSER, '-qc', copy];
  const psql = spawn(path.join(findPostgres() ?? '', 'psql'), [...args, database], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  psql.stdin.write(first);
  for (let from = PAGE; from < made; from += PAGE)
    if (!psql.stdin.write(lines(from))) await once(psql.stdin, 'drain');
  psql.stdin.end();
  await once(psql, 'exit');
  await copyDocuments(cluster, database, columns ?? []);
}

/** Each document again, some seconds later and with ids of its own: made by the server, that is faster. */
async function copyDocuments(cluster: Cluster, database: string, columns: string[]): Promise<void> {
  const own = (text: string) => `replace(${text}, '071-p-', '071-p-' || chr(96 + copy))`;
  const changed: Record<string, string> = {
    doc: `doc + (copy * 6)::bigint * ${DOCS_A_SECOND} + copy * 50000`,
    origin: `origin || '.' || copy`,
    text: own('text'),
    keys: own('keys'),
  };
  const values = columns.map((name) => changed[name] ?? name);
  await cluster.query(
    database,
    `INSERT INTO gw.facts (${columns})
     SELECT ${values} FROM gw.facts, generate_series(1, ${COPIES - 1}) AS copy`,
  );
}

function storedRow(n: number, origin: string, document: IndexedDocument) {
  const doc = secondOf(document.at) * DOCS_A_SECOND + (n % 50_000);
  return rowOf(doc, { origin, document });
}

/** A value as COPY takes it. */
function copied(value: string | number | null): string {
  if (value === null) return '\\N';
  const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
  return String(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

async function ask(url: string): Promise<void> {
  const server = serverOf(url);
  const documents = new StoredDocuments(new PostgresStore(server));
  const [backend] = await server.run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const only = process.env.ONLY;
  for (const [name, question] of QUESTIONS) {
    if (only !== undefined && !name.includes(only)) continue;
    const times: number[] = [];
    let found = 0;
    const before = cpuOf(backend?.pid);
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      found = await question(documents);
      times.push(performance.now() - started);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const ms = (value: number | undefined) => Number((value ?? 0).toFixed(1));
    const p50 = ms(sorted[Math.floor(sorted.length / 2)]);
    const cpu = ms((cpuOf(backend?.pid) - before) / ROUNDS);
    say({ name, found, p50, max: ms(sorted.at(-1)), server_cpu: cpu });
  }
  await server.close();
}

/** @returns milliseconds that the server's process has worked, whatever else the machine did; 0 elsewhere than on Linux */
function cpuOf(pid: number | undefined): number {
  try {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  say({ made: name, seconds: Number(((performance.now() - started) / 1_000).toFixed(1)) });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
