/** Questions on a real pseudo-terminal, made by script(1); stdout goes to a file. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';
import { start } from '../../helpers/run.ts';
import { havePrograms } from '../../helpers/skip.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const BELL = '\u0007';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

function ask(verb = 'ask', given: Record<string, string> = {}) {
  const records = path.join(temporaryDirectory(), 'stdout');
  const command = `exec '${process.execPath}' '${program}' ${verb} > '${records}'`;
  const env = { PATH: process.env.PATH, TERM: 'xterm', ...given };
  const terminal = start('script', ['-qec', command, '/dev/null'], { env });
  return {
    ...terminal,
    type: (keys: string) => terminal.child.stdin!.write(keys),
    stdout: () => (existsSync(records) ? readFileSync(records, 'utf8') : undefined),
  };
}

describe.skipIf(!havePrograms('script'))('prompts', () => {
  test('prompts ask on stderr, check answers, and do not show what is hidden', async () => {
    const { type, printed, ended, stdout } = ask();
    await printed(/Name\?.*Ada/);
    type('no\r');
    await printed(/not that one/);
    // The refused answer is still there: two keys delete it.
    type('\x7f\x7fGrace\r');
    await printed(/Token\?/);
    type('tok-secret-123\r');
    await printed(/Sure\?/);
    type('y\r');
    const { code, stdout: screen } = await ended;
    expect(JSON.parse(stdout()!)).toEqual({ name: 'Grace', token: 'tok-secret-123', sure: true });
    expect(code).toBe(0);
    expect(screen).not.toMatch(/tok|secret|123/);
    expect(screen).toContain('*'.repeat('tok-secret-123'.length));
  });

  test.each<[way: string, env: Record<string, string>, steps: [shown: RegExp, keys: string][]]>([
    ['by arrows', {}, [[/choice 0\.[\s\S]*select/, '\x1b[B\x1b[B\x1b[B\r']]],
    ['by its first letters', {}, [[/choice 0\.[\s\S]*select/, 'CHOICE 3\r']]],
    ['by its number and Enter at once', {}, [[/4\. choice 3\.[\s\S]*select/, '4\r']]],
    [
      'by its number, key by key',
      {},
      [
        [/4\. choice 3\.[\s\S]*select/, '4'],
        [/❯ 4\. choice 3/, '\r'],
      ],
    ],
    [
      'by its number, after digits that number no row',
      {},
      [
        [/4\. choice 3\.[\s\S]*select/, '5123 4567\r'],
        [new RegExp(BELL), '21\r'],
        [new RegExp(`${BELL}[^]*${BELL}`), '4\r'],
      ],
    ],
    [
      'by its number, plain',
      { GW_PLAIN: '1' },
      [
        [/20\. choice 19\.\s+Number or name: $/, '21\r'],
        [/Type a number from 1 to 20, or a name\.\s+Number or name: $/, '4\r'],
      ],
    ],
    ['by its name, plain', { GW_PLAIN: '1' }, [[/Number or name: $/, ' Choice 3. \r']]],
  ])('an item of a list is picked %s', async (_, env, steps) => {
    const { type, printed, ended, stdout } = ask('choose', env);
    for (const [shown, keys] of steps) {
      await printed(shown);
      type(keys);
    }
    expect((await ended).code).toBe(0);
    expect(stdout()).toBe('3');
  });

  test.each([
    ['drawn', {}],
    ['plain', { GW_PLAIN: '1' }],
  ])('any answer but yes is a no, %s', async (_, env) => {
    for (const typed of ['', 'gw whoami', 'no']) {
      const { type, printed, ended, stdout } = ask('ask', env);
      await printed(/Name\?/);
      type('\r');
      await printed(/Token\?/);
      type('x\r');
      await printed(/Sure\?.*y\/N/);
      type(`${typed}\r`);
      await ended;
      expect(JSON.parse(stdout()!)).toMatchObject({ sure: false });
    }
  });

  test('prompts use the initial answer for an empty line', async () => {
    const { type, printed, ended, stdout } = ask();
    await printed(/Name\?/);
    type('\r');
    await printed(/Token\?/);
    type('x\r');
    await printed(/Sure\?/);
    type('n\r');
    await ended;
    expect(JSON.parse(stdout()!)).toEqual({ name: 'Ada', token: 'x', sure: false });
  });

  test.each([
    ['drawn', {}, ['Card?', 'between', 'Token?', 'after']],
    // Here the line end after an answer is gw's own.
    ['plain', { GW_PLAIN: '1' }, ['Card?', '\n', 'between', 'Token?', 'after']],
  ])(
    '%s, the terminal shows no key from before a hidden question until the last answer',
    async (_, env, parts) => {
      const { type, printed, ended, stdout } = ask('hide', env);
      await printed(/Card\?/);
      type('no\r');
      await printed(/not that one/);
      type('yes\r');
      await printed(/Token\?/);
      type('x\r');
      await ended;
      const said = JSON.parse(stdout()!) as [when: string, showsKeys: boolean][];
      expect([...new Set(said.map(([when]) => when))]).toEqual(parts);
      expect(said.filter(([, showsKeys]) => showsKeys)).toEqual([['after', true]]);
    },
  );

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s at any question cancels the command', async (_, key) => {
    const first = ask();
    await first.printed(/Name\?/);
    first.type(key);
    const { code, stdout: screen } = await first.ended;
    expect(stripVTControlCharacters(screen)).toMatch(/interrupted: Cancelled\. +sent: false/);
    expect(code).toBe(130);
    expect(first.stdout()).toBe('');

    const second = ask();
    await second.printed(/Name\?/);
    second.type('\r');
    await second.printed(/Token\?/);
    second.type(key);
    expect((await second.ended).code).toBe(130);
  });
});
