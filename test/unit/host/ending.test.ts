/** SIGINT, SIGTERM and SIGHUP, in real processes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';
import { start } from '../../helpers/run.ts';
import { havePrograms } from '../../helpers/skip.ts';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

/** Without the name of what the tests were started by: gw goes by it where that is `nohup`. */
const { _: __, ...env } = process.env;

describe.skipIf(process.platform === 'win32')('a signal', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s asks the program to stop',
    async (signal) => {
      const { child, printed, ended } = start(process.execPath, [program, 'wait'], { env });
      await printed(/waiting/);
      child.kill(signal);
      expect(await ended).toMatchObject({
        code: null,
        signal: 'SIGINT',
        stderr: expect.stringMatching(/^interrupted: Interrupted\. Before you repeat/),
      });
    },
  );

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'a second %s ends the program',
    async (signal) => {
      const { child, printed, ended } = start(process.execPath, [program, 'stubborn'], { env });
      await printed(/waiting/);
      child.kill('SIGINT');
      await printed(/asked/);
      child.kill(signal);
      expect(await ended).toMatchObject({ signal: 'SIGINT', stderr: '' });
    },
  );

  test.each(['echo', 'text'])('a signal ends a read that waits for stdin (%s)', async (verb) => {
    const { child, printed, ended } = start(process.execPath, [program, verb, 'ready\n']);
    await printed(/ready/);
    child.kill('SIGTERM');
    expect((await ended).stderr).toMatch(/^ready\ninterrupted: Interrupted\. Before you repeat/);
  });

  test.skipIf(!havePrograms('bash'))(
    'a signal has exit code 130 and ends the loop of a shell script',
    async () => {
      const script = 'for i in 1 2; do echo "turn $i"; "$0" "$1" wait; echo "code $?"; done';
      const { child, printed, ended } = start('bash', ['-c', script, process.execPath, program], {
        detached: true,
      });
      await printed(/waiting/);
      process.kill(-child.pid!, 'SIGINT');
      expect(await ended).toMatchObject({ signal: 'SIGINT', stdout: 'turn 1\nwaiting\n' });

      const single = start('bash', [
        '-c',
        '"$0" "$1" exit 130; echo "code $?"',
        process.execPath,
        program,
      ]);
      expect((await single.ended).stdout).toBe('code 130\n');
    },
  );

  test('a signal differs from other exit codes', async () => {
    const { ended } = start(process.execPath, [program, 'exit', '8']);
    expect(await ended).toMatchObject({ code: 8, signal: null });
  });
});
