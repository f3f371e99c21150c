/**
 * How long commands take in a ledger of a million money requests, each with its record: beside one of a hundredth of
 * it, and beside another commit's program with a ledger of its own.
 *
 *     npm run build && npm run bench -- scale [COMMIT [ENTRIES [ROUNDS]]]
 *
 * gw itself sends 10,000 purchases and 200 refunds and learns them. SQL then copies them day by day into the past, so
 * that every row has the form that gw gives it. Only the text of the full-text index is made here, from the same columns.
 * The CPU counts, since the machine may have other work.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from './build.mjs';
import { median, PROGRAM } from './gateway.mjs';

const [commit = '', ...numbers] = process.argv.slice(2);
const [entries = 1_000_000, rounds = 5] = numbers.map(Number);
const SEED = 10_000;
const CUSTOMERS = 50;
const LOCAL = ['--profile', 'local'];
const COMMANDS = [
  ['find', 'inv-105000'],
  ['find', '25.00'],
  ['purchase', 'list'],
  ['history', 'INV-105000'],
  ['journal', 'list'],
  ['journal', 'batches'],
  ['report', 'month'],
  ['report', 'declines'],
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
const DOCS_A_DAY = 86_400 * 16_384;

const folder = mkdtempSync(path.join(tmpdir(), 'gw-scale-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const usage = path.join(folder, 'usage.cjs');
writeFileSync(
  usage,
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeFileSync(process.env.USAGE, String(user + system)); });",
);
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @typedef {{ name: string, program: string, home: string }} Copy */

const programs = [PROGRAM, ...(commit ? [path.join(build(commit), 'bin/gw.cjs')] : [])];
/** @type {Copy[]} */
const copies = programs.flatMap((program, n) => {
  const who = n === 0 ? 'now' : 'then';
  return [entries, entries / 100].map((count) => {
    const copy = { name: `${who}, ${count}`, program, home: path.join(folder, `${who}-${count}`) };
    fill(copy, count);
    return copy;
  });
});
measure();

/** @param {Copy} copy @param {string[]} args @param {string} [input] */
function gw({ program, home }, args, input) {
  return execFileSync(
    process.execPath,
    [program, ...args, ...(args[0] === 'profile' ? [] : LOCAL)],
    {
      ...{
        env: { PATH: process.env.PATH, HOME: home },
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
 * @param {number} count
 */
function fill(copy, count) {
  mkdirSync(copy.home, { recursive: true });
  const startedAt = performance.now();
  seed(copy, Math.min(SEED, count));
  const ledger = path.join(copy.home, '.local/state/gw/ledger.db');
  const database = new DatabaseSync(ledger);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -800000; BEGIN');
  for (const [table, where] of Object.entries(SEEDS))
    database.exec(`CREATE TEMP TABLE seed_${table} AS SELECT * FROM ${table} WHERE ${where}`);
  // The oldest first, as gw writes them.
  for (let day = Math.round(count / Math.min(SEED, count)) - 1; day > 0; day--)
    copyDay(database, day);
  const uses = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'profile_uses'").get();
  for (const table of ['money_requests', 'records', 'things', ...(uses ? ['profile_uses'] : [])])
    database.exec(
      `UPDATE ${table} SET profile = 'shop', environment = 'sandbox', account = 'sandbox/TEST'`,
    );
  for (const table of ['money_requests', 'records', 'things'])
    database.exec(`UPDATE ${table} SET host = 'gateway.example'`);
  database.exec('COMMIT');
  database.close();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  say(
    `${copy.name} entries: filled in ${seconds} s, ${Math.round(statSync(ledger).size / count)} bytes each`,
  );
}

/** @param {Copy} copy @param {number} purchases */
function seed(copy, purchases) {
  const tokens = Array.from({ length: CUSTOMERS }, (_, n) => {
    const name = ['--first-name', 'Ada', '--last-name', `Byron${n}`, '--reference', `C-${n}`];
    const email = ['--email', `ada${n}@example.org`, '--test-card', 'by-amount'];
    return JSON.parse(gw(copy, ['customer', 'create', ...name, ...email, '-o', 'json'])).card_token;
  });
  // The test gateway declines every twentieth, by its cents.
  const lines = Array.from({ length: purchases }, (_, n) => {
    const cents = n % 20 === 0 ? 51 : 0;
    return `${tokens[n % CUSTOMERS]},${1_000 + ((n * 37) % 90) * 100 + cents},AUD,INV-${100_000 + n}\n`;
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
  database.exec(
    `INSERT INTO thing_keys (key, doc)
     SELECT CASE WHEN length(key) = 32 OR key LIKE '071-p-%' OR key LIKE 'inv-%' THEN key || '${mark}' ELSE key END,
            doc - ${day * DOCS_A_DAY}
       FROM seed_thing_keys ORDER BY 1, 2`,
  );
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
}

/** @param {Copy} copy @param {string[]} words @returns {number} milliseconds */
function cpuOf({ program, home }, words) {
  const file = path.join(home, 'usage');
  const env = { PATH: process.env.PATH, HOME: home, USAGE: file };
  spawnSync(process.execPath, ['-r', usage, program, ...words, '--profile', 'shop'], { env });
  return Number(readFileSync(file, 'utf8')) / 1_000;
}
