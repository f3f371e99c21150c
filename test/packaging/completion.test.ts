/** Shell completion, set up as its own instructions say and tried with the Tab key in a terminal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TERMINAL_TIMEOUT_MS = 50_000;

/** A line typed, and the line that is run of it. */
const TYPED: [typed: string, run: string][] = [
  ['gw purchase cr\t', 'purchase create'],
  ['gw wh\t', 'whoami'],
  ['gw subscr\tm\t', 'subscription move'],
  ['gw refund create --transa\t', 'refund create --transaction-id'],
];

describe('gw autocomplete', () => {
  for (const [shell, file] of [
    ['bash', '.bashrc'],
    ['zsh', '.zshrc'],
  ] as const) {
    // The `script` of other systems has other options.
    const canType = process.platform === 'linux' && havePrograms('script', shell);
    test.skipIf(!canType)(`gw autocomplete completes commands and flags in ${shell}`, async () => {
      const env = emptyHome();
      const instructions = await run('gw', ['autocomplete', shell], { env });
      expect(instructions.code).toBe(0);
      const line = `printf "$(gw autocomplete script ${shell})" >> ~/${file}`;
      expect(instructions.stdout).toContain(line);
      expect(await run('sh', ['-c', line], { env })).toMatchObject({ code: 0 });

      const keys = [
        'gw() { printf \'ran <%s>\\n\' "$*"; }',
        ...TYPED.map(([typed]) => typed),
        'exit',
        '',
      ];
      const { stdout } = await run('script', ['-qec', `${shell} -i`, '/dev/null'], {
        env: { ...env, TERM: 'xterm' },
        input: keys.join('\n'),
        timeout: TERMINAL_TIMEOUT_MS,
      });
      expect([...stdout.matchAll(/ran <([^%>]*?) *>/g)].map(([, ran]) => ran)).toEqual(
        TYPED.map(([, ran]) => ran),
      );
    });
  }

  test('gw autocomplete names the shells that it knows', async () => {
    const { code, stderr } = await run('gw', ['autocomplete', 'fish'], { env: emptyHome() });
    expect(stderr).toContain('Expected fish to be one of: zsh, bash, powershell.');
    expect(code).toBe(2);
  });

  test('gw autocomplete has instructions for PowerShell', async () => {
    const { code, stdout } = await run('gw', ['autocomplete', 'powershell'], { env: emptyHome() });
    expect(stdout).toContain('gw autocomplete script powershell');
    expect(code).toBe(0);
  });
});

function emptyHome(): Record<string, string> {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const program = `exec '${process.execPath}' '${PROGRAM}' "$@"`;
  writeFileSync(path.join(bin, 'gw'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: 'C.UTF-8' };
}
