/** Pagers on a real pseudo-terminal of 80 by 10, made by script(1). */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pagerOf } from '../../../../src/host/terminal/paging.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { start } from '../../../helpers/run.ts';
import { havePrograms } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

/** @param lines how many, and whether it waits for a line of its own before it goes on @param env beside PATH and TERM */
function leaf(lines: number | `${number} waiting`, env: Record<string, string> = {}) {
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

describe('the choice of a pager', () => {
  test('GW_PAGER comes first, then PAGER, then less', () => {
    expect(pagerOf({ GW_PAGER: 'most', PAGER: 'more' })).toBe('most');
    expect(pagerOf({ PAGER: 'more' })).toBe('more');
    expect(pagerOf({})).toBe('less');
  });

  test('an empty one and cat are none, whatever the other says', () => {
    expect(pagerOf({ GW_PAGER: '', PAGER: 'more' })).toBeUndefined();
    expect(pagerOf({ GW_PAGER: 'cat' })).toBeUndefined();
    expect(pagerOf({ PAGER: '' })).toBeUndefined();
  });
});

describe.skipIf(!havePrograms('script'))('a pager on a terminal', () => {
  test('what fits a screen is not paged', async () => {
    const lines = await shown(leaf(9, { GW_PAGER: pager('echo paged; cat') }));
    expect(lines.filter((line) => line !== '')).toEqual([
      'noted',
      ...Array.from({ length: 9 }, (_, i) => `line ${i + 1}`),
      'ended',
      'exit 0',
    ]);
  });

  test('what does not fit is paged whole, with the flags of less, and notes come after it', async () => {
    const command = pager('echo "paged $LESS $GW_API_TOKEN."; cat');
    const lines = await shown(leaf(10, { GW_PAGER: command, GW_API_TOKEN: 'tok-secret-123' }));
    expect(lines.filter((line) => line !== '')).toEqual([
      'paged FRX .',
      ...Array.from({ length: 10 }, (_, i) => `line ${i + 1}`),
      'noted',
      'ended',
      'exit 0',
    ]);
  });

  test('LESS stays as it is set', async () => {
    const lines = await shown(leaf(10, { GW_PAGER: pager('echo "paged $LESS"'), LESS: 'S' }));
    expect(lines).toContain('paged S');
  });

  test('a reader who leaves early ends it quietly', async () => {
    const lines = await shown(leaf(100_000, { GW_PAGER: pager('head -2') }));
    expect(lines.filter((line) => line !== '')).toEqual(['line 1', 'line 2', 'exit 0']);
  });

  test('a pager that is not there is done without', async () => {
    for (const missing of ['/nowhere/pager', '/nowhere/pager -x']) {
      const lines = await shown(leaf(10, { GW_PAGER: missing }));
      expect(lines).toContain('line 10');
      expect(lines).toContain('exit 0');
      expect(lines.join(' ')).toMatch(/could not be started|not found/);
    }
  });

  test('Ctrl-C is the pager\u2019s', async () => {
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

  test('a pager that a signal has ended before the end is waited for no more', async () => {
    const noteDeath = '(while kill -0 $$ 2>/dev/null; do :; done; echo gone) &';
    const pages = leaf('10 waiting', {
      GW_PAGER: pager(`${noteDeath}\ncat >/dev/null & kill -9 $$`),
    });
    await pages.printed(/gone/);
    pages.type('\n');
    const lines = await shown(pages);
    expect(lines).toContain('ended');
    expect(lines).toContain('exit 0');
  });

  test('plain lines are not paged', async () => {
    const lines = await shown(leaf(10, { GW_PAGER: pager('echo paged'), GW_PLAIN: '1' }));
    expect(lines).not.toContain('paged');
    expect(lines).toContain('line 10');
  });
});
