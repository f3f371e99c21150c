/**
 * The packages that people install: `npm pack` and `npm i -g` of its tarball, with an empty home, into an empty prefix,
 * on a machine without a compiler; and `npm run pack:offline`, whose tarball needs no network either.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, type RunOptions, run } from '../helpers/run.ts';
import { havePrograms, notePart } from '../helpers/skip.ts';

const TEST_TIMEOUT_MS = 300_000;
const INSTALL_TIMEOUT_MS = 240_000;
/** jq is half a megabyte of it. */
const MOST_PACKED_BYTES = 2_500_000;
const MOST_INSTALLED_BYTES = 60_000_000;

/** The files of the repository that are packed; the last ones only if they exist. */
const EXPECTED = [
  'package.json',
  'bin/gw.cjs',
  'dist/main.cjs',
  'dist/help/index.json',
  'dist/THIRD-PARTY-LICENSES-MCP.txt',
  'dist/THIRD-PARTY-LICENSES.txt',
  ...['docs/README.md', 'README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'SECURITY.md'].filter(
    existsSync,
  ),
];

/** Files of programs and people that must not be published. */
const KEYS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:npm_|gh[opsu]_)[A-Za-z\d]{36}\b/,
  /\bAKIA[A-Z\d]{16}\b/,
  /_authToken\s*=/,
];

/** Without what `npm test` tells its scripts, such as where the cache is. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm|GW|XDG)_/.test(name)),
);

const root = mkdtempSync(path.join(tmpdir(), 'gw-pack-'));
const tools = path.join(root, 'tools');
const unpacked = path.join(root, 'package');
let tarball = '';

const canUnpack = havePrograms('npm', 'sh', 'tar', 'env');
const canInstall = process.platform !== 'win32' && canUnpack;
const canRun = canInstall && (await haveRegistry());

beforeAll(async () => {
  if (!canUnpack) return;
  // All that an installation may use; no cc, make or python among it.
  mkdirSync(tools);
  for (const name of ['npm', 'sh', 'env']) symlinkSync(programPath(name), path.join(tools, name));
  symlinkSync(process.execPath, path.join(tools, 'node'));

  // The scripts would build, while other tests run what is built.
  const { stdout } = await succeed('npm', [
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    root,
  ]);
  const [{ filename }] = JSON.parse(stdout);
  tarball = path.join(root, filename);
  await succeed('tar', ['xzf', tarball, '-C', root]);
}, TEST_TIMEOUT_MS);

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!canUnpack)('the tarball', () => {
  test('the tarball has the program, its licence and its documents', () => {
    const files = filesBelow(unpacked);
    expect(EXPECTED.filter((file) => !files.includes(file))).toEqual([]);
    const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'));
    const built = Object.keys(commands).map((id) => `dist/commands/${id.replaceAll(':', '/')}.cjs`);
    expect(built.filter((file) => !files.includes(file))).toEqual([]);
  });

  test('the tarball has nothing else', () => {
    const others = filesBelow(unpacked).filter(
      (file) =>
        !EXPECTED.includes(file) &&
        // oclif makes the manifest from the first; an installed gw reads neither of them.
        (file === 'dist/oclif-commands.cjs' ||
          !/^dist\/(?:.*\.cjs|(?:flags|help)\/.*\.json|man\/gw[\w-]*\.1)$/.test(file)) &&
        !/^docs\/[\w-]+\.(?:md|json|sh|sql)$/.test(file) &&
        !/^docs\/pictures\/[\w-]+\.(?:svg|png)$/.test(file),
    );
    expect(others).toEqual([]);
  });

  test('the tarball has no build paths and no keys', () => {
    const telling = filesBelow(unpacked).filter((file) => {
      const text = readFileSync(path.join(unpacked, file), 'latin1');
      const places = ['src', 'dist', 'node_modules'].map((name) => path.resolve(name));
      return places.some((place) => text.includes(place)) || KEYS.some((key) => key.test(text));
    });
    expect(telling).toEqual([]);
  });

  test('the tarball is small', () => {
    expect(statSync(tarball).size).toBeLessThan(MOST_PACKED_BYTES);
  });
});

describe.skipIf(!canRun)('installed from the tarball', () => {
  test.each([
    ['as usual', []],
    ['without install scripts', ['--ignore-scripts']],
  ])('gw that is installed %s runs', { timeout: TEST_TIMEOUT_MS }, async (name, options) => {
    const { stderr } = await installs(tarball, name, options);
    // npm warns of scripts of the packages that gw needs; gw has none.
    expect(stderr).not.toMatch(/\bgw@/);
  });
});

describe.skipIf(!canInstall)('the tarball with its packages', () => {
  test('it installs without network, cache and warning', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { stdout } = await succeed(process.execPath, ['scripts/pack-offline.mjs', root]);
    const nowhere = [
      '--offline',
      '--cache',
      path.join(root, 'no-cache'),
      '--registry',
      'http://[::1]:9',
    ];
    const { stderr } = await installs(stdout.trim(), 'offline', nowhere);
    expect(stderr).toBe('');
  });
});

/**
 * Installs a tarball, and has the gw that is installed do what it is for.
 * @param name of a folder of its own
 * @param options of npm
 * @returns what npm printed
 */
async function installs(packed: string, name: string, options: string[]): Promise<Ended> {
  const prefix = path.join(root, name, 'prefix');
  const home = path.join(root, name, 'home');
  for (const folder of [prefix, home]) mkdirSync(folder, { recursive: true });
  const env = { ...environment, PATH: tools, HOME: home };
  const args = ['install', '--global', packed, '--prefix', prefix, '--no-update-notifier'];
  const installed = await succeed('npm', [...args, ...options], { env, cwd: home });
  expect(bytesBelow(prefix)).toBeLessThan(MOST_INSTALLED_BYTES);

  const gw = (...words: string[]) =>
    succeed(path.join(prefix, 'bin/gw'), words, {
      env: { ...env, GW_PROFILE: 'local' },
      cwd: home,
    });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect((await gw('--version')).stdout).toContain(`gw/${version} `);
  expect((await gw('--help')).stdout).toContain('purchase');
  expect((await gw('purchase', 'create', '--help')).stdout).toContain('--decimal-amount');

  const order = ['--amount', '2500', '--currency', 'AUD', '--reference', 'INV-1001'];
  const made = await gw('purchase', 'create', '--test-card', 'approved', ...order, '-o', 'id');
  expect(made.stderr).toBe('');
  const id = made.stdout.trim();
  const found = await gw('purchase', 'get', id, '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({ id, amount: 2500, reference: 'INV-1001' });
  expect((await gw('completion', 'bash')).stdout).toContain('__complete');
  return installed;
}

async function succeed(command: string, args: string[], options: RunOptions = {}): Promise<Ended> {
  const ended = await run(command, args, { timeout: INSTALL_TIMEOUT_MS, ...options });
  if (ended.code !== 0)
    throw new Error(
      `exit ${ended.code}: ${command} ${args.join(' ')}\n${ended.stdout}${ended.stderr}`,
    );
  return ended;
}

function programPath(name: string): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const found = folders.map((folder) => path.join(folder, name)).find(existsSync);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
}

async function haveRegistry(): Promise<boolean> {
  const { code } = await run('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000']);
  if (code !== 0) notePart('a way to an npm registry');
  return code === 0;
}

/** @returns the files below a folder, relative to it, with slashes */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'));
}

function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0);
}
