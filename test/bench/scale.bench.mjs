/**
 * How long commands take in a ledger of a million money requests, each with its record: beside one of a hundredth of
 * it, and beside another commit's program with a ledger of its own.
 *
 *     npm run build && npm run bench -- scale [COMMIT [ENTRIES [ROUNDS [file|server]]]]
 *
 * gw itself sends the purchases of a day and learns them. SQL then copies them day by day into the past, so
 * that every row has the form that gw gives it. Only the text of the full-text index is made here, from the same columns.
 * The CPU counts, since the machine may have other work; on a server, also that of its processes. There, what deletes is
 * measured too, once.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from './build.mjs';
import { cpuOfServer, startCluster } from './cluster.mjs';
import { median, PROGRAM } from './gateway.mjs';

const [commit = '', count = '1000000', times = '5', where = 'file'] = process.argv.slice(2);
const [entries, rounds] = [Number(count), Number(times)];
const cluster = where === 'server' ? await startCluster() : undefined;
/** The purchases of a day, which gw itself sends: all that a hundredth has. */
const SEED = Math.round(entries / 100);
const DAYS = 100;
/** One of them. */
const NAMED = 100_000 + Math.round(SEED / 2);
const CUSTOMERS = 50;
const LOCAL = ['--profile', 'local'];
const COMMANDS = [
  ['find', `inv-${NAMED}`],
  ['find', '25.00'],
  ['purchase', 'list'],
  ['history', `INV-${NAMED}`],
  ['journal', 'list'],
  ['journal', 'batches'],
  ['report', 'month'],
  ['report', 'declines'],
  ['report', 'unpaid', '--purchases'],
  ['report', 'customer', 'ada7@example.org'],
  ['report', 'charges', '--since', '9d'],
  ['explain', `INV-${NAMED}`],
];
/** Who has few purchases; and what deletes these, and the oldest day. */
const RARE = 'grace@example.org';
const DELETING = [
  ['forget', RARE, '--yes'],
  ['prune', '--before', `${DAYS - 1}d`, '--only', 'journal', '--confirm', 'shop'],
];

/** Columns of names that are unique to an entry: each copy has its day behind them. */
const OWN = ['id', 'reference', 'reference_key', 'record_id', 'refund_of', 'batch', 'purchase'];
const TIMES = [
  'created_at',
  'settled_at',
  'first_seen_at',
  'last_seen_at',
  'at',
  'seen_at',
  'transaction_date',
];
/** The rows that are copied, by table. */
const SEEDS = {
  money_requests: 'true',
  records: "kind = 'purchase'",
  things: "kind IN ('purchase', 'request')",
  thing_keys: "doc IN (SELECT doc FROM things WHERE kind IN ('purchase', 'request'))",
};
/** The entry that made a purchase, on a server; a request has it as its id. */
const ENTRY = "CASE kind WHEN 'purchase' THEN sources::json #>> '{requests,0}' ELSE '' END";
const OWNER = "profile = 'shop', environment = 'sandbox', account = 'sandbox/TEST'";
const DOCS_A_DAY = 86_400 * 16_384;

const folder = mkdtempSync(path.join(tmpdir(), 'gw-scale-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const usage = path.join(folder, 'usage.cjs');
writeFileSync(
  usage,
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(process.env.USAGE, String(user + system)); });",
);
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @typedef {{ name: string, program: string, home: string, ledger?: string, database?: string }} Copy */

const programs = [PROGRAM, ...(commit ? [path.join(build(commit), 'bin/gw.cjs')] : [])];
/** @type {Copy[]} */
const copies = [];
for (const [n, program] of programs.entries()) {
  const who = n === 0 ? 'now' : 'then';
  const [small, large] = [SEED, SEED * DAYS].map((size) => {
    const home = path.join(folder, `${who}-${size}`);
    return { name: `${who}, ${size}`, program, home };
  });
  seed(small);
  cpSync(small.home, large.home, { recursive: true });
  for (const [copy, days] of [
    [small, 1],
    [large, DAYS],
  ])
    await fill(copy, days);
  copies.push(large, small);
}
measure();
// The server would go on.
process.exit();

