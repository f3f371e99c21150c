/** A real terminal never gets a character that makes a text read as another one: it is shown as an escape. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal } from '../helpers/terminal.ts';

const OVERRIDE = '\u202e';
/** Control-U deletes the line that was typed. */
const CLEAR = '\u0015';

function desk(env: Record<string, string> = {}) {
  const home = temporaryDirectory();
  writeFileSync(
    path.join(home, 'gw'),
    `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const all = { PATH: `${home}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8', ...env };
  return openTerminal({ columns: 120, rows: 30, env: all, cwd: home });
}

describe.skipIf(!havePrograms('script', 'stty'))('a character that reverses a text', () => {
  test.each(['', ' --plain'])(
    'is refused where it is typed as an answer, and shown as an escape%s',
    async (plain) => {
      const { begin, shows, type } = desk();
      const { ended } = begin(
        `gw purchase create -p local --test-card approved --currency AUD${plain}`,
      );
      await shows(/Amount/);
      type('25\r');
      await shows(/Reference \(your own/);
      type(`INV-${OVERRIDE}1203\r`);
      await shows(/The text has a character that is not visible \(U\+202E\) at character 5/);
      type(`${plain === '' ? CLEAR : ''}INV-1203\r`);
      await shows(/Send it\?/);
      type('y\r');
      const { stdout, code } = await ended;
      expect(code).toBe(0);
      expect(stdout).toContain('--reference INV-1203');
      // Without drawing, what is typed is shown by the terminal itself.
      expect(stdout.split(OVERRIDE).length - 1).toBe(plain === '' ? 0 : 1);
    },
  );

  test('a name without hidden characters is shown unchanged, and so is its command', async () => {
    const { begin, shows, type } = desk();
    const { ended } = begin('gw purchase create -p local --test-card approved --currency AUD');
    await shows(/Amount/);
    type('25\r');
    await shows(/Reference \(your own/);
    type('می‌خواهم-👩‍👧\r');
    await shows(/Send it\?/);
    type('y\r');
    const { stdout, code } = await ended;
    expect(code).toBe(0);
    expect(stdout).toContain("--reference 'می‌خواهم-👩‍👧'");
  });
});
