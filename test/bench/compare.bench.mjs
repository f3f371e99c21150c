/**
 * Is gw as light as it was? Every command of the table is run in turn by gw as it is here, by gw of another commit, and,
 * where node alone can do the same in three lines, by node. The CPU of all threads counts, since the machine may have
 * other work; until a server listens or a question is there, the time.
 *
 *     npm run build && npm run bench -- compare [COMMIT [ROUNDS [NODE...]]]
 *
 * COMMIT is built aside, once, in `~/.cache/gw-bench`; without it gw is compared with node alone. Both programs have
 * homes of their own, filled by the same commands, and ask one server that answers everything at once, so that nothing
 * but the programs differs. NODE is the path of a node; without one, it is the one that runs this.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { median, PROGRAM, startRefundServer } from './gateway.mjs';

const [commit, given = '21', ...nodes] = process.argv.slice(2);
const rounds = Number(given);
const BATCH = 2_000;
const ID = '071-P-FIXEDSRV';
const LOCAL = ['--profile', 'local'];

/** Whether script(1) of util-linux is there, which makes terminals. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;
const folder = mkdtempSync(path.join(tmpdir(), 'gw-compare-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @typedef {{ program: string, home: string, id: string }} Program `id`: a purchase of its local gateway */
/** @typedef {{ name: string, args: (program: Program) => string[], url?: string, script?: string }} Row */

await compare(
  commit ? [PROGRAM, path.join(build(commit), 'bin/gw.cjs')] : [PROGRAM],
  await startServers(),
);
// The servers would go on.
process.exit();

/**
 * @param {string[]} copies gw as it is here, and that of the other commit
 * @param {{ http: string, https: string }} urls
 */
async function compare(copies, urls) {
  for (const node of nodes.length > 0 ? nodes : [process.execPath]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const programs = copies.map((program, i) =>
      fill(node, { program, home: path.join(folder, `${version}-${i}`), id: '' }),
    );
    say(`\n## Node ${version.slice(1)}, ${rounds} rounds${commit ? `, beside ${commit}` : ''}\n`);
    say('| | now, ms | now / then | now / node alone |\n|---|---:|---:|---:|');
    for (const row of rowsOf(urls)) {
      const { script } = row;
      const nothing = () => Number.NaN;
      const [now, then] = programs.map((each) => () => run(node, each, row));
      const alone = () => (script === undefined ? Number.NaN : runScript(node, script, row));
      const runs = [now ?? nothing, then ?? nothing, alone];
      sayRow(row.name, await inTurn(runs, rounds));
    }
    sayRow(
      '`listen`, until it listens',
      await inTurn(
        programs.map((each) => () => untilItListens(node, each)),
        rounds,
      ),
    );
    if (hasTerminals) await compareQuestions(node, programs);
    sayRow(
      `\`refund batch\`, ${BATCH} lines`,
      await inTurn(
        programs.map((each) => () => batch(node, each, urls.http)),
        5,
      ),
    );
  }
}

/**
 * Measures a question of which the library draws the form, beside the same question as a line of words, which needs no
 * library. Code that was compiled in an earlier run is kept, so both are also measured without it.
 * @param {string} node
 * @param {Program[]} programs
 */
