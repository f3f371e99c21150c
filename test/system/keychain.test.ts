/**
 * The keychain against a real Secret Service (GNOME Keyring) on a bus of its own, and against one
 * that misbehaves. Each test has an empty home.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { bundle } from '../helpers/bundle.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { firstThatRuns, haveLibsecret, havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const OTHER_WAYS =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command';
const PLANS = JSON.stringify({ successful: true, response: [], errors: [], test: false });
const FAKE = path.resolve('test/system/fake-secret-service.py');
const UNLOCK = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
const LOCK =
  'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
  'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null';

/** Whatever the program prints about a secret that it stored. */
const stored = (held: string, hasOthers = false) => `set: ${JSON.stringify({ held, hasOthers })}`;

let program: string;
beforeAll(async () => {
  program = await bundle('test/system/keychain-program.ts');
});

/** The environment of a machine that was just set up: nothing in it, nobody at a screen. */
function emptyHome(): Record<string, string | undefined> {
  const home = temporaryDirectory();
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  return { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime, LANG: 'C.UTF-8' };
}

/** Runs shell lines on a bus of their own; `gw` in them is the program. */
async function session(lines: string, env = emptyHome(), busOptions: string[] = []) {
  const script = `gw() { '${process.execPath}' '${program}' "$@"; echo "exit $?"; }\n${lines}`;
  const args = [...busOptions, '--', 'bash', '-c', script];
  const { stdout } = await run('dbus-run-session', args, { env, printsSecrets: true });
  return stdout;
}

/** Runs shell lines beside the Secret Service that misbehaves. */
const withFake = (mode: string, lines: string, env = emptyHome()) =>
  session(
    `coproc FAKE { exec /usr/bin/python3 '${FAKE}' ${mode}; }
     read -r ready <&"\${FAKE[0]}"; [ "$ready" = ready ] || echo "the fake did not start"
     ${lines}
     kill "$FAKE_PID"`,
    env,
  );

const hasBus =
  process.platform === 'linux' &&
  havePrograms('dbus-run-session', 'dbus-send', 'bash') &&
  haveLibsecret();
const hasKeyring = hasBus && havePrograms('gnome-keyring-daemon', 'secret-tool');
const hasFake =
  hasBus &&
  firstThatRuns('python3-dbus or python3-gi', ['/usr/bin/python3'], ['-c', 'import dbus, gi']) !==
    undefined;

