/** gw doctor against real parts: certificates, a gateway in another mode, a keychain and none. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { haveLibsecret, havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const PLANS = JSON.stringify({ successful: true, response: [], errors: [], test: true });
const UNLOCK = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
const LOCK =
  'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
  'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null';

/** Answers every look-up. */
const gateway: Behaviour = {
  onRequest: (socket) => socket.write(answer(200, PLANS, { 'Content-Type': 'application/json' })),
};

function emptyHome(): Record<string, string | undefined> {
  const home = temporaryDirectory();
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  return { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime, LANG: 'C.UTF-8' };
}

type Line = Record<'check' | 'state' | 'message' | 'next', string>;

/** @returns what the checks of the environment's profile found, by the name of each */
async function examine(url: URL, env: Record<string, string | undefined> = {}) {
  const all = {
    ...emptyHome(),
    ...{ GW_USERNAME: 'shop', GW_API_TOKEN: 'not-shown', GW_ENVIRONMENT: 'sandbox' },
    GW_BASE_URL: url.href,
    ...env,
  };
  const args = [PROGRAM, 'doctor', '--profile', 'environment', '-o', 'jsonl'];
  const { code, stdout } = await run(process.execPath, args, { env: all });
  const lines = stdout.trimEnd().split('\n');
  const found = lines.map((line) => JSON.parse(line) as Line & { profile: string | null });
  const theirs = found.filter(({ profile }) => profile !== null);
  return { code, checks: Object.fromEntries(theirs.map((line) => [line.check, line])) };
}

describe.skipIf(!havePrograms('openssl'))('a gateway over TLS', () => {
  const withCertificate = async (name: string, days: number) => {
    const authority = createAuthority(temporaryDirectory());
    const server = await hostileServer(gateway, { tls: authority.issue(name, days) });
    const trusting = (one: Authority) => ({ NODE_EXTRA_CA_CERTS: one.file });
    return { server, trusted: trusting(authority) };
  };

  test('a gateway over TLS with a trusted certificate gets the request', async () => {
    const { server, trusted } = await withCertificate('127.0.0.1', 90);
    const { code, checks } = await examine(server.url, trusted);
    expect(checks.gateway).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('accepts the credentials'),
    });
    expect(code).toBe(0);
  });

  test.each([
    ['has expired', '127.0.0.1', -1],
    ['is for another host', 'gateway.example', 90],
  ])('a gateway over TLS whose certificate %s gets no credentials', async (fault, name, days) => {
    const { server, trusted } = await withCertificate(name, days);
    const { code, checks } = await examine(server.url, trusted);
    expect(checks.gateway).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(`its certificate ${fault}`),
      next: expect.stringMatching(/./),
    });
    expect([code, server.received]).toEqual([7, '']);
  });

  test('a gateway over TLS with an unknown authority gets no credentials', async () => {
    const { server } = await withCertificate('127.0.0.1', 90);
    const { code, checks } = await examine(server.url);
    expect(checks.gateway).toMatchObject({
      state: 'failed',
      next: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect([code, server.received]).toEqual([7, '']);
  });

  test.each([
    ['an unknown authority', '127.0.0.1', 90, false, true],
    ['the name of another host', 'gateway.example', 90, true, false],
    ['an expiry in the past', '127.0.0.1', -1, true, false],
  ])(
    'and a certificate with %s says what to do in each command',
    async (_, name, days, isTrusted, isAdvised) => {
      const { server, trusted } = await withCertificate(name, days);
      const env = {
        ...{ ...emptyHome(), ...(isTrusted && trusted), GW_BASE_URL: server.url.href },
        ...{ GW_USERNAME: 'shop', GW_API_TOKEN: 'not-shown', GW_ENVIRONMENT: 'sandbox' },
      };
      for (const args of [
        ['plan', 'list'],
        ['purchase', 'get', '071-P-IE49OSAF'],
        [
          'purchase',
          'create',
          '--card-token',
          'ann',
          '--amount',
          '100',
          '--reference',
          'R',
          '--no-input',
        ],
        ['api', 'GET', '/v1.0/purchases'],
        ['trigger', 'charge:successful', '--to', server.url.href],
        ['doctor', '-p', 'environment'],
      ]) {
        const { code, stdout, stderr } = await run(process.execPath, [PROGRAM, ...args], { env });
        expect([args, code, /NODE_EXTRA_CA_CERTS/.test(stdout + stderr)]).toEqual([
          args,
          7,
          isAdvised,
        ]);
        expect(stdout + stderr).toContain('its certificate');
      }
      expect(server.received).toBe('');
    },
  );
});

test('a live profile with a test gateway is reported and fails', async () => {
  const server = await hostileServer(gateway);
  const { code, checks } = await examine(server.url, { GW_ENVIRONMENT: 'live' });
  expect(checks.gateway).toMatchObject({
    state: 'failed',
    message: 'The profile environment is live, but the gateway answered in TEST mode.',
  });
  expect(code).toBe(3);
});

test('gw gives up on a silent gateway within seconds', async () => {
  const server = await hostileServer({});
  const { code, checks } = await examine(server.url);
  expect(checks.gateway).toMatchObject({
    state: 'failed',
    message: `127.0.0.1:${server.port} did not answer within 10 seconds.`,
  });
  expect(code).toBe(7);
});

