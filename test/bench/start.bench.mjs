/**
 * How long gw takes to start and finish, as ratios to `node -e 0` in the same run: every row is run
 * once in each round, so that whatever else the machine does falls on all of them alike.
 *
 *     npm run bench -- start [ROUNDS [NODE...]]
 *
 * Without names it takes every Node it finds: this one, those on PATH, of nvm, and of .ci/run. The
 * keychain row needs dbus-run-session and gnome-keyring; other command-line tools (stripe, gh,
 * heroku, twilio) have rows when they are on PATH. Peak memory is that of one more run, and known
 * for Node programs on Linux only.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { median, PROGRAM, startGateway } from './gateway.mjs';

const [rounds = '20', ...named] = process.argv.slice(2);
const home = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** Aims, as ratios: Node 20, and the later ones. */
const AIMS = {
  'gw --version': [1.25, 1.6],
  'gw purchase get ID': [1.6, 2.5],
  'gw purchase get ID (keychain)': [1.9, 3.0],
  'gw purchase create -p local': [2.2, 3.5],
};

/** Help is to be no slower than a look-up. */
const HELP = ['gw --help', 'gw purchase create --help'];
const LOOK_UP = 'gw purchase get ID';

/**
 * @typedef {{ name: string, command: string[], env?: Record<string, string | undefined>, isOther?: boolean }} Row
 * @typedef {{ ms: number[], peak: number | undefined }} Measured
 */

const inherited = Object.entries(process.env).filter(([name]) => !/^(?:GW|XDG|npm)_/.test(name));
const base = { ...Object.fromEntries(inherited), HOME: home };
const server = await startGateway(home, base);
const card = ['--test-card', 'approved', '--amount', '2500', '--allow-duplicate'];
const id = output(
  [process.execPath, PROGRAM, 'purchase', 'create', ...card, '-o', 'id'],
  server.env,
);
const keychain = await openKeychain();
const peers = await findPeers();

for (const node of named.length > 0 ? named : findNodes()) {
  measureNode(node, {});
  // Node 20 reads its certificates at every start, which makes the ratios of everything else smaller.
  if (process.env.NODE_EXTRA_CA_CERTS && output([node, '--version']).startsWith('v20.'))
    measureNode(node, { NODE_EXTRA_CA_CERTS: undefined });
}
if (peers.rows.length > 0)
  say('Rows with a * are other tools, on the same machine in the same run.');
for (const stop of [server.stop, keychain?.stop, peers.stop]) await stop?.();
rmSync(home, { recursive: true, force: true });

/**
 * @param {string} node path of a Node
 * @param {Record<string, undefined>} without variables that are not set
 */
function measureNode(node, without) {
  /** @type {Row[]} */
  const rows = [
    { name: 'node -e 0', command: [node, '-e', '0'] },
    { name: 'gw --version', command: [node, PROGRAM, '--version'] },
    ...HELP.map((name) => ({ name, command: [node, PROGRAM, ...name.split(' ').slice(1)] })),
    {
      name: LOOK_UP,
      command: [node, PROGRAM, 'purchase', 'get', id],
      env: server.env,
    },
    ...(keychain
      ? [
          {
            name: 'gw purchase get ID (keychain)',
            command: [node, PROGRAM, 'purchase', 'get', id, '-p', 'shop'],
            env: keychain.env,
          },
        ]
      : []),
    {
      name: 'gw purchase create -p local',
      command: [node, PROGRAM, 'purchase', 'create', '-p', 'local', ...card],
    },
    ...peers.rows.map(({ name, command, isNode, env }) => ({
      name: `${name} *`,
      command: isNode ? [node, ...command] : command,
      env,
      isOther: true,
    })),
  ];
  const version = output([node, '--version']);
  const all = measure(rows.map((row) => ({ ...row, env: { ...(row.env ?? base), ...without } })));
  const bare = median(all[0]?.ms ?? []);
  const aims = (/** @type {string} */ name) =>
    AIMS[/** @type {keyof typeof AIMS} */ (name)]?.[version.startsWith('v20.') ? 0 : 1];

  const unset = Object.keys(without).map((name) => `, without ${name}`);
  say(`\n## Node ${version.slice(1)}${unset.join('')}, ${rounds} rounds\n`);
  say('|  | median ms | ratio | aim | peak MiB |\n|---|---:|---:|---:|---:|');
  rows.forEach(({ name }, i) => {
    const { ms = [], peak } = all[i] ?? {};
    const cells = [
      median(ms).toFixed(0),
      (median(ms) / bare).toFixed(2),
      aims(name)?.toFixed(2) ?? '',
      peak === undefined ? '' : (peak / 1024).toFixed(0),
    ];
    say(`| ${name} | ${cells.join(' | ')} |`);
  });
  const medianOf = (/** @type {string} */ name) =>
    median(all[rows.findIndex((row) => row.name === name)]?.ms ?? []);
  say('');
  for (const name of HELP)
    say(`${name}: ${(medianOf(name) / medianOf(LOOK_UP)).toFixed(2)} of a look-up (aim 1.00)`);
}

