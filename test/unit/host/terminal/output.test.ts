/** Pagers on a real pseudo-terminal of 80 by 10, made by script(1). */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../../helpers/bundle.ts';
import { start } from '../../../helpers/run.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

/** @param lines how many @param env beside PATH and TERM */
function leaf(lines: number, env: Record<string, string> = {}) {
  const command = `trap : INT; stty rows 10 cols 80; '${process.execPath}' '${program}' leaf ${lines}; echo "exit $?"`;
  const terminal = start('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
  });
  return { ...terminal, type: (keys: string) => terminal.child.stdin!.write(keys) };
}

/** @returns the screen without what a terminal is told */
async function shown({ ended }: ReturnType<typeof leaf>): Promise<string[]> {
  const { stdout } = await ended;
  return stdout.replaceAll('\r', '').split('\n');
}

/** A pager that takes two lines and leaves, or whatever the script does. */
function pager(script: string): string {
  const file = path.join(temporaryDirectory(), 'pager');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe.skipIf(!havePrograms('script'))('a pager on a terminal', () => {
  test.each([
    [{ GW_PAGER: '', PAGER: 'echo paged' }],
    [{ GW_PAGER: 'cat', PAGER: 'echo paged' }],
    [{ PAGER: ' ' }],
    [{ GW_PAGER: 'echo paged', GW_PLAIN: '1' }],
  ])('%j means no pager', async (env) => {
    const lines = await shown(leaf(10, env));
    expect(lines.filter((line) => line !== '')).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `line ${i + 1}`),
      'noted',
      'ended',
      'exit 0',
    ]);
  });

  test('the pager gets everything, with the flags of less and without secrets', async () => {
    const command = pager('echo "paged $LESS $GW_API_TOKEN."; cat');
    const env = { GW_PAGER: command, PAGER: 'false', GW_API_TOKEN: 'tok-secret-123' };
    const lines = await shown(leaf(10, env));
    expect(lines.filter((line) => line !== '')).toEqual([
      'paged FRX .',
      ...Array.from({ length: 10 }, (_, i) => `line ${i + 1}`),
      'noted',
      'ended',
      'exit 0',
    ]);
  });

  test('the variable LESS is not changed', async () => {
    const lines = await shown(leaf(10, { GW_PAGER: pager('echo "paged $LESS"'), LESS: 'S' }));
    expect(lines).toContain('paged S');
  });

  test('a reader who quits early ends the command quietly', async () => {
    const lines = await shown(leaf(100_000, { GW_PAGER: pager('head -2') }));
    expect(lines.filter((line) => line !== '')).toEqual([
      ...['line 1', 'line 2'],
      ...['noted', 'ended', 'exit 0'],
    ]);
  });

  test('a missing pager is not needed', async () => {
    for (const missing of ['/nowhere/pager', '/nowhere/pager -x']) {
      const lines = await shown(leaf(10, { GW_PAGER: missing }));
      expect(lines).toContain('line 10');
      expect(lines).toContain('exit 0');
      expect(lines.join(' ')).toMatch(/not found/);
    }
  });

  test('Ctrl-C goes to the pager', async () => {
    // Not the shell's own trap and read: a signal that comes between the two is told only after a line was read.
    const listening = path.join(temporaryDirectory(), 'listening.cjs');
    writeFileSync(
      listening,
      `process.on('SIGINT', () => console.log('told'));
      process.stdin.pipe(process.stdout);
      require('node:fs').createReadStream('/dev/tty').once('data', () => process.exit());`,
    );
    const pages = leaf(10, { GW_PAGER: pager(`exec '${process.execPath}' '${listening}'`) });
    await pages.printed(/line 10/);
    pages.type('\u0003');
    await pages.printed(/told/);
    pages.type('\n');
    const lines = await shown(pages);
    expect(lines).toContain('ended');
    expect(lines).toContain('exit 0');
  });
});
