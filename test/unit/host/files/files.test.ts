import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFiles, readNamed } from '../../../../src/host/files/files.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const files = createFiles({});
const NOBODY = 65534;
const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('read', () => {
  test('read returns the text of a file without a byte order mark', () => {
    const file = path.join(temporaryDirectory(), 'a.json');
    writeFileSync(file, '\uFEFF{"name": "Zoë 😀"}\r\n');
    expect(files.read(file, 100)).toBe('{"name": "Zoë 😀"}\r\n');
  });

  test('read returns a file of exactly the limit, even over several reads', () => {
    const file = path.join(temporaryDirectory(), 'a');
    writeFileSync(file, 'x'.repeat(200_000));
    expect(files.read(file, 200_000)).toHaveLength(200_000);
  });

  test('read returns undefined without a file', () => {
    const directory = temporaryDirectory();
    writeFileSync(path.join(directory, 'file'), '');
    expect(files.read(path.join(directory, 'none'), 100)).toBeUndefined();
    expect(files.read(path.join(directory, 'file', 'below'), 100)).toBeUndefined();
  });

  test('read refuses a file that is too large without reading all of it', async () => {
    const file = path.join(temporaryDirectory(), 'huge');
    writeFileSync(file, '');
    truncateSync(file, 2 ** 26);
    const failure = await failureOf(() => files.read(file, 1000));
    expect(failure).toMatchObject({ kind: 'usage' });
    expect(failure.message).toContain(`${file} is larger than the 1000 bytes`);
  });

  test.skipIf(process.platform !== 'linux')(
    'read refuses a file of unknown size as soon as it is too large',
    async () => {
      const failure = await failureOf(() => files.read('/proc/kallsyms', 1000));
      expect(failure.message).toContain('is larger than the 1000 bytes');
    },
  );

  test('read refuses a directory, a FIFO and a device without waiting for them', async () => {
    const directory = temporaryDirectory();
    const fifo = path.join(directory, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect((await failureOf(() => files.read(directory, 100))).message).toBe(
      `${directory} is a directory.`,
    );
    expect(await failureOf(() => files.read(fifo, 100))).toMatchObject({
      kind: 'usage',
      message: `${fifo} is not a regular file.`,
    });
    expect((await failureOf(() => files.read('/dev/zero', 100))).message).toBe(
      '/dev/zero is not a regular file.',
    );
  });

  test('read refuses a file that is not UTF-8', async () => {
    const file = path.join(temporaryDirectory(), 'latin1');
    writeFileSync(file, Buffer.from([0x61, 0xe9]));
    expect(await failureOf(() => files.read(file, 100))).toMatchObject({
      kind: 'usage',
      message: `${file} is not UTF-8 text.`,
    });
  });

  test("read names the system's reason", async () => {
    const directory = temporaryDirectory();
    const loop = path.join(directory, 'loop');
    symlinkSync(loop, loop);
    expect((await failureOf(() => files.read(loop, 100))).message).toBe(
      `${loop} could not be read: it is a link that points back to itself.`,
    );
    expect((await failureOf(() => files.read('a\0b', 100))).message).toBe(
      'a\\0b could not be read: its name is not a valid file name.',
    );
    const longName = 'x'.repeat(5000);
    expect((await failureOf(() => files.read(longName, 100))).message).toContain(
      'the name is too long',
    );
  });

  test('read names an unreadable file', async () => {
    const file = path.join(temporaryDirectory(), 'secret');
    writeFileSync(file, 'x');
    chmodSync(file, 0);
    chmodSync(path.dirname(file), 0o755);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY); // Root may read everything.
    try {
      const failure = await failureOf(() => files.read(file, 100));
      expect(failure.message).toBe(`${file} could not be read: permission is denied.`);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});

describe('readNamed', () => {
  const never = new AbortController().signal;
  const makePipe = (writer?: string) => {
    const fifo = path.join(temporaryDirectory(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    if (writer) spawn('sh', ['-c', `${writer} > "$0"`, fifo], { stdio: 'ignore' });
    return fifo;
  };

  test('readNamed reads a pipe to its end or the limit', async () => {
    const inPieces = makePipe('{ printf "\\357\\273\\277{"; printf "}"; }');
    expect(String(await readNamed(inPieces, 5, never))).toBe('\uFEFF{}');
    const failure = await failureOf(() => readNamed(makePipe('yes'), 1000, never));
    expect(failure.code).toBe('file-too-large');
  });

  test('readNamed stops waiting for a pipe after an interruption', async () => {
    const controller = new AbortController();
    const fifo = makePipe();
    const reading = readNamed(fifo, 10, controller.signal);
    controller.abort(new Error('Ctrl-C'));
    await expect(reading).rejects.toBe(controller.signal.reason);
    // The thread that opened it ends with it.
    spawn('sh', ['-c', ': > "$0"', fifo]);
  });

  test('readNamed reads a file like read', async () => {
    expect(await readNamed(path.join(temporaryDirectory(), 'none'), 10, never)).toBeUndefined();
    const failure = await failureOf(() => readNamed('/dev/zero', 10, never));
    expect(failure.code).toBe('file-not-regular');
  });
});

describe('writePrivate', () => {
  const inHome = () => {
    const home = temporaryDirectory();
    const env = {
      XDG_CONFIG_HOME: path.join(home, 'config'),
      XDG_STATE_HOME: path.join(home, 'state'),
    };
    return { home, files: createFiles(env) };
  };

  test('writePrivate creates private directories and a private file', () => {
    const { files } = inHome();
    const file = path.join(files.stateDirectory, 'emulator', 'seed.json');
    files.writePrivate(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(path.dirname(file))).toBe(0o700);
    expect(modeOf(files.stateDirectory)).toBe(0o700);
  });

  test('writePrivate replaces a file, makes it and its directory private, and leaves no other file', () => {
    const { files } = inHome();
    const file = path.join(files.configDirectory, 'profiles.json');
    mkdirSync(files.configDirectory, { recursive: true });
    chmodSync(files.configDirectory, 0o777);
    writeFileSync(file, 'old', { mode: 0o666 });
    chmodSync(file, 0o666);
    files.writePrivate(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(files.configDirectory)).toBe(0o700);
    expect(readdirSync(files.configDirectory)).toEqual(['profiles.json']);
  });

  test('writePrivate does not write into the old file', () => {
    const { files } = inHome();
    const file = path.join(files.configDirectory, 'profiles.json');
    files.writePrivate(file, 'old');
    const before = statSync(file).ino;
    files.writePrivate(file, 'new');
    expect(statSync(file).ino).not.toBe(before);
  });

  test('writePrivate keeps the permissions of other directories', () => {
    const { home, files } = inHome();
    chmodSync(home, 0o755);
    files.writePrivate(path.join(home, 'export.json'), 'x');
    expect(modeOf(home)).toBe(0o755);
  });

  test('writeNew creates a private file and replaces none', () => {
    const { home, files } = inHome();
    const file = path.join(home, 'receipt.html');
    files.writeNew(file, 'one');
    expect(() => files.writeNew(file, 'two')).toThrow('already exists');
    expect(readFileSync(file, 'utf8')).toBe('one');
    expect(modeOf(file)).toBe(0o600);
    expect(() => files.writeNew(path.join(home, 'none', 'there'), 'x')).toThrow('not be written');
  });

  test('writePrivate keeps a link and writes to its target', () => {
    const { home, files } = inHome();
    const real = path.join(home, 'dotfiles.json');
    writeFileSync(real, 'old');
    mkdirSync(files.configDirectory, { recursive: true });
    const link = path.join(files.configDirectory, 'profiles.json');
    symlinkSync(real, link);
    files.writePrivate(link, 'new');
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(readFileSync(link, 'utf8')).toBe('new');
  });

  test('writePrivate keeps a pipe and a link to one', async () => {
    const directory = temporaryDirectory();
    const pipe = path.join(directory, 'pipe');
    const link = path.join(directory, 'link');
    execFileSync('mkfifo', [pipe]);
    symlinkSync(pipe, link);
    for (const file of [pipe, link]) {
      const failure = await failureOf(() => files.writePrivate(file, 'text'));
      expect(failure).toMatchObject({ kind: 'usage', code: 'not-a-file' });
      expect(failure.message).toBe(`${file} is a device or a pipe, and gw replaces only files.`);
      expect(statSync(file).isFile()).toBe(false);
    }
    expect(readdirSync(directory).sort()).toEqual(['link', 'pipe']);
  });

  test('writePrivate says what to do if it cannot write, and leaves no file', async () => {
    const { home, files } = inHome();
    writeFileSync(path.join(home, 'config'), 'a file where the directory should be');
    const file = path.join(files.configDirectory, 'profiles.json');
    const failure = await failureOf(() => files.writePrivate(file, 'x'));
    expect(failure.kind).toBe('usage');
    expect(failure.message).toBe(
      `${file} could not be written: a part of its path is not a directory.`,
    );
    expect(failure.next).toContain('XDG');

    const taken = path.join(home, 'taken');
    mkdirSync(taken);
    expect((await failureOf(() => files.writePrivate(taken, 'x'))).message).toContain('directory');
    expect(readdirSync(home).sort()).toEqual(['config', 'taken']);
    expect(existsSync(taken)).toBe(true);
  });
});
