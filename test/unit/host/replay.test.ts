import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Replay } from '../../../src/host/host.ts';
import { openReplay } from '../../../src/host/replay.ts';
import { failureOf } from '../../helpers/failure.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const quiet = new AbortController().signal;
const MAX_LINE_BYTES = 100;

async function linesOf(replay: Replay): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of replay.lines(MAX_LINE_BYTES)) lines.push(line);
  return lines;
}

const stdin = () => new PassThrough() as unknown as NodeJS.ReadStream;

test('a file is read again from its beginning', async () => {
  const file = path.join(temporaryDirectory(), 'lines');
  // Long enough for lines to lie across chunks.
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} é`);
  writeFileSync(file, `\uFEFF${lines.join('\r\n')}\n`);
  const replay = await openReplay(file, stdin(), quiet);
  expect(await linesOf(replay)).toEqual(lines);
  expect(await linesOf(replay)).toEqual(lines);
  replay.close();
});

test('openReplay says what is not there, and what is no file', async () => {
  const directory = temporaryDirectory();
  expect((await failureOf(() => openReplay(directory, stdin(), quiet))).message).toContain(
    'directory',
  );
  const missing = path.join(directory, 'missing');
  expect((await failureOf(() => openReplay(missing, stdin(), quiet))).kind).toBe('usage');
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
  const [replay] = await Promise.all([openReplay(input, stdin(), quiet), writeFile(input, text)]);
  expect(readdirSync(place)).toEqual([]);
  expect(await linesOf(replay)).toHaveLength(3_000);
  expect((await linesOf(replay))[2_999]).toBe('x'.repeat(90));
  replay.close();
});