describe.skipIf(!hasKeyring)('GNOME Keyring', () => {
  test('GNOME Keyring keeps, replaces, gives and deletes a secret', async () => {
    const stdout = await session(`
      ${UNLOCK}
      gw get live
      gw set live '{"username":"ada","apiToken":"söcret \\"1\\""}'
      gw get live
      secret-tool lookup service gw account live; echo
      gw get sandbox
      gw set live second
      gw get live
      gw delete live
      gw delete live
      gw get live`);
    expect(stdout).toBe(
      [
        ...[
          'get: undefined',
          'exit 0',
          stored('{"username":"ada","apiToken":"söcret \\"1\\""}'),
          'exit 0',
        ],
        ...[`get: ${JSON.stringify('{"username":"ada","apiToken":"söcret \\"1\\""}')}`, 'exit 0'],
        '{"username":"ada","apiToken":"söcret \\"1\\""}',
        ...['get: undefined', 'exit 0', stored('second'), 'exit 0', 'get: "second"', 'exit 0'],
        ...['delete: true', 'exit 0', 'delete: false', 'exit 0', 'get: undefined', 'exit 0', ''],
      ].join('\n'),
    );
  });

  test('GNOME Keyring keeps the secret for the next session', async () => {
    const home = emptyHome();
    await session(`${UNLOCK}\ngw set live secret`, home);
    expect(await session(`${UNLOCK}\ngw get live`, home)).toBe('get: "secret"\nexit 0\n');
  });

  test('GNOME Keyring is read without another Node while it is unlocked', async () => {
    const stdout = await session(`
      ${UNLOCK}
      gw set live secret
      NODE_DEBUG=child_process gw get live >"$HOME/log" 2>&1
      grep '^get:' "$HOME/log"
      grep -c "file: '${process.execPath}'" "$HOME/log"`);
    expect(stdout).toBe(`${stored('secret')}\nexit 0\nget: "secret"\n0\n`);
  });

  test('GNOME Keyring neither stores nor returns secrets while it is locked', async () => {
    const home = emptyHome();
    const lines = `
      ${UNLOCK}
      gw set live secret
      ${LOCK}
      gw set live other
      gw get live
      gw delete live`;
    const stdout = await session(lines, home);
    const [done, zero, locked, three, ...rest] = stdout.trimEnd().split('\n');
    expect([done, zero, three]).toEqual([stored('secret'), 'exit 0', 'exit 3']);
    expect(locked).toMatch(/^set: auth: The keychain is locked\. .*Unlock it and try again/);
    expect(locked).toContain(OTHER_WAYS);
    // libsecret does not tell what is locked from what is not there.
    const mayStay = expect.stringMatching(
      /^delete: auth: The keychain is locked, and may have an entry for live\. Unlock/,
    );
    expect(rest).toEqual(['get: undefined', 'exit 0', mayStay, 'exit 3']);
    expect(await session(`${UNLOCK}\ngw get live`, home)).toBe('get: "secret"\nexit 0\n');
  });

  test('GNOME Keyring is unlocked by the advice that gw gives for ssh', async () => {
    const home = emptyHome();
    await session(
      `printf 'cörrect horse' | gnome-keyring-daemon --unlock >/dev/null 2>&1\ngw set live secret`,
      home,
    );
    const said = await session('gw delete live', home);
    const advice = /over ssh: `([^`]+)`/.exec(said)?.[1] ?? '';
    expect(advice).toMatch(/^stty -echo;/);
    writeFileSync(path.join(home.HOME!, 'advice'), advice);
    for (const shell of ['bash', 'sh', 'zsh'].filter((name) => havePrograms(name))) {
      const lines = `gw get live\nprintf 'cörrect horse\\n' | ${shell} "$HOME/advice" >/dev/null 2>&1\ngw get live`;
      expect(await session(lines, home)).toBe('get: undefined\nexit 0\nget: "secret"\nexit 0\n');
    }
  });

  test('GNOME Keyring keeps an entry with attributes of the user', async () => {
    const stdout = await session(`
      ${UNLOCK}
      printf one | secret-tool store --label=mine service gw account live url https://shop.example xdg:schema org.freedesktop.Secret.Generic
      printf two | secret-tool store --label=mine service gw account plain xdg:schema org.freedesktop.Secret.Generic
      gw set live new
      gw delete live
      gw get live
      gw set plain new
      gw set other new`);
    const kept = (method: string) =>
      new RegExp(`^${method}: auth: The keychain's entry for live has attributes .*\\(url\\)`);
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...[
        expect.stringMatching(kept('set')),
        'exit 3',
        expect.stringMatching(kept('delete')),
        'exit 3',
      ],
      ...['get: "one"', 'exit 0', stored('new'), 'exit 0', stored('new'), 'exit 0'],
    ]);
  });

  test('GNOME Keyring has an entry of another schema beside', async () => {
    const stdout = await session(`
      ${UNLOCK}
      printf one | secret-tool store --label=mine service gw account live xdg:schema org.example.Note
      gw get live
      gw set live new
      gw delete live
      gw get live`);
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...['get: undefined', 'exit 0', stored('new', true), 'exit 0'],
      ...[
        expect.stringMatching(/^delete: auth: The keychain still has an entry for live\. /),
        'exit 3',
      ],
      ...['get: undefined', 'exit 0'],
    ]);
  });

  test('GNOME Keyring without a password set up stores nothing if it cannot ask', async () => {
    const stdout = await session('gw get live\ngw delete live\ngw set live secret');
    expect(stdout).toMatch(/^get: undefined\nexit 0\ndelete: false\nexit 0\nset: auth: /);
    expect(stdout).toMatch(/set: auth: The keychain is not set up yet.*\nexit 3\n$/);
  });
});

