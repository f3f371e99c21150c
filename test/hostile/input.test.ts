/** Input that is not what it should be: refused in a moment, with a reason, and nothing is sent. */
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENVELOPE } from '../helpers/calls.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { havePrograms } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { environmentOf, type GwOptions, gw } from './support.ts';

const NOBODY = 65_534;

/** Runs gw against a gateway that must not hear of it. */
async function refused(args: readonly string[], options: GwOptions = {}) {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
  });
  const { code, stdout, stderr } = await gw(args, { url: server.url, ...options });
  const { connections } = server;
  expect({ code, stdout, connections, stderr }).toMatchObject({
    code: 2,
    stdout: '',
    connections: 0,
  });
  return stderr;
}

const FILES: [what: string, make: (directory: string) => string, reason: RegExp][] = [
  [
    'of 1 GB',
    (directory) => {
      const file = path.join(directory, 'large.json');
      writeFileSync(file, '{');
      truncateSync(file, 1024 ** 3);
      return file;
    },
    /is larger than the 1048576 bytes/,
  ],
  ['that is a directory', (directory) => directory, /is a directory/],
  ['that is missing', (directory) => path.join(directory, 'none'), /does not exist/],
  [
    'that is a link to itself',
    (directory) => {
      symlinkSync('loop', path.join(directory, 'loop'));
      return path.join(directory, 'loop');
    },
    /is a link that points back to itself/,
  ],
  ['that never ends', () => '/dev/zero', /is not a regular file/],
  [
    'that is not UTF-8',
    (directory) => {
      const file = path.join(directory, 'latin1.json');
      writeFileSync(file, Buffer.from('{"reference":"caf\xe9"}', 'latin1'));
      return file;
    },
    /is not UTF-8/,
  ],
];

describe.each(['--input', '--card-file'])('%s with a file', (flag) => {
  test.each(FILES)('a file %s is refused', async (_, make, reason) => {
    const file = make(temporaryDirectory());
    const stderr = await refused(['purchase', 'create', '--amount', '1', flag, file]);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain(file);
  });
});

test('a file that may not be read is refused', async () => {
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  const home = path.join(directory, 'home');
  mkdirSync(home);
  chmodSync(home, 0o777);
  const file = path.join(directory, 'secret.json');
  writeFileSync(file, '{}', { mode: 0o000 });
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const stderr = await refused(['purchase', 'create', '--input', file], { home, ...user });
  expect(stderr).toMatch(/could not be read: permission is denied/);
});

describe('stdin', () => {
  const endless = Buffer.alloc(2 * 1024 * 1024, 'a');
  const latin1 = Buffer.from('071-P-1\ncaf\xe9\n', 'latin1');

  test.each<[what: string, args: string[], input: Buffer | string, reason: RegExp]>([
    [
      'that is larger than a body',
      ['purchase', 'create', '--input', '-'],
      endless,
      /is larger than/,
    ],
    ['with a line that never ends', ['purchase', 'get', '-'], endless, /Line 1 .* is longer than/],
    ['that is not UTF-8', ['purchase', 'create', '--input', '-'], latin1, /is not UTF-8/],
    ['that is empty', ['purchase', 'get', '-'], '', /No id came on stdin/],
    ['that is empty', ['purchase', 'create', '--input', '-'], '', /is empty/],
  ])('stdin %s is refused', async (_, args, input, reason) => {
    expect(await refused(args, { input })).toMatch(reason);
  });

  test('stdin with a line that is not UTF-8 is read up to that line', async () => {
    const server = await hostileServer({
      onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
    });
    const { code, stdout, stderr } = await gw(['purchase', 'get', '-', '-o', 'id'], {
      url: server.url,
      input: latin1,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '071-P-1\n' });
    expect(stderr).toContain('Line 2');
  });
});

describe('JSON that is nested very deeply', () => {
  const nested = (depth: number, open: string, close: string) =>
    `{"card_token":"t","amount":1,"x":${open.repeat(depth)}1${close.repeat(depth)}}`;

  test.each([
    ['objects', nested(150_000, '{"a":', '}')],
    ['lists', nested(400_000, '[', ']')],
  ])('is refused as %s', async (_, input) => {
    expect(await refused(['purchase', 'create', '--input', '-'], { input })).toMatch(/nested/);
    expect(await refused(['api', 'POST', '/v1.0/x', '--input', '-'], { input })).toMatch(/nested/);
  });

  test.each([
    ['that does not end', '['.repeat(1_000_000), /nested more than 100 levels deep at line 1/],
    ['that ends in the midst of a list', '[1', /ends too early at line 1/],
    ['that closes what it did not open', `${'['.repeat(9)}}`, /at line 1, column 10/],
  ])('%s is refused with the place', async (_, input, reason) => {
    expect(await refused(['purchase', 'create', '--input', '-'], { input })).toMatch(reason);
  });
});

describe('a number that would lose digits', () => {
  test.each(['12345678901234567890', '1e400', '0.1234567890123456789'])(
    'is refused as %s',
    async (number) => {
      const input = `{"card_token":"t","amount":1,"order":${number}}`;
      expect(await refused(['purchase', 'create', '--input', '-'], { input })).toContain('order');
    },
  );

  test('is refused as the amount 25.00, which is not 25', async () => {
    const input = '{"card_token":"t","amount":25.00}';
    expect(await refused(['purchase', 'create', '--input', '-'], { input })).toContain('amount');
  });
});

test.skipIf(!havePrograms('sh'))('an argument that is not UTF-8 is refused', async () => {
  const server = await hostileServer({
    onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
  });
  const home = temporaryDirectory();
  const words = `"${process.execPath}" "${PROGRAM}" purchase create --card-token t --amount 1`;
  const command = `${words} --reference "$(printf 'caf\\351')"`;
  const { code, stdout, stderr } = await run('sh', ['-c', command], {
    env: environmentOf({ url: server.url, home }),
  });
  expect({ code, stdout, connections: server.connections }).toEqual({
    code: 2,
    stdout: '',
    connections: 0,
  });
  expect(stderr).toContain('Argument 8 is not UTF-8 text.');
});