/**
 * @param {Row[]} rows
 * @returns {Measured[]}
 */
function measure(rows) {
  /** @type {number[][]} */
  const times = rows.map(() => []);
  // The first two are not counted: they fill caches, gw's own compile cache among them.
  for (let round = -2; round < Number(rounds); round++) {
    rows.forEach((row, i) => {
      const ms = timed(row);
      if (round >= 0) times[i]?.push(ms);
    });
  }
  return rows.map((row, i) => ({ ms: times[i] ?? [], peak: peakOf(row) }));
}

/** @param {Row} row @returns {number} milliseconds */
function timed({ command: [program = '', ...args], env = base, isOther = false }) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, args, {
    env,
    cwd: home,
    // Some leave a process behind that would keep a pipe open.
    stdio: isOther ? 'ignore' : 'pipe',
  });
  const ms = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return ms;
}

/** @param {Row} row @returns {number | undefined} the most memory that it had, in KiB */
function peakOf({ command: [program = '', ...args], env = base, isOther = false }) {
  const file = path.join(home, 'peak');
  const hook = path.join(home, 'peak.cjs');
  // Not maxRSS of resourceUsage(), which begins with that of the process that started this one.
  writeFileSync(
    hook,
    `const fs = require('node:fs');
    process.on('exit', () => {
      const [, peak] = /^VmHWM:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'));
      fs.writeFileSync(${JSON.stringify(file)}, peak);
    });`,
  );
  rmSync(file, { force: true });
  const options = { env: { ...env, NODE_OPTIONS: `--require=${hook}` }, cwd: home };
  spawnSync(program, args, { ...options, stdio: isOther ? 'ignore' : 'pipe' });
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/**
 * @param {string[]} command
 * @param {Record<string, string | undefined>} [env]
 */
function output([program = '', ...args], env = base, input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, {
    env,
    input,
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** @returns {string[]} paths, one for each version */
function findNodes() {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const nvm = process.env.NVM_DIR ?? path.join(homedir(), '.nvm');
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...inside(path.join(nvm, 'versions/node')).map((folder) => path.join(folder, 'bin')),
    ...inside(path.join(cache, 'gw-ci')).flatMap((folder) =>
      inside(path.join(folder, 'node_modules'))
        .filter((name) => /node-linux-\w+$/.test(name))
        .map((name) => path.join(name, 'bin')),
    ),
  ];
  const programs = [process.execPath, ...folders.map((folder) => path.join(folder, 'node'))];
  const byVersion = new Map();
  for (const program of programs.filter((file) => existsSync(file))) {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    const major = Number(/^v(\d+)\./.exec(stdout)?.[1]);
    if (major >= 20 && !byVersion.has(major)) byVersion.set(major, program);
  }
  return [...byVersion].sort(([a], [b]) => a - b).map(([, program]) => program);
}

/** @param {string} folder */
function inside(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** A Secret Service on a bus of its own, which knows the account of the profile `shop`. */
async function openKeychain() {
  const tools = ['dbus-run-session', 'gnome-keyring-daemon'];
  if (!tools.every((tool) => programOf(tool))) {
    say(`No keychain row: it needs ${tools.join(' and ')}.`);
    return undefined;
  }
  const script =
    'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ' +
    'echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null';
  const child = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env: { ...base, XDG_RUNTIME_DIR: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  process.on('exit', () => child.kill());
  const bus = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: String(bus) };
  const login = ['login', 'shop', '--environment', 'sandbox', '--base-url', server.url];
  output(
    [process.execPath, PROGRAM, ...login, '--username', 'TEST', '--with-token', '--no-input'],
    env,
    'TEST\n',
  );
  return {
    env,
    stop: () => {
      child.stdin.end();
      return new Promise((resolve) => child.on('close', resolve));
    },
  };
}

/** Other tools; `stripe` looks a record up over loopback, as gw does. */
async function findPeers() {
  // In a process of its own: spawnSync lets nothing else run in this one.
  const script =
    "require('node:http').createServer((_, r) => r.setHeader('content-type', 'application/json')" +
    '.end(\'{"id":"ch_1","object":"charge"}\'))' +
    ".listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const url = await new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  const get = ['get', '/v1/charges/ch_1', '--api-key', 'sk_test_000000000000000'];
  const rows = [
    { name: 'stripe get ID', tool: 'stripe', args: [...get, '--api-base', String(url)] },
    { name: 'gh --version', tool: 'gh', args: ['--version'] },
    { name: 'heroku --version', tool: 'heroku', args: ['--version'] },
    { name: 'twilio --version', tool: 'twilio', args: ['--version'] },
  ].flatMap(({ name, tool, args }) => {
    const program = programOf(tool);
    if (program === undefined) return [];
    return [{ name, command: [program, ...args], isNode: isNodeScript(program), env: base }];
  });
  return { rows, stop: async () => void child.kill() };
}

/** @param {string} name */
function programOf(name) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** @param {string} file */
function isNodeScript(file) {
  return /^#!.*\bnode\b/.test(readFileSync(file, 'latin1').slice(0, 100));
}
