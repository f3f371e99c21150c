/**
 * The keychain against a real Secret Service (GNOME Keyring) on a bus of its own, and against one
 * that misbehaves. Each test has an empty home.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { bundle } from '../helpers/bundle.ts';
import { run, start } from '../helpers/run.ts';
import { firstThatRuns, haveLibsecret, havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const OTHER_WAYS =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command';
const FAKE = path.resolve('test/system/fake-secret-service.py');
const UNLOCK = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
const LOCK =
  'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
  'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null';

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
        ...['get: undefined', 'exit 0', 'set: undefined', 'exit 0'],
        ...[`get: ${JSON.stringify('{"username":"ada","apiToken":"söcret \\"1\\""}')}`, 'exit 0'],
        '{"username":"ada","apiToken":"söcret \\"1\\""}',
        ...['get: undefined', 'exit 0', 'set: undefined', 'exit 0', 'get: "second"', 'exit 0'],
        ...['delete: true', 'exit 0', 'delete: false', 'exit 0', 'get: undefined', 'exit 0', ''],
      ].join('\n'),
    );
  });

  test('GNOME Keyring keeps the secret for the next session', async () => {
    const home = emptyHome();
    await session(`${UNLOCK}\ngw set live secret`, home);
    expect(await session(`${UNLOCK}\ngw get live`, home)).toBe('get: "secret"\nexit 0\n');
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
    expect([done, zero, three]).toEqual(['set: undefined', 'exit 0', 'exit 3']);
    expect(locked).toMatch(/^set: auth: The keychain is locked\. Unlock it and try again/);
    expect(locked).toContain(OTHER_WAYS);
    // libsecret does not tell what is locked from what is not there.
    expect(rest).toEqual(['get: undefined', 'exit 0', 'delete: false', 'exit 0']);
    expect(await session(`${UNLOCK}\ngw get live`, home)).toBe('get: "secret"\nexit 0\n');
  });

  test('GNOME Keyring without a password set up stores nothing if it cannot ask', async () => {
    const stdout = await session('gw get live\ngw delete live\ngw set live secret');
    expect(stdout).toMatch(/^get: undefined\nexit 0\ndelete: false\nexit 0\nset: auth: /);
    expect(stdout).toMatch(/set: auth: The keychain is not set up yet.*\nexit 3\n$/);
  });
});

describe.skipIf(!hasBus)('no Secret Service', () => {
  const absent =
    /^(get|set|delete): auth: No keychain found: no Secret Service is running in this session\. Start a keychain such as gnome-keyring/;

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
    const code = 'execve' in process ? 3 : 137;
    const lines = stdout.trimEnd().split('\n');
    const each = [expect.stringMatching(late), `exit ${code}`];
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

  test('a Secret Service that asks for a password returns the secret', async () => {
    const secret = JSON.stringify('{"username":"ada","apiToken":"from-the-prompt"}');
    expect(await withFake('prompting', 'gw get live')).toBe(`get: ${secret}\nexit 0\n`);
  });

  test('a Secret Service with a closed window returns nothing', async () => {
    expect(await withFake('dismissed', 'gw get live')).toBe('get: undefined\nexit 0\n');
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
      /^get: auth: The keychain cannot be reached, because the library libsecret is not installed\. Install libsecret \(apt install libsecret-1-0/,
    );
    expect(stdout).toContain(OTHER_WAYS);
    expect(code).toBe(3);
  });
});

/** Whether a thread of the program waits for the bus. */
function isAsking(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.some((id) =>
    readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').startsWith('gdbus'),
  );
}