const hasKeyring =
  process.platform === 'linux' &&
  havePrograms('dbus-run-session', 'dbus-send', 'bash', 'gnome-keyring-daemon', 'secret-tool') &&
  haveLibsecret();

describe.skipIf(!hasKeyring)('with a keychain', () => {
  const session = async (lines: string) => {
    const server = await hostileServer(gateway);
    const env = { ...emptyHome(), SERVER: server.url.href };
    const gw = `gw() { '${process.execPath}' '${PROGRAM}' "$@"; }`;
    const script = `${gw}
      gw profile set shop --environment sandbox --base-url "$SERVER" 2>/dev/null
      ${UNLOCK}
      printf '{"username":"shop","apiToken":"not-shown"}' | secret-tool store --label=gw service gw account shop xdg:schema org.freedesktop.Secret.Generic
      ${lines}
      gw doctor --profile shop --fields check,state,message | grep -E '^(credentials|gateway)'
      echo "exit \${PIPESTATUS[0]}"`;
    const { stdout } = await run('dbus-run-session', ['--', 'bash', '-c', script], { env });
    return stdout.trimEnd().split('\n');
  };

  test('with a keychain that is open the credentials are found there', async () => {
    expect(await session('')).toEqual([
      'credentials\tok\tThe credentials come from the keychain entry for shop.',
      expect.stringMatching(/^gateway\tok\t.* accepts the credentials/),
      'exit 0',
    ]);
  });

  test('with a keychain that is locked nobody is asked to unlock it', async () => {
    expect(await session(LOCK)).toEqual([
      expect.stringMatching(/^credentials\tfailed\t/),
      'exit 3',
    ]);
  });
});

test.skipIf(process.platform !== 'linux' || !haveLibsecret())(
  'without a keychain only a profile that needs one fails',
  async () => {
    const env = emptyHome();
    const lines = async (...args: string[]) => {
      const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env });
      return stdout.trimEnd().split('\n');
    };
    const doctor = ['doctor', '--offline', '-o', 'csv', '--fields', 'check,state'];
    expect(await lines(...doctor)).not.toContain('credentials,failed');
    await lines('profile', 'set', 'sandbox', '--base-url', 'http://127.0.0.1:1');
    expect(await lines(...doctor)).toContain('credentials,failed');
  },
);

describe('where this user may not keep files', () => {
  const NOBODY = 65_534;
  const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  /** Each changes an empty home, and says how it is used. */
  const keepings: readonly (readonly [name: string, env: (home: string) => NodeJS.ProcessEnv])[] = [
    ['/', () => ({ HOME: '/' })],
    ['a home that is not there', () => ({ HOME: '/nonexistent' })],
    ['a home that is a file', () => ({ HOME: '/dev/null' })],
    ['a home that cannot be written', (home) => ({ HOME: home })],
    ['the home of another', (home) => ({ HOME: closed(home) })],
    ['XDG_STATE_HOME of another', (home) => ({ HOME: '/tmp', XDG_STATE_HOME: home })],
    ['a ledger of another', (home) => ({ HOME: keep(home, 0o644, 0o755) })],
    ['a ledger that may be read alone', (home) => ({ HOME: keep(home, 0o444, 0o777) })],
  ];

  function closed(home: string): string {
    chmodSync(home, 0o700);
    return path.join(home, 'x');
  }

  /** A folder that everybody may reach. */
  function reachable(mode: number): string {
    const home = temporaryDirectory();
    chmodSync(path.dirname(home), 0o711);
    chmodSync(home, mode);
    return home;
  }

  /** A state that is there, with those modes. */
  function keep(home: string, fileMode: number, folderMode: number): string {
    const folder = path.join(home, '.local', 'state', 'gw');
    mkdirSync(folder, { recursive: true });
    for (const name of ['ledger.db', 'emulator.db']) {
      writeFileSync(path.join(folder, name), '');
      chmodSync(path.join(folder, name), fileMode);
    }
    chmodSync(folder, folderMode);
    return home;
  }

  const gwAs = (env: NodeJS.ProcessEnv, ...argv: string[]) =>
    run(process.execPath, [PROGRAM, ...argv], { ...as, env: { PATH: process.env.PATH, ...env } });

  test.each(keepings)('doctor says of %s what a request is told', async (_, envOf) => {
    const env = envOf(reachable(0o755));
    const { code, stdout } = await gwAs(env, 'doctor', '--offline', '-o', 'jsonl');
    const found = stdout.trimEnd().split('\n');
    const lines = found.map((line) => JSON.parse(line) as Line);
    const states = Object.fromEntries(lines.map(({ check, state }) => [check, state]));
    expect(states, stdout).toMatchObject({ journal: 'failed', gateway: 'failed' });
    expect(code).toBeGreaterThan(0);
    const request = ['purchase', 'create', '--test-card', 'approved', '--amount', '100'];
    const sent = await gwAs(env, ...request, '--profile', 'local');
    expect(sent.code, sent.stdout).toBeGreaterThan(0);
  });

  test('doctor is content with a home of its own, and a request too', async () => {
    const home = reachable(0o777);
    expect((await gwAs({ HOME: home }, 'doctor', '--offline', '--profile', 'local')).code).toBe(0);
    const request = ['purchase', 'create', '--test-card', 'approved', '--amount', '100'];
    expect((await gwAs({ HOME: home }, ...request, '--profile', 'local')).code).toBe(0);
  });
});
