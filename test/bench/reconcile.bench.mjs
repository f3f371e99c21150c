/**
 * Measures what it costs to read the books: the CPU and the most memory of `gw reconcile`, for a table of the merchant's
 * own and for the file of a bank, which names each record among other words.
 *
 *     npm run build && npm run bench -- reconcile [COMMIT [ROWS [ROUNDS]]]
 *
 * Another commit reads the table only. Each file is read twice: of all rows nothing is looked up, because the gateway
 * refuses the credentials, and a part of them is looked up at a server that answers at once. The median counts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { median, PROGRAM, startRefundServer } from './gateway.mjs';

const [commit = '', ...numbers] = process.argv.slice(2);
const [rows = 1_000_000, rounds = 3] = numbers.map(Number);
/** One of so many rows is looked up, where rows are. */
const PART = 20;

/** @typedef {{ name: string, header: string, row: (id: string, n: number) => string, isOld: boolean }} Form */
/** @type {Form[]} */
const FORMS = [
  {
    ...{ name: 'a table with ids', header: 'id,decimal_amount', isOld: true },
    row: (id) => `${id},10000000.00`,
  },
  {
    ...{ name: "a bank's file", header: 'Buchung;Valuta;Text;Betrag;Saldo', isOld: false },
    row: (id, n) => `31.03.26;01.04.26;KARTE ${id} REF ${n};10.000.000,00;${n}0.000.000,00`,
  },
];

const folder = mkdtempSync(path.join(tmpdir(), 'gw-reconcile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const usage = path.join(folder, 'usage.cjs');
writeFileSync(
  usage,
  "process.on('exit', () => require('node:fs').writeFileSync(process.env.USAGE, JSON.stringify(process.resourceUsage())));",
);

const refusing = createServer((_, response) => {
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end('{"successful":false,"response":null,"errors":["No"],"test":true}');
});
await once(refusing.listen(0, '127.0.0.1'), 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (refusing.address());
const answering = await startRefundServer();
const programs = [PROGRAM, ...(commit ? [path.join(build(commit), 'bin/gw.cjs')] : [])];

process.stdout.write(`
| | CPU, s | MB | CPU / then | memory / then |
|---|---:|---:|---:|---:|
`);
for (const { url, count, what } of [
  { url: `http://127.0.0.1:${port}`, count: rows, what: 'read' },
  { url: answering, count: Math.ceil(rows / PART), what: 'looked up' },
]) {
  /** @type {{ cpu: number, mb: number } | undefined} */
  let then;
  for (const form of FORMS) {
    const file = write(form, count);
    const [now, old] = await measured(form.isOld ? programs : programs.slice(0, 1), file, url);
    if (form.isOld) then = old;
    const ratio = (/** @type {'cpu' | 'mb'} */ unit) =>
      then ? ((now?.[unit] ?? Number.NaN) / then[unit]).toFixed(2) : '-';
    process.stdout.write(
      `| ${count} rows of ${form.name}, ${what} | ${now?.cpu.toFixed(1)} | ${now?.mb.toFixed(0)} | ${ratio('cpu')} | ${ratio('mb')} |\n`,
    );
  }
}
process.exit();

/**
 * @param {Form} form
 * @param {number} count
 * @returns {string} its path
 */
function write({ header, row }, count) {
  const file = path.join(folder, 'books.csv');
  const lines = Array.from({ length: count }, (_, n) =>
    row(`071-P-${n.toString(36).toUpperCase().padStart(8, '0')}`, n),
  );
  writeFileSync(file, `${header}\n${lines.join('\n')}\n`);
  return file;
}

/**
 * @param {string[]} copies the programs, which are run in turn
 * @param {string} file
 * @param {string} url
 */
async function measured(copies, file, url) {
  const all = copies.map(() => /** @type {{ cpu: number, mb: number }[]} */ ([]));
  for (let round = 0; round < rounds; round++)
    for (const [n, program] of copies.entries()) all[n]?.push(await cost(program, file, url));
  return all.map((costs) => ({
    cpu: median(costs.map(({ cpu }) => cpu)),
    mb: median(costs.map(({ mb }) => mb)),
  }));
}

/**
 * @param {string} program
 * @param {string} file
 * @param {string} url
 */
async function cost(program, file, url) {
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const report = path.join(folder, 'usage.json');
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, USAGE: report },
    ...{ GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_ENVIRONMENT: 'sandbox', GW_BASE_URL: url },
  };
  const args = ['--require', usage, program, 'reconcile', file, '-o', 'jsonl'];
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  await once(child, 'close');
  rmSync(home, { recursive: true });
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(report, 'utf8'));
  return { cpu: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 };
}
