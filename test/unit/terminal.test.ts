import { describe, expect, test } from 'vitest';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { openTerminal, type TerminalOptions } from '../helpers/terminal.ts';

const open = (options: Partial<TerminalOptions> = {}) =>
  openTerminal({
    columns: 20,
    rows: 5,
    env: { PATH: process.env.PATH },
    cwd: temporaryDirectory(),
    ...options,
  });

describe.skipIf(!havePrograms('script', 'stty'))('a terminal', () => {
  test('shows the input, the output and the end', async () => {
    const terminal = open();
    const { code } = await terminal.run('echo one; exit 3');
    await terminal.run('echo two \\\n  three');
    expect(code).toBe(3);
    expect(terminal.text()).toEqual([
      '$ echo one; exit 3',
      'one',
      '$ echo two \\',
      '>   three',
      'two three',
    ]);
  });

  test('has the size that a program sees', async () => {
    const terminal = open();
    await terminal.run('stty size');
    expect(terminal.text().at(-1)).toBe('5 20');
  });

  test('keeps the lines that scrolled out', async () => {
    const terminal = open();
    await terminal.run('seq 9');
    expect(terminal.text()).toHaveLength(10);
  });

  test('sends keys and waits for text', async () => {
    const terminal = open();
    const running = terminal.begin('printf "Name? "; read name; echo "Hello $name"');
    await terminal.shows(/^Name\?/m);
    terminal.type('Ada\r');
    await terminal.shows(/^Hello Ada$/m);
    await running.ended;
    expect(terminal.text().slice(-2)).toEqual(['Name? Ada', 'Hello Ada']);
  });

  test('shows all output of a command that has ended', async () => {
    const terminal = open();
    await terminal.begin('seq 20000; echo done').ended;
    expect(terminal.text().at(-1)).toBe('done');
  });

  test('reports what it showed instead', async () => {
    const terminal = open();
    terminal.begin('echo one');
    await expect(terminal.shows(/two/)).rejects.toThrow(/never showed .*\n.*\none/);
  });

  test('has styles and wide characters', async () => {
    const terminal = open();
    await terminal.run(String.raw`printf 'a\033[1;31mb\033[0m 王伟 \033[7mc\033[0m'`);
    expect(terminal.rows().at(-1)).toEqual([
      { column: 0, width: 1, text: 'a', look: {} },
      { column: 1, width: 1, text: 'b', look: { foreground: 1, bold: true } },
      { column: 2, width: 6, text: ' 王伟 ', look: {} },
      { column: 8, width: 1, text: 'c', look: { inverse: true } },
    ]);
  });

  test('has only sixteen colours', async () => {
    const terminal = open();
    await terminal.run(String.raw`printf '\033[38;5;200mb'`);
    expect(() => terminal.rows()).toThrow('a colour of its own: 200');
  });

  test('replaces varying text, however it arrives', async () => {
    const terminal = open({ shownAs: new Map([['/tmp/here', '/home']]) });
    await terminal.run('printf "in /tm"; cat /dev/null; printf "p/here/it, /tm"');
    expect(terminal.text().at(-1)).toBe('in /home/it, /tm');
  });
});