async function compareQuestions(node, programs) {
  const kinds = [
    { name: '', env: {} },
    { name: ', nothing compiled', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  ];
  for (const { name, env } of kinds) {
    const runs = [[], ['--plain']].flatMap((form) =>
      programs.map((each) => () => untilItAsks(node, each, form, env)),
    );
    const all = await inTurn(runs, rounds);
    const [drawn, inWords] = [all.slice(0, programs.length), all.slice(programs.length)];
    sayRow(`\`purchase create\`, until it asks${name}`, drawn);
    sayRow(
      `of it, the form of the question${name}`,
      drawn.map((ms, i) => ms - Number(inWords[i])),
    );
  }
}

/**
 * @param {string} name
 * @param {number[]} medians of gw now, gw then, and node alone; NaN where there is nothing to measure
 */
function sayRow(name, [now = Number.NaN, then = Number.NaN, alone = Number.NaN]) {
  const ratio = (/** @type {number} */ to) => (Number.isNaN(to) ? '' : (now / to).toFixed(2));
  say(`| ${name} | ${now.toFixed(1)} | ${ratio(then)} | ${ratio(alone)} |`);
}

/**
 * @param {(() => number | Promise<number>)[]} runs each takes how many milliseconds
 * @param {number} times
 * @returns {Promise<number[]>} the median of each
 */
async function inTurn(runs, times) {
  const ms = runs.map(() => /** @type {number[]} */ ([]));
  // The first two rounds fill caches.
  for (let round = -2; round < times; round++) {
    for (const [i, each] of runs.entries()) {
      const took = await each();
      if (round >= 0) ms[i]?.push(took);
    }
  }
  return ms.map(median);
}

/**
 * @param {{ http: string, https: string }} urls
 * @returns {Row[]}
 */
function rowsOf({ http, https }) {
  const card = ['--test-card', 'approved', '--amount', '2500', '--allow-duplicate'];
  const named = (/** @type {string} */ args) => ({
    name: `\`${args}\``,
    args: () => args.split(' '),
  });
  const local = (/** @type {string} */ args) => ({
    name: `\`${args}\`, local`,
    args: (/** @type {Program} */ { id }) => [...args.replace('ID', id).split(' '), ...LOCAL],
  });
  const get = () => ['purchase', 'get', ID];
  return [
    { ...named('--version'), script: '0' },
    named('--help'),
    named('purchase create --help'),
    { name: '`purchase get ID`, http', args: get, url: http, script: getBy('http', http) },
    { name: '`purchase get ID`, https', args: get, url: https, script: getBy('https', https) },
    local('purchase get ID'),
    { name: '`purchase create`, local', args: () => ['purchase', 'create', ...card, ...LOCAL] },
    {
      name: '`refund create ID`, local',
      args: ({ id }) => [
        ...[
          'refund',
          'create',
          '--transaction-id',
          id,
          '--amount',
          '1',
          '--reference',
          unique(),
          ...LOCAL,
        ],
      ],
    },
    local('plan list'),
    local('purchase list'),
    local('find Smith'),
    named('journal list'),
    named('events list'),
    local('whoami'),
    named('profile list'),
    local('report day'),
  ];
}

/**
 * The three lines of node that send the same request and read its answer.
 * @param {string} scheme
 * @param {string} url
 */
function getBy(scheme, url) {
  return `const options = { headers: { authorization: 'Basic ' + btoa('TEST:TEST') } };
    require('node:${scheme}').get('${url}/v1.0/purchases/${ID}', options, (reply) => { let text = ''; reply.setEncoding('utf8')
      .on('data', (part) => (text += part)).on('end', () => console.log(JSON.parse(text).response.id)) });`;
}

/**
 * @param {string} node
 * @param {Program} program
 * @param {Row} row
 * @returns {number} milliseconds; NaN if the other commit does not have the command
 */
function run(node, program, { args, url }) {
  try {
    return timed([node, program.program, ...args(program)], environmentOf(program, url));
  } catch (error) {
    if (/There is no command/.test(String(error))) return Number.NaN;
    throw error;
  }
}

/** @param {string} node @param {string} script @param {Row} row */
function runScript(node, script, { url }) {
  return timed([node, '-e', script], environmentOf({ home: folder }, url));
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {number} milliseconds of CPU
 */
function timed(command, env) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(/\s+/).slice(-2).map(Number);
  return (user + system) * 1000;
}

/**
 * @param {{ home: string }} program
 * @param {string} [url] the gateway to ask, with an account there
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf({ home }, url) {
  const account = { GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', GW_ENVIRONMENT: 'sandbox' };
  return {
    PATH: process.env.PATH,
    HOME: home,
    ...(url && { ...account, GW_BASE_URL: url }),
    ...(url?.startsWith('https') && { NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') }),
  };
}

/**
 * Twenty purchases, so that the lists and the search have something to show.
 * @param {string} node
 * @param {Program} program
 * @returns {Program}
 */
function fill(node, program) {
  mkdirSync(program.home, { recursive: true });
  const card = ['--test-card', 'approved', '--card-holder', 'Ann Smith', '--amount', '90000'];
  const create = ['purchase', 'create', ...card, '--allow-duplicate', ...LOCAL, '-o', 'id'];
  const ids = Array.from({ length: 20 }, () =>
    execFileSync(node, [program.program, ...create], {
      env: environmentOf(program),
      encoding: 'utf8',
    }).trim(),
  );
  return { ...program, id: ids.at(-1) ?? '' };
}

/**
 * @param {string} node
 * @param {Program} program
 */
async function untilItListens(node, program) {
  const startedAt = performance.now();
  const child = spawn(node, [program.program, 'listen', '--port', '0', ...LOCAL], {
    env: environmentOf(program),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output.on('data', (part) => /127\.0\.0\.1:\d+/.test(part) && resolve(undefined));
    child.on('close', (status) => reject(new Error(`gw listen ended with ${status}`)));
  });
  const ms = performance.now() - startedAt;
  child.kill('SIGINT');
  await ended;
  return ms;
}

/**
 * Has one purchase made at a terminal, and answers its two questions, so that the code that it compiles is kept.
 * @param {string} node
 * @param {Program} program
 * @param {string[]} form
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} milliseconds until the first question is there
 */
async function untilItAsks(node, program, form, env) {
  const card = ['--test-card', 'approved', '--currency', 'AUD', '--reference', unique()];
  const words = [node, program.program, 'purchase', 'create', ...card, ...LOCAL, ...form];
  const questions = [/Amount in AUD/, /Send it\?/];
  const startedAt = performance.now();
  const child = spawn('script', ['-qec', `exec ${words.join(' ')}`, '/dev/null'], {
    env: { ...environmentOf(program), SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let ms = Number.NaN;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    if (!questions[0]?.test(shown)) return;
    if (Number.isNaN(ms)) ms = performance.now() - startedAt;
    child.stdin.write(questions.length === 2 ? '1\r' : 'y\r');
    questions.shift();
    shown = '';
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0 || questions.length > 0) throw new Error(`${words.join(' ')}: ${shown}`);
  return ms;
}

/**
 * @param {string} node
 * @param {Program} program
 * @param {string} url
 */
function batch(node, program, url) {
  const file = path.join(folder, 'refunds.csv');
  const round = unique();
  const lines = Array.from(
    { length: BATCH },
    (_, i) => `071-P-${10_000_000 + (i % 250)},1,B-${round}-${i}\n`,
  );
  writeFileSync(file, `transaction_id,amount,reference\n${lines.join('')}`);
  const args = ['refund', 'batch', file, '--concurrency', '16'];
  return timed([node, program.program, ...args], environmentOf(program, url));
}

/** @returns {string} a reference that was not used before */
function unique() {
  return `R-${Math.round(performance.now() * 1000)}`;
}

/** Two servers that answer everything at once, so that nothing but the programs is measured. */
async function startServers() {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', String(key), '-out', String(cert)],
    ],
    { stdio: 'ignore' },
  );
  return { http: await startRefundServer(), https: await startRefundServer(key, cert) };
}
