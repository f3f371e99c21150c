/** stdin, stdout, stderr and the end of the program, in real processes with real pipes. */
import { openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mayColor, showsBlocks, wantsPlain } from '../../../src/host/terminal/output.ts';
import { bundle } from '../../helpers/bundle.ts';
import { run, start } from '../../helpers/run.ts';
import { havePrograms } from '../../helpers/skip.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/host/program.ts');
});

const gw = (verb: string, options?: Parameters<typeof run>[2]) =>
  run(process.execPath, [program, ...verb.split(' ')], options);
/** Runs the program in a pipeline; its exit code is the last line of stderr. */
const pipeline = (verb: string, rest: string) =>
  run('sh', ['-c', `{ "$0" "$1" ${verb}; echo $? >&2; } ${rest}`, process.execPath, program]);

describe('a closed pipe', () => {
  test('a closed pipe on stdout ends the program quietly', async () => {
    const { stdout, stderr } = await pipeline('write 50', '| head -c 3');
    expect(stdout).toBe('xxx');
    expect(stderr).toBe('141\n');
  });

  test('a closed pipe is noticed between two writes', async () => {
    const { child, printed, ended } = start(process.execPath, [program, 'echo']);
    child.stdin!.write('one\n');
    await printed(/"one"/);
    child.stdout!.destroy();
    child.stdin!.write('two\n');
    expect(await ended).toMatchObject({ code: 141, signal: null, stderr: '' });
  });

  test('a closed pipe does not end a program that has work to finish', async () => {
    const { stderr } = await pipeline('write-on', '| head -c 3');
    expect(stderr).toBe('output-unread\n141\n');
  });

  test('a closed pipe on stderr loses only messages', async () => {
    const { child, printed, ended } = start(process.execPath, [program, 'complain']);
    await printed(/ready/);
    child.stderr!.destroy();
    child.stdin!.write('a\nb\n');
    child.stdin!.end('c\n');
    expect(await ended).toMatchObject({ code: 0, stdout: 'ready\ndone\n' });
  });
});

describe('writing', () => {
  test('the program ends after all its output was accepted', async () => {
    const { stdout, stderr, code } = await gw('write-unawaited');
    expect([stdout.length, stderr.length, code]).toEqual([3_000_000, 3_000_000, 0]);
  });

  test('writing waits for a slow reader', async () => {
    const slowly = '"$0" "$1" write 5 | { dd bs=1 count=1 status=none; cat; } | wc -c';
    const { stdout } = await run('sh', ['-c', slowly, process.execPath, program]);
    expect(Number(stdout)).toBe(5_000_000);
  });

  test.skipIf(process.platform !== 'linux')('a full disk is reported', async () => {
    for (const verb of ['write 1', 'text', 'describe']) {
      const { code, stderr } = await gw(verb, {
        stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'],
      });
      expect(stderr).toMatch(/^incomplete: The output could not be written: no space is left/);
      expect(code).toBe(9);
    }
  });
});

