/**
 * Strange homes, and strange files in them: whatever a machine does, gw ends in time, says what is
 * wrong and what to do, and sends no money that it cannot write down.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run as runProgram } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf, gw } from './support.ts';

/** Ends a program that would go on for ever; no command here takes a fraction of it. */
const LIMIT_MS = 60_000;
const PURCHASE = {
  id: '071-P-1',
  amount: 2500,
  reference: 'INV-1',
  card_token: 'tok_1',
  successful: true,
  message: 'Approved',
};
const APPROVED = answer(
  200,
  JSON.stringify({ successful: true, response: PURCHASE, errors: [], test: true }),
);

const BUY = ['purchase', 'create', '--card-token', 'tok_1', '--reference', 'INV-1'].concat(
  '--amount',
  '2500',
);
const LOOK_UP = ['purchase', 'get', '071-P-1', '-o', 'id'];

async function startGateway() {
  return hostileServer({ onRequest: (socket) => void socket.write(APPROVED) });
}

/** Runs a command, and holds it to what every command has to do on any machine. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv, url?: URL) {
  const ended = await gw(args, {
    ...(url && { url }),
    env,
    cwd: temporaryDirectory(),
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const what = `${args.join(' ')}: ${ended.stderr}`;
  expect(ended.signal, what).toBeNull();
  expect([0, 2, 3, 10], what).toContain(ended.code);
  expect(ended.stderr, what).not.toMatch(/^ +at |^\(node:/m);
  // The message says what happened and what to do next.
  if (ended.code !== 0) expect(ended.stderr, what).toMatch(/Error: .+[.…]\n.+[.…]\n$/s);
  return ended;
}

interface Home {
  what: string;
  /** Makes it. @returns the variables that say where it is */
  make: (directory: string) => NodeJS.ProcessEnv;
}

function linkTo(target: string, directory: string): string {
  const link = path.join(directory, 'link');
  symlinkSync(target, link);
  return link;
}

function fileIn(directory: string): string {
  const file = path.join(directory, 'file');
  writeFileSync(file, 'not a directory');
  return file;
}

const UNUSABLE: Home[] = [
  { what: '/dev/null', make: () => ({ HOME: '/dev/null' }) },
  { what: 'empty', make: () => ({ HOME: '' }) },
  { what: 'relative', make: () => ({ HOME: 'home' }) },
  { what: 'a file', make: (directory) => ({ HOME: fileIn(directory) }) },
  {
    what: 'a link that leads nowhere',
    make: (directory) => ({ HOME: linkTo(path.join(directory, 'gone'), directory) }),
  },
  {
    what: 'a link to itself',
    make: (directory) => ({ HOME: linkTo('link', directory) }),
  },
  {
    what: 'of a name that is too long',
    make: (directory) => ({ HOME: path.join(directory, 'x'.repeat(300)) }),
  },
  {
    what: 'of a path that is too long',
    make: (directory) => ({
      HOME: `${directory}/${'x'.repeat(200)}`.padEnd(4_085, `/${'x'.repeat(200)}`),
    }),
  },
  {
    what: 'good, but XDG directories are files',
    make(directory) {
      const file = fileIn(directory);
      return { HOME: directory, XDG_STATE_HOME: file, XDG_CONFIG_HOME: file, XDG_CACHE_HOME: file };
    },
  },
];

const ODD: Home[] = [
  { what: 'not there yet', make: (directory) => ({ HOME: path.join(directory, 'a', 'b') }) },
  { what: 'of two lines', make: (directory) => ({ HOME: path.join(directory, 'two\nlines') }) },
  {
    what: 'of odd letters',
    make: (directory) => ({ HOME: path.join(directory, "Zoë's 😀 $(home)\t%41") }),
  },
  { what: 'a link', make: (directory) => ({ HOME: linkTo(temporaryDirectory(), directory) }) },
  {
    what: 'good, and XDG directories are relative, which is passed over',
    make: (directory) => ({
      HOME: directory,
      XDG_STATE_HOME: 'state',
      XDG_CONFIG_HOME: './config',
    }),
  },
  {
    what: 'good, and XDG directories are spelled in an odd way',
    make: (directory) => ({
      HOME: directory,
      XDG_STATE_HOME: `${directory}//a/../state/`,
      XDG_CONFIG_HOME: `${directory}/./config`,
    }),
  },
];

