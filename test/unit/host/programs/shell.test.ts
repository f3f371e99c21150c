/** Command lines of the user's own, run by the real shell. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { interruption } from '../../../../src/host/ending.ts';
import { createShell } from '../../../../src/host/programs/shell.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { run, start } from '../../../helpers/run.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const LONG_MS = 30_000;
/** Only so that a test fails that would wait for ever. */
const WAIT_MS = 30_000;
const shell = createShell(new AbortController().signal);

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

function isRunning(pidFile: string): boolean {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('the shell', () => {
  test('the shell returns the output of a command line', async () => {
    expect(await shell.run('echo "{}" | cat; printf é', LONG_MS)).toBe('{}\né');
  });

  test('the shell reports a failed command and repeats nothing of it', async () => {
    for (const [line, what] of [
      ['echo tok-secret; exit 3', 'exited with 3'],
      ['TOKEN=tok-secret; kill -9 $$', 'was ended by SIGKILL'],
    ] as const) {
      const failure = await failureOf(() => shell.run(line, LONG_MS));
      expect(failure).toMatchObject({ kind: 'auth', message: `The credential command ${what}.` });
      expect(failure.next).not.toContain('secret');
      const ofLedger = await failureOf(() => shell.run(line, LONG_MS, 'ledger command'));
      expect(ofLedger).toMatchObject({
        ...{ code: 'ledger-command-failed', message: `The ledger command ${what}.` },
      });
    }
  });

  test('the shell stops a command that prints too much', async () => {
    const failure = await failureOf(() => shell.run('yes', LONG_MS));
    expect(failure.message).toBe('The credential command printed more than 65536 bytes.');
  });

  test('the shell stops a command that takes too long, with its children', async () => {
    const pidFile = path.join(temporaryDirectory(), 'pid');
    const line = `(sh -c 'echo $$ > "${pidFile}"; exec sleep 600' | cat) ; :`;
    // A busy machine may not have started it so soon; then it is given more.
    for (let limitMs = 500; !existsSync(pidFile); limitMs *= 2) {
      // In a session without a terminal, as under cron.
      const { ended } = start(process.execPath, [program, 'shell', line, String(limitMs)], {
        detached: true,
      });
      const { stderr, code } = await ended;
      expect(stderr).toContain(`auth: The credential command did not finish in ${limitMs} ms.`);
      expect(code).toBe(3);
    }
    await vi.waitUntil(() => !isRunning(pidFile), { timeout: WAIT_MS });
  });

  test('the shell stops a command when gw is interrupted', async () => {
    const controller = new AbortController();
    const pidFile = path.join(temporaryDirectory(), 'pid');
    const running = failureOf(() =>
      createShell(controller.signal).run(`echo $$ > '${pidFile}'; exec sleep 600`, LONG_MS),
    );
    await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'), {
      timeout: WAIT_MS,
    });
    controller.abort(interruption());
    expect((await running).kind).toBe('interrupted');
    await vi.waitUntil(() => !isRunning(pidFile), { timeout: WAIT_MS });
    expect((await failureOf(() => createShell(controller.signal).run('true', LONG_MS))).kind).toBe(
      'interrupted',
    );
  });

  test('the shell keeps the stdin of gw from a command', async () => {
    const { stdout } = await run(process.execPath, [program, 'shell', 'cat; echo end'], {
      input: 'ids\n',
    });
    expect(stdout).toBe('end\n');
  });

  test.skipIf(!havePrograms('script'))('the shell lets a command ask on the terminal', async () => {
    const line = 'printf "Passphrase? " > /dev/tty; read a < /dev/tty; read b; echo "$a-$b"';
    const command = `exec '${process.execPath}' '${program}' shell '${line}'`;
    const { child, printed, ended } = start('script', ['-qec', command, '/dev/null']);
    await printed(/Passphrase\?/);
    child.stdin!.write('one\ntwo\n');
    expect((await ended).stdout).toContain('one-two');
  });
});