describe('stdin', () => {
  test('stdin comes as lines, without CR LF and byte order mark', async () => {
    const input = '\uFEFFone\r\n\r\n two \n\u{1F600}\nlast';
    const { stdout } = await gw('echo', { input });
    expect(stdout).toBe('"one"\n""\n" two "\n"😀"\n"last"\n');
  });

  test('stdin may come in pieces that cut characters and line ends', async () => {
    const { child, printed, ended } = start(process.execPath, [program, 'echo']);
    const bytes = Buffer.from('a\n😀b\r\nc\n');
    child.stdin!.write(bytes.subarray(0, 4));
    await printed(/"a"/);
    child.stdin!.write(bytes.subarray(4, 8));
    child.stdin!.end(bytes.subarray(8));
    expect((await ended).stdout).toBe('"a"\n"😀b"\n"c"\n');
  });

  test('stdin may be empty', async () => {
    expect(await gw('echo')).toMatchObject({ code: 0, stdout: '' });
    expect(await gw('text')).toMatchObject({ code: 0, stdout: '""' });
  });

  test('stdin may have lines up to the limit', async () => {
    const longest = 'x'.repeat(1000);
    expect(await gw('echo', { input: `${longest}\r\n` })).toMatchObject({
      code: 0,
      stdout: `"${longest}"\n`,
    });
    const tooLong = await gw('echo', { input: `ok\n${longest}x\n` });
    expect(tooLong.stdout).toBe('"ok"\n');
    expect(tooLong.stderr).toMatch(/^usage: Line 2 of standard input is longer than 1000 bytes\./);
    expect(tooLong.code).toBe(2);
  });

  test('stdin is refused at the limit, before its end', async () => {
    const { child, ended } = start(process.execPath, [program, 'echo']);
    child.stdin!.write('x'.repeat(1_000_000));
    expect((await ended).stderr).toMatch(/Line 1 of standard input is longer/);
    const text = start(process.execPath, [program, 'text']);
    text.child.stdin!.write('x'.repeat(1_000_000));
    expect((await text.ended).stderr).toMatch(/Standard input is larger than 1000 bytes/);
  });

  test('stdin must be UTF-8', async () => {
    const input = Buffer.from([0x61, 0x0a, 0xff, 0x0a]);
    const lines = await gw('echo', { input });
    expect(lines).toMatchObject({ code: 2, stdout: '"a"\n' });
    expect(lines.stderr).toMatch(/^usage: Line 2 of standard input is not UTF-8\./);
    expect((await gw('text', { input })).stderr).toMatch(
      /^usage: Standard input is not UTF-8 text\./,
    );
  });

  test('stdin may be a file, but not a directory', async () => {
    const directory = temporaryDirectory();
    const file = path.join(directory, 'ids');
    writeFileSync(file, 'a\nb\n');
    const from = (name: string) => gw('echo', { stdio: [openSync(name, 'r'), 'pipe', 'pipe'] });
    expect((await from(file)).stdout).toBe('"a"\n"b"\n');
    expect(await from(directory)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^usage: Standard input could not be read: it is a directory\./,
      ),
    });
  });

  test('stdin is closed when the program needs no more of it', async () => {
    const { child, ended } = start(process.execPath, [program, 'first-line']);
    child.stdin!.write('one\ntwo\n');
    expect(await ended).toMatchObject({ code: 0, stdout: 'one' });
  });
});

describe('a terminal', () => {
  test('a pipe is not a terminal', async () => {
    const { stdout } = await gw('describe', { env: { ...process.env, COLUMNS: '200' } });
    expect(JSON.parse(stdout)).toMatchObject({ isTerminal: false, columns: 80, stdin: false });
  });

  test.skipIf(!havePrograms('script', 'stty'))('a terminal has a width and colours', async () => {
    const env = { PATH: process.env.PATH, TERM: 'xterm' };
    const command = `stty columns 132; '${process.execPath}' '${program}' describe`;
    const { stdout } = await run('script', ['-qec', command, '/dev/null'], { env });
    expect(JSON.parse(stdout)).toEqual({
      isTerminal: true,
      columns: 132,
      color: true,
      stdin: true,
      stderr: true,
    });
  });

  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, true],
    [true, { FORCE_COLOR: '3' }, true],
    [true, { CLICOLOR: '0' }, false],
    [true, { CLICOLOR: '1' }, true],
    [false, { CLICOLOR: '1' }, false],
    [false, { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, true],
    [false, { CLICOLOR_FORCE: '0' }, false],
    [false, { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false],
  ])(
    'output with isTerminal %s and the environment %o is coloured: %s',
    (isTerminal, env, expected) => {
      expect(mayColor(isTerminal, env)).toBe(expected);
    },
  );

  test.each([
    [{ LANG: 'en_AU.UTF-8' }, true],
    [{ LANG: 'C.utf8', TERM: 'xterm-256color' }, true],
    [{ LC_CTYPE: 'UTF-8' }, true],
    [{}, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
    [{ LC_ALL: 'C', LANG: 'en_AU.UTF-8' }, false],
    [{ LC_ALL: '', LANG: 'en_AU.UTF-8' }, true],
    [{ TERM: 'dumb', LANG: 'en_AU.UTF-8' }, false],
    [{ TERM: 'linux', LANG: 'en_AU.UTF-8' }, false],
  ])('blocks are shown in the environment %o: %s', (env, expected) => {
    expect(showsBlocks(env, 'linux')).toBe(expected);
  });

  test('blocks are shown on Windows, which has no locale', () => {
    expect(showsBlocks({}, 'win32')).toBe(true);
    expect(showsBlocks({ TERM: 'dumb' }, 'win32')).toBe(false);
  });
});

test.each([
  [{}, false],
  [{ TERM: 'dumb' }, true],
  [{ GW_PLAIN: '1' }, true],
  [{ GW_PLAIN: '' }, false],
  [{ GW_PLAIN: '0', TERM: 'dumb' }, false],
])('the environment %o asks for plain mode: %s', (env, isPlain) => {
  expect(wantsPlain(env)).toBe(isPlain);
});