describe('a home that is', () => {
  test.each(UNUSABLE)('$what is not used, and no money request is sent', async ({ make }) => {
    const gateway = await startGateway();
    const env = make(temporaryDirectory());
    const at = (args: readonly string[]) => run(args, env, gateway.url);
    const [version, help, buy, ...others] = await Promise.all([
      at(['--version']),
      at(['--help']),
      at(BUY),
      run(['emulator', 'status'], env),
      run(['purchase', 'get', '071-P-1'], env),
      at(['journal', 'list', '--all-profiles']),
      at(['listen', '--port', '0']),
      at([
        'profile',
        'set',
        'shop',
        '--environment',
        'sandbox',
        '--base-url',
        'http://127.0.0.1:1',
      ]),
    ]);
    expect([version.code, help.code]).toEqual([0, 0]);
    expect([2, 10], buy.stderr).toContain(buy.code);
    if (buy.code !== 2) expect(buy.stderr).toContain('Nothing was sent.');
    expect(gateway.requests).toEqual([]);
    for (const { code, stderr } of others) expect(code, stderr).not.toBe(0);

    // A look-up needs nothing that is kept there, so it works.
    expect((await at(LOOK_UP)).stdout).toBe('071-P-1\n');
  });

  test.each(ODD)('$what is used', async ({ make }) => {
    const gateway = await startGateway();
    const env = make(temporaryDirectory());
    expect((await run(LOOK_UP, env, gateway.url)).code).toBe(0);
    expect((await run([...BUY, '-o', 'id'], env, gateway.url)).stdout).toBe('071-P-1\n');
    expect(await run(BUY, env, gateway.url)).toMatchObject({ code: 10, stdout: '' });
    expect((await run(['emulator', 'status'], env)).code).toBe(0);
    expect(gateway.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});

describe('a disk that is full', () => {
  // In blocks of 512 bytes or 1 KiB: from nothing to what a journal takes, by way of its parts.
  test.each([0, 1, 8, 16, 32, 64, 100, 200])(
    'at %d blocks stops every request that is not recorded',
    async (blocks) => {
      const gateway = await startGateway();
      const home = temporaryDirectory();
      const limited = ['-c', 'ulimit -f "$0" && exec "$@"', String(blocks)];
      const { code, stderr } = await runProgram(
        'sh',
        [...limited, process.execPath, PROGRAM, ...BUY],
        { env: environmentOf({ url: gateway.url, home }), timeout: LIMIT_MS },
      );
      expect([0, 2, 10], stderr).toContain(code);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(gateway.requests).toHaveLength(code === 0 ? 1 : 0);
      if (code !== 0) return;
      const { stdout } = await run(['journal', 'list', '--all-profiles', '-o', 'id'], {
        HOME: home,
      });
      expect(stdout.trim().split('\n')).toHaveLength(1);
    },
  );
});

describe('folders that others may enter', () => {
  const modeOf = (file: string) => statSync(file).mode & 0o777;

  test('are closed before a money request, with one message', async () => {
    const gateway = await startGateway();
    const HOME = temporaryDirectory();
    expect((await run(BUY, { HOME }, gateway.url)).stderr).toBe('');
    const folders = ['.local/state/gw', '.config/gw'].map((name) => path.join(HOME, name));
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
    }
    const again = await run([...BUY, '--allow-duplicate'], { HOME }, gateway.url);
    for (const folder of folders) {
      expect(modeOf(folder), folder).toBe(0o700);
      expect(again.stderr).toContain(folder);
    }
    expect((await run([...BUY, '--allow-duplicate'], { HOME }, gateway.url)).stderr).toBe('');
    expect(gateway.requests).toHaveLength(3);
  });

  test('are never created by gw, under any umask', async () => {
    const gateway = await startGateway();
    const HOME = temporaryDirectory();
    const before = process.umask(0);
    try {
      await run(LOOK_UP, { HOME }, gateway.url);
      await run(BUY, { HOME }, gateway.url);
      await run(['emulator', 'status'], { HOME });
    } finally {
      process.umask(before);
    }
    const made = readdirSync(HOME, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('compiled/'))
      .map((name) => path.join(HOME, name));
    expect(made.filter((file) => (modeOf(file) & 0o077) !== 0)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)(
    'and that belong to another user stop money requests',
    async () => {
      const gateway = await startGateway();
      const HOME = temporaryDirectory();
      await run(BUY, { HOME }, gateway.url);
      const { chownSync } = await import('node:fs');
      const state = path.join(HOME, '.local/state/gw');
      chownSync(state, 65_534, 65_534);
      const refused = await run([...BUY, '--allow-duplicate'], { HOME }, gateway.url);
      expect(refused).toMatchObject({ code: 10 });
      expect(refused.stderr).toContain(state);
      expect((await run(LOOK_UP, { HOME }, gateway.url)).code).toBe(0);
      expect(gateway.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );
});

describe('a connection that others can read or answer is refused on a live profile', () => {
  test.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'certificates-unchecked'],
    ['NODE_OPTIONS', '--tls-keylog=/dev/null', 'session-keys-written'],
  ])('%s=%s', async (name, value, code) => {
    const gateway = await startGateway();
    const HOME = temporaryDirectory();
    const env = { HOME, [name]: value, GW_ENVIRONMENT: 'live' };
    const token = 'secret-token';
    const commands = [
      [...BUY, '--confirm', 'environment'],
      LOOK_UP,
      ['purchase', 'get', '071-P-1', '071-P-2'],
      ['listen', '--port', '0', '--verify'],
      ['purchase', 'batch', '-'],
      ['api', 'GET', '/v1.0/plans.json'],
    ];
    const ended = await Promise.all([
      ...commands.map((args) => gw([...args], { url: gateway.url, env, input: '' })),
      gw(['login', 'live', '--username', 'shop', '--with-token', '--base-url', gateway.url.href], {
        env,
        input: token,
      }),
    ]);
    for (const { code: exit, stderr } of ended) {
      expect(exit, stderr).toBe(10);
      expect(stderr).toContain(name);
      expect(stderr).not.toContain(token);
    }
    const json = await gw([...BUY, '--json'], { url: gateway.url, env });
    expect(json.stderr).toContain(`"code":"${code}"`);
    expect(gateway.requests).toEqual([]);
    const sandbox = await gw(LOOK_UP, { url: gateway.url, env: { HOME, [name]: value } });
    expect(sandbox.code, sandbox.stderr).toBe(0);
  });
});

interface Damage {
  what: string;
  /** Does it to a file that gw has made. */
  to: (file: string) => void;
}

const withDatabase = (file: string, statements: string) => {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
};

const DAMAGES: Damage[] = [
  { what: 'text', to: (file) => writeFileSync(file, 'Dear diary. '.repeat(1_000)) },
  { what: 'cut off', to: (file) => truncateSync(file, 4_000) },
  { what: 'of a newer gw', to: (file) => withDatabase(file, 'PRAGMA user_version = 999') },
  { what: 'of another program', to: (file) => withDatabase(file, 'PRAGMA application_id = 7') },
];

describe('a file of gw that is', () => {
  test.each(DAMAGES)('$what stops money requests and is not changed', async ({ to }) => {
    const gateway = await startGateway();
    const HOME = temporaryDirectory();
    await run(BUY, { HOME }, gateway.url);
    const ledger = path.join(HOME, '.local/state/gw/ledger.db');
    withDatabase(ledger, 'PRAGMA wal_checkpoint(TRUNCATE)');
    to(ledger);
    const { size } = statSync(ledger);
    const refused = await run([...BUY, '--allow-duplicate'], { HOME }, gateway.url);
    expect(refused).toMatchObject({ code: 10 });
    expect(refused.stderr).toContain('Nothing was sent.');
    expect((await run(['journal', 'list', '--all-profiles'], { HOME })).code).toBe(10);
    expect((await run(LOOK_UP, { HOME }, gateway.url)).code).toBe(0);
    expect(gateway.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(statSync(ledger).size).toBe(size);
    expect(existsSync(`${ledger}.old`)).toBe(false);
  });
});