describe.skipIf(!hasBus)('no Secret Service', () => {
  const absent =
    /^(get|set|delete): auth: No keychain found: no Secret Service is running in this session\. .*Start a keychain such as gnome-keyring/;

  test('a missing bus is reported', async () => {
    for (const args of [
      ['get', 'live'],
      ['set', 'live', 'secret'],
      ['delete', 'live'],
    ]) {
      const { code, stdout } = await run(process.execPath, [program, ...args], {
        env: emptyHome(),
      });
      expect(stdout).toMatch(absent);
      expect(stdout).toContain(OTHER_WAYS);
      expect(code).toBe(3);
    }
  });

  test('a bus that is gone is reported', async () => {
    const env = { ...emptyHome(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
    expect((await run(process.execPath, [program, 'get', 'live'], { env })).stdout).toMatch(absent);
  });

  test('a bus without a Secret Service is reported', async () => {
    const env = emptyHome();
    const config = path.join(env.HOME!, 'bus.conf');
    writeFileSync(
      config,
      `<busconfig><type>session</type><listen>unix:dir=${env.XDG_RUNTIME_DIR}</listen><policy context="default">
        <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`,
    );
    const stdout = await session('gw get live', env, [`--config-file=${config}`]);
    expect(stdout).toMatch(absent);
    expect(stdout).toMatch(/\nexit 3\n$/);
  });
});

describe.skipIf(!hasFake)('a Secret Service that misbehaves', () => {
  test('a Secret Service that never answers makes the call fail', async () => {
    const env = { ...emptyHome(), GW_TEST_UNLOCK_TIMEOUT_MS: '300' };
    const stdout = await withFake('silent', 'gw get live\ngw set live x\ngw delete live', env);
    const late = /: auth: The keychain did not answer in time\..* set GW_USERNAME/;
    const lines = stdout.trimEnd().split('\n');
    const each = [expect.stringMatching(late), 'exit 3'];
    expect(lines).toEqual([...each, ...each, ...each]);
  });

  test('a Secret Service that never answers does not delay Ctrl-C', async () => {
    const script = `
      coproc FAKE { exec /usr/bin/python3 '${FAKE}' silent; }
      read -r ready <&"\${FAKE[0]}"
      '${process.execPath}' '${program}' get live 0</dev/null & echo "gw $!"
      wait $!; echo "exit $?"; kill "$FAKE_PID"`;
    const { printed, output, ended } = start('dbus-run-session', ['--', 'bash', '-c', script], {
      env: emptyHome(),
    });
    await printed(/gw \d+/);
    const gw = Number(/gw (\d+)/.exec(output())![1]);
    await vi.waitUntil(() => isAsking(gw), { timeout: 20_000 });
    process.kill(gw, 'SIGTERM');
    expect((await ended).stdout).toMatch(/\nget: interrupted: Interrupted\..*\nexit 130\n$/);
  });

  const SECRET = '{"username":"ada","apiToken":"from-the-prompt"}';
  const got = `get: ${JSON.stringify(SECRET)}`;
  const failed = (method: string, message: string) =>
    expect.stringMatching(new RegExp(`^${method}: auth: ${message}`));
  const LATE = 'The keychain did not answer in time\\.';
  const STAYS = 'The keychain still has an entry for live\\.';
  const LOCKED = 'The keychain is locked, and may have an entry for live\\. Unlock it';
  const OWN =
    "The keychain's entry for live has attributes that gw did not give it \\(URL, colour\\)";

  test.each<[mode: string, get: unknown, set: unknown, del: unknown, again: unknown]>([
    ['prompting', got, stored('new'), 'delete: true', 'delete: false'],
    [
      'dismissed',
      'get: undefined',
      'set: {"hasOthers":false}',
      failed('delete', LOCKED),
      failed('delete', LOCKED),
    ],
    [
      'unanswered',
      failed('get', LATE),
      failed('set', LATE),
      failed('delete', LATE),
      failed('delete', LATE),
    ],
    ['closed', 'get: undefined', stored('new'), 'delete: true', failed('delete', LOCKED)],
    ['empty', 'get: undefined', stored('new'), 'delete: true', failed('delete', LOCKED)],
    ['denying', got, stored(SECRET), 'delete: true', 'delete: false'],
    ['keeping', got, stored('new'), failed('delete', STAYS), failed('delete', STAYS)],
    ['unread', got, stored('new'), 'delete: true', 'delete: false'],
    ['refusing', got, stored('new'), 'delete: true', 'delete: false'],
    ['own', got, failed('set', OWN), failed('delete', OWN), failed('delete', OWN)],
    [
      'other',
      'get: undefined',
      stored('new', true),
      failed('delete', STAYS),
      failed('delete', STAYS),
    ],
  ])('a Secret Service that is %s', async (mode, ...expected) => {
    const env = {
      ...emptyHome(),
      ...(mode === 'unanswered' && { GW_TEST_UNLOCK_TIMEOUT_MS: '300' }),
    };
    const stdout = await withFake(
      mode,
      'gw get live\ngw set live new\ngw delete live\ngw delete live',
      env,
    );
    const lines = expected.flatMap((line) => [line, `exit ${typeof line === 'string' ? 0 : 3}`]);
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });

  test.each(['unread', 'refusing'])(
    'a single call of a Secret Service that is %s',
    async (mode) => {
      expect(await withFake(mode, 'gw delete live')).toBe('delete: true\nexit 0\n');
      expect(await withFake(mode, 'gw peek live')).toBe(
        `peek: ${JSON.stringify(SECRET)}\nexit 0\n`,
      );
    },
  );

  /** @returns the output of lines in which `gw` is the built program, with a gateway that takes every token */
  const withProgram = async (mode: string, lines: string) => {
    const { url } = await hostileServer({
      onRequest: (socket) =>
        void socket.write(answer(200, PLANS, { 'Content-Type': 'application/json' })),
    });
    return withFake(
      mode,
      `gw() { '${process.execPath}' '${PROGRAM}' "$@" 2>&1; echo "exit $?"; }
      login() { printf tok-2 | gw login live --base-url ${url.href} --username other --with-token; }
      ${lines}`,
    );
  };

  test('gw login says whose credentials stay if the keychain does not take new ones', async () => {
    const stdout = await withProgram('denying', 'login\ngw profile list -o id');
    expect(stdout).toBe(
      [
        'Error: The keychain did not store the credentials of live. It has earlier ones of ada.',
        'Run the command again, and allow the change where the keychain asks.',
        ...['exit 3', 'local', 'exit 0', ''],
      ].join('\n'),
    );
  });

  test('gw login says that there is another entry, and gw logout that it stays', async () => {
    const stdout = await withProgram(
      'other',
      'login\ngw logout live\ngw profile remove live --confirm live',
    );
    expect(stdout).toMatch(
      /^Signed in .*\nNote: the keychain has another entry .*\n(?:.*\n)?exit 0\n/,
    );
    expect(stdout).toMatch(/\nError: The keychain still has an entry for live\.\n.*\nexit 3\n/);
    expect(stdout).toMatch(
      /\nRemoved profile live\..*\nError: The keychain still has .*\n.*gw\/live.*\nexit 3\n$/,
    );
    expect(stdout).not.toMatch(/tok-2|from-the-prompt/);
  });
});

describe.skipIf(process.platform !== 'linux')('libsecret', () => {
  test('a message names libsecret if it is missing', async () => {
    // The loader itself finds it missing: the program beside a copy of the addon that asks for another library.
    const home = temporaryDirectory();
    const folder = path.join(home, 'node_modules/keytar');
    cpSync('node_modules/keytar', folder, { recursive: true });
    cpSync(program, path.join(home, 'program.mjs'));
    for (const place of ['build/Release', `prebuilds/linux-${process.arch}`]) {
      const addon = path.join(folder, place, 'keytar.node');
      if (!existsSync(addon)) continue;
      const bytes = readFileSync(addon, 'latin1');
      expect(bytes).toContain('libsecret-1.so.0');
      writeFileSync(addon, bytes.replaceAll('libsecret-1.so.0', 'libsecret-9.so.0'), 'latin1');
    }
    const args = [path.join(home, 'program.mjs'), 'get', 'live'];
    const { stdout, code } = await run(process.execPath, args, { env: emptyHome() });
    expect(stdout).toMatch(
      /^get: auth: The keychain cannot be reached, because the library libsecret is not installed\. Without a keychain, set GW_USERNAME.*With one: Install libsecret \(apt install libsecret-1-0/,
    );
    expect(stdout).toContain(OTHER_WAYS);
    expect(code).toBe(3);
  });
});

/** Whether a thread of the program, or of the process in which it asks, waits for the bus. */
function isAsking(pid: number): boolean {
  const read = (file: string) => readFileSync(`/proc/${file}`, 'utf8');
  const children = read(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
  const isNode = [pid, ...children].filter((one) => read(`${one}/cmdline`).includes('node'));
  return isNode.some((one) =>
    readdirSync(`/proc/${one}/task`).some((id) =>
      read(`${one}/task/${id}/comm`).startsWith('gdbus'),
    ),
  );
}