/** @param {Copy} copy @param {string[]} args @param {string} [input] */
function gw({ program, home, ledger }, args, input) {
  return execFileSync(
    process.execPath,
    [program, ...args, ...(args[0] === 'profile' ? [] : LOCAL)],
    {
      ...{
        env: { PATH: process.env.PATH, HOME: home, ...(ledger && { GW_LEDGER_URL: ledger }) },
        encoding: 'utf8',
        maxBuffer: 1 << 30,
        input,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
}

/**
 * The rows then belong to a profile whose account only the ledger knows, as without its credentials.
 * @param {Copy} copy
 * @param {number} days
 */
async function fill(copy, days) {
  const startedAt = performance.now();
  const bytes = cluster ? await fillServer(copy, cluster, days - 1) : fillFile(copy, days - 1);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(
    `${copy.name} entries: filled in ${seconds} s, ${Math.round(bytes / SEED / days)} bytes each`,
  );
}

/** Indexes are made at the end. @param {Copy} copy @param {number} days @returns {number} bytes */
function fillFile({ home }, days) {
  const ledger = path.join(home, '.local/state/gw/ledger.db');
  const database = new DatabaseSync(ledger);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -800000');
  const indexes = /** @type {{ name: string, sql: string }[]} */ (
    database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      .all()
  );
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  database.exec('BEGIN');
  for (const [table, rows] of Object.entries(SEEDS))
    database.exec(`CREATE TEMP TABLE seed_${table} AS SELECT * FROM ${table} WHERE ${rows}`);
  // The oldest first, as gw writes them.
  for (let day = days; day > 0; day--) copyDay(database, day);
  database.exec(
    `INSERT INTO thing_keys (key, doc)
     SELECT CASE WHEN length(key) = 32 OR key LIKE '071-p-%' OR key LIKE 'inv-%' THEN key || '-d' || day ELSE key END,
            doc - day * ${DOCS_A_DAY}
       FROM (WITH RECURSIVE days (day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < ${days})
             SELECT day FROM days), seed_thing_keys ORDER BY 1, 2`,
  );
  const uses = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'profile_uses'").get();
  for (const table of ['money_requests', 'records', 'things', ...(uses ? ['profile_uses'] : [])])
    database.exec(`UPDATE ${table} SET ${OWNER}`);
  for (const table of ['money_requests', 'records', 'things'])
    database.exec(`UPDATE ${table} SET host = 'gateway.example'`);
  for (const { sql } of indexes) database.exec(sql);
  database.exec('COMMIT; PRAGMA journal_mode = WAL');
  database.close();
  return statSync(ledger).size;
}

/**
 * Copies the file that gw has filled to a server, as gw does, and then day by day. Indexes are made at the end, by the
 * same SQL that makes the ledger.
 * @param {Copy} copy
 * @param {import('../helpers/postgres.ts').Cluster} server
 * @param {number} days
 * @returns {Promise<number>} bytes
 */
async function fillServer(copy, server, days) {
  const { url, name } = await server.database({ isEmpty: true });
  gw(copy, ['ledger', 'init', url, '--from', 'file']);
  copy.ledger = url;
  copy.database = name;
  gw(copy, ['find', 'Ada']);
  const sql = (/** @type {string} */ text) => server.query(name, text);
  const indexes = /** @type {{ name: string }[]} */ (
    await sql(`SELECT 'gw.' || quote_ident(indexname) AS name FROM pg_indexes WHERE schemaname = 'gw'
                  AND indexname NOT IN (SELECT conname FROM pg_constraint) AND indexname <> 'records_of_account'`)
  );
  const statements = [
    "SET session_replication_role = replica; SET synchronous_commit = off; SET maintenance_work_mem = '512MB'",
    ...['money_requests', 'records', 'things', 'profile_uses'].map(
      (table) => `UPDATE gw.${table} SET ${OWNER}`,
    ),
    ...['money_requests', 'records', 'things'].map(
      (table) => `UPDATE gw.${table} SET host = 'gateway.example'`,
    ),
    ...indexes.map((index) => `DROP INDEX ${index.name}`),
  ];
  for (const [table, rows] of Object.entries({ ...SEEDS, outcomes: 'true' })) {
    const columns = /** @type {{ name: string, type: string }[]} */ (
      await sql(`SELECT column_name AS name, data_type AS type FROM information_schema.columns
                  WHERE table_schema = 'gw' AND table_name = '${table}' AND column_name <> 'number' ORDER BY ordinal_position`)
    );
    const names = columns.map((column) => column.name);
    // Neighbours share pages.
    const order =
      table === 'thing_keys' ? '1, 2' : `day DESC, ${names.includes('doc') ? 'doc' : 'number'}`;
    statements.push(
      `CREATE TEMP TABLE seed AS SELECT * FROM gw.${table} WHERE ${rows.replaceAll('FROM ', 'FROM gw.')}`,
      `INSERT INTO gw.${table} (${names}) SELECT ${columns.map(valueOnServer)}
         FROM generate_series(${days}, 1, -1) AS day, seed ORDER BY ${order}`,
      'DROP TABLE seed',
    );
  }
  const schema = path.join(path.dirname(copy.program), '../docs/schema.sql');
  await sql([...statements, readFileSync(schema, 'utf8')].join(';\n'));
  await sql('ANALYZE');
  const [size] = /** @type {{ bytes: string }[]} */ (
    await sql(`SELECT pg_database_size('${name}') AS bytes`)
  );
  return Number(size?.bytes);
}

/** @param {{ name: string, type: string }} column @returns {string} its value in the copy of an earlier day */
function valueOnServer({ name, type }) {
  if (name === 'doc') return `doc - day::bigint * ${DOCS_A_DAY}`;
  if (type.startsWith('timestamp')) return `${name} - make_interval(days => day)`;
  if (TIMES.includes(name))
    return `to_char(left(${name}, 10)::date - day, 'YYYY-MM-DD') || substr(${name}, 11)`;
  if (name === 'sources') return `replace(sources, '"]', '-d' || day || '"]')`;
  if (name === 'key')
    return `CASE WHEN length(key) = 32 OR key LIKE '071-p-%' OR key LIKE 'inv-%' THEN key || '-d' || day ELSE key END COLLATE "C"`;
  // The names that are unique to an entry, which are in few places of it.
  if (name === 'keys' || name === 'text')
    return ['id', 'reference', ENTRY].reduce(
      (text, own) => `replace(${text}, lower(${own}), lower(${own}) || '-d' || day)`,
      name,
    );
  return [...OWN, 'entry'].includes(name) ? `${name} || '-d' || day` : name;
}

/** @param {Copy} copy */
function seed(copy) {
  mkdirSync(copy.home, { recursive: true });
  const [rare, ...tokens] = Array.from({ length: CUSTOMERS + 1 }, (_, n) => {
    const name = ['--first-name', 'Ada', '--last-name', `Byron${n}`, '--reference', `C-${n}`];
    const email = ['--email', n === 0 ? RARE : `ada${n}@example.org`, '--test-card', 'by-amount'];
    return JSON.parse(gw(copy, ['customer', 'create', ...name, ...email, '-o', 'json'])).card_token;
  });
  // The test gateway declines every twentieth, by its cents.
  const lines = Array.from({ length: SEED }, (_, n) => {
    const cents = n % 20 === 0 ? 51 : 0;
    return `${n < 2 ? rare : tokens[n % CUSTOMERS]},${1_000 + ((n * 37) % 90) * 100 + cents},AUD,INV-${100_000 + n}\n`;
  });
  const file = path.join(copy.home, 'charges.csv');
  writeFileSync(file, `card_token,amount,currency,reference\n${lines.join('')}`);
  spawnSync(process.execPath, [copy.program, 'purchase', 'batch', file, ...LOCAL], {
    env: { PATH: process.env.PATH, HOME: copy.home },
    stdio: 'ignore',
  });
  gw(copy, ['find', 'Ada']);
  gw(copy, [
    'profile',
    'set',
    'shop',
    '--environment',
    'sandbox',
    '--base-url',
    'https://gateway.example',
  ]);
}

/** @param {DatabaseSync} database @param {number} day how many days earlier */
function copyDay(database, day) {
  const mark = `-d${day}`;
  for (const table of ['money_requests', 'records', 'things']) {
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const names = columns.map(({ name }) => String(name));
    const values = names.map((name) => {
      if (name === 'doc') return `doc - ${day * DOCS_A_DAY}`;
      if (name === 'sources') return `replace(sources, '"]', '${mark}"]')`;
      if (TIMES.includes(name))
        return `strftime('%Y-%m-%d', ${name}, '-${day} days') || substr(${name}, 11)`;
      return OWN.includes(name) ? `${name} || '${mark}'` : name;
    });
    database.exec(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM seed_${table} ORDER BY rowid`,
    );
  }
  const { first, last } = /** @type {{ first: number, last: number }} */ (
    database.prepare('SELECT min(doc) AS first, max(doc) AS last FROM seed_things').get()
  );
  const copied = [first - day * DOCS_A_DAY, last - day * DOCS_A_DAY];
  database
    .prepare(
      `INSERT INTO things_text (rowid, text)
       SELECT doc, lower(concat_ws(char(10), '', id, reference, who, email, last_four, purchase, customer, amount,
                                   printf('%.2f', abs(amount) / 100.0), currency, substr(at, 1, 10), message))
         FROM things WHERE doc BETWEEN ? AND ? ORDER BY doc`,
    )
    .run(...copied);
}

function measure() {
  say(
    `\n| CPU, ms | ${copies.map(({ name }) => name).join(' | ')} |\n|---|${copies.map(() => '---:|').join('')}`,
  );
  for (const words of COMMANDS) {
    const times = copies.map(() => /** @type {number[]} */ ([]));
    for (let round = 0; round < rounds; round++)
      for (const [n, copy] of copies.entries()) times[n]?.push(cpuOf(copy, words));
    say(
      `| \`${words.join(' ')}\` | ${times.map((each) => Math.round(median(each))).join(' | ')} |`,
    );
  }
  for (const words of DELETING)
    say(
      `| \`${words.join(' ')}\` | ${copies.map((copy) => Math.round(cpuOf(copy, words))).join(' | ')} |`,
    );
}

/** @param {Copy} copy @param {string[]} words @returns {number} milliseconds */
function cpuOf({ program, home, ledger }, words) {
  const file = path.join(home, 'usage');
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, USAGE: file },
    ...(ledger && { GW_LEDGER_URL: ledger }),
  };
  const before = cluster ? cpuOfServer(cluster) : 0;
  const args = ['-r', usage, program, ...words, '--profile', 'shop'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  // An earlier program may lack the command.
  if (stderr.includes('There is no command')) return Number.NaN;
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  const server = cluster ? cpuOfServer(cluster) - before : 0;
  return Number(readFileSync(file, 'utf8')) / 1_000 + server;
}
