/** A terminal that is closed while gw is at work: gw ends in its own way, with its own exit code. */
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run, start } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf } from './support.ts';

/** @returns a line that is at work in a window, whose shell hands the hang-up on, and tells how the line ended */
function openWindow(line: string, env: NodeJS.ProcessEnv) {
  const home = temporaryDirectory();
  const kept = [
    'exec 4<&0',
    'trap "kill -HUP \\$!" HUP',
    `"$NODE" "$GW" ${line} <&4 & :`,
    // A trap ends a wait before what is waited for has ended.
    'while wait $!; code=$?; kill -0 $! 2>&-; do :; done',
    'echo "ended with $code" >&3',
  ].join('; ');
  const settings = { TERM: 'xterm', SHELL: '/bin/sh', NODE: process.execPath, GW: PROGRAM };
  return start('sh', ['-c', `exec script -qec '${kept}' /dev/null 3>&1`], {
    cwd: home,
    env: { ...environmentOf({ home }), ...settings, ...env },
  });
}

describe.skipIf(!havePrograms('script'))('a window that is closed', () => {
  test.each([
    ['at a question', 'purchase create -p local', /type a card/, {}, 130],
    ['at a plain question', 'purchase create -p local', /type a card/, { GW_PLAIN: '1' }, 130],
    ['beside a listener', 'listen --port 0 -p local', /[Ll]istening/, {}, 0],
    ['beside the embedded gateway', 'emulator start --port 0', /http:/, {}, 0],
  ])('%s ends gw in its own way', async (_, line, shown, env, code) => {
    const { child, printed, ended } = openWindow(line, env);
    await printed(shown);
    child.kill('SIGKILL');
    expect((await ended).stdout).toContain(`ended with ${code}\n`);
  });
});

test.skipIf(process.getuid?.() !== 0 || !havePrograms('unshare', 'mount'))(
  'on a machine without devices gw ends as on any other',
  async ({ skip }) => {
    const home = temporaryDirectory();
    const pay = 'purchase create -p local --test-card approved --amount 2500 --reference D-1 -o id';
    const env = { ...environmentOf({ home }), NODE: process.execPath, GW: PROGRAM };
    const within = (line: string) =>
      run('unshare', ['-m', 'sh', '-c', `mount -t tmpfs none /dev && ${line}`], { cwd: home, env });
    if ((await within('true')).code !== 0) skip('no mount may be made here');
    const { code, stdout } = await within(`"$NODE" "$GW" ${pay} 2>&1`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^071-P-\w+\n$/) });
  },
);
