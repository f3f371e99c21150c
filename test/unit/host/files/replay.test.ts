import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openReplay } from '../../../../src/host/files/replay.ts';
import type { Replay } from '../../../../src/host/host.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const MAX_LINE_BYTES = 100;

async function linesOf(replay: Replay): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of replay.lines()) lines.push(line);
  return lines;
}

const open = (source: string) =>
  openReplay(source, MAX_LINE_BYTES, {
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    interrupted: new AbortController().signal,
  });

test('a file is read again from its beginning', async () => {
  const file = path.join(temporaryDirectory(), 'lines');
  // Long enough for lines to lie across chunks.
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} é`);
  writeFileSync(file, `\uFEFF${lines.join('\r\n')}\n`);
  const replay = await open(file);
  expect(await linesOf(replay)).toEqual(lines);
  expect(await linesOf(replay)).toEqual(lines);
  replay.close();
});

test('openReplay says what is not there, and what is no file', async () => {
  const directory = temporaryDirectory();
  expect((await failureOf(() => open(directory))).message).toContain('directory');
  const missing = path.join(directory, 'missing');
  expect((await failureOf(() => open(missing))).kind).toBe('usage');
});

test('a pipe is kept, and leaves nothing that has a name', async () => {
  const directory = temporaryDirectory();
  // A place that no other process uses.
  const place = temporaryDirectory();
  vi.stubEnv('TMPDIR', place);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(tmpdir()).toBe(place);
  const input = path.join(directory, 'pipe');
  expect(spawnSync('mkfifo', [input]).status).toBe(0);
  const text = `${'x'.repeat(90)}\n`.repeat(3_000);
  const [replay] = await Promise.all([open(input), writeFile(input, text)]);
  expect(readdirSync(place)).toEqual([]);
  expect(await linesOf(replay)).toHaveLength(3_000);
  expect((await linesOf(replay))[2_999]).toBe('x'.repeat(90));
  replay.close();
});

const TEXT = 'one\ntwo\nthree\n';
/** What may happen to a file, at `link`, which leads to it. */
const EVENTS: readonly [string, boolean, (file: string, link: string) => void][] = [
  ['grows', true, (file) => appendFileSync(file, 'four\n')],
  ['shrinks', true, (file) => truncateSync(file, 4)],
  ['is emptied', true, (file) => truncateSync(file, 0)],
  ['is written anew', true, (file) => writeFileSync(file, 'one\nTWO\nthree\n')],
  [
    'is edited in place, and its times are set back',
    true,
    (file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, 'one\nTWO\nthree\n', { flag: 'r+' });
      utimesSync(file, atime, mtime);
    },
  ],
  [
    'is replaced by another',
    true,
    (file) => {
      writeFileSync(`${file}.new`, 'one\nTWO\nthree\n');
      renameSync(`${file}.new`, file);
    },
  ],
  ['is removed', true, (file) => rmSync(file)],
  [
    'is another, since the link leads elsewhere',
    true,
    (file, link) => {
      writeFileSync(`${file}.other`, 'other\n');
      unlinkSync(link);
      symlinkSync(`${file}.other`, link);
    },
  ],
  [
    'becomes a directory',
    true,
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  ['stays as it is', false, () => undefined],
  ['is touched', false, (file) => utimesSync(file, new Date(0), new Date(0))],
  ['has another mode', false, (file) => chmodSync(file, 0o644)],
  ['is written anew with the same', false, (file) => writeFileSync(file, readFileSync(file))],
  [
    'is replaced by the same',
    false,
    (file) => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
];

test.each(EVENTS)(
  'a file that %s meanwhile: changed %j; what was read stays',
  async (_, hasChanged, happens) => {
    const directory = temporaryDirectory();
    const file = path.join(directory, 'lines');
    const link = path.join(directory, 'link');
    writeFileSync(file, TEXT);
    symlinkSync(file, link);
    const replay = await open(link);
    expect(replay.hasChanged()).toBe(false);
    happens(file, link);
    expect(replay.hasChanged()).toBe(hasChanged);
    expect(await linesOf(replay)).toEqual(['one', 'two', 'three']);
    replay.close();
  },
);

test('a file that changes while it is read has changed', async () => {
  const file = path.join(temporaryDirectory(), 'lines');
  writeFileSync(file, TEXT);
  const opening = open(file);
  appendFileSync(file, 'four\n');
  const replay = await opening;
  // What was there when it was read is what is used; it is the same as what is there, or it is not.
  expect(replay.hasChanged()).toBe((await linesOf(replay)).length === 3);
  replay.close();
});

test('of a text without an end no more is kept than tells that it is too long', async () => {
  await expect(linesOf(await open('/dev/zero'))).rejects.toMatchObject({ code: 'line-too-long' });
});

test('nothing is kept where there is no room, and it is said', async () => {
  const file = path.join(temporaryDirectory(), 'lines');
  writeFileSync(file, TEXT);
  vi.stubEnv('TMPDIR', `${file}/missing`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await failureOf(() => open(file))).toMatchObject({
    kind: 'usage',
    code: 'input-not-kept',
  });
});
