/** Appending to a file that another process may take away at any moment. */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFiles } from '../../../src/host/files/files.ts';
import { bundle } from '../../helpers/bundle.ts';
import { failureOf } from '../../helpers/failure.ts';
import { run, start } from '../../helpers/run.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

test('append creates a private file in a private directory, and take removes it', () => {
  const home = temporaryDirectory();
  const files = createFiles({ HOME: home });
  const file = path.join(files.stateDirectory, 'seen.jsonl');
  expect(files.size(file)).toBe(0);
  expect(files.take(file)).toBeUndefined();
  expect(files.append(file, 'ü\n')).toBe(3);
  expect(files.append(file, 'b\n')).toBe(5);
  expect(files.size(file)).toBe(5);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(files.stateDirectory).mode & 0o777).toBe(0o700);
  expect(files.take(file)).toBe('ü\nb\n');
  expect(readdirSync(files.stateDirectory)).toEqual([]);
});

test('take first returns what a killed process had taken', () => {
  const files = createFiles({});
  const file = path.join(temporaryDirectory(), 'seen.jsonl');
  files.append(file, 'old\n');
  renameSync(file, `${file}.taken`);
  files.append(file, 'new\n');
  expect(files.take(file)).toBe('old\n');
  expect(files.take(file)).toBe('new\n');
  expect(files.take(file)).toBeUndefined();
});

test('append and take say where they cannot write', async () => {
  const files = createFiles({});
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'file'), '');
  mkdirSync(path.join(directory, 'taken.jsonl.taken'));
  for (const act of [
    () => files.append(directory, 'x'),
    () => files.append(path.join(directory, 'file', 'below'), 'x'),
    () => files.take(path.join(directory, 'taken.jsonl')),
  ]) {
    expect(await failureOf(act)).toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('could not be written'),
    });
  }
});

test('append and take lose nothing when four processes append and one takes', async () => {
  const program = await bundle('test/unit/host/append-program.ts');
  const file = path.join(temporaryDirectory(), 'seen.jsonl');
  const taker = start(process.execPath, [program, 'take', file]);
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => run(process.execPath, [program, 'append', file, name])));
  taker.child.stdin!.end();
  const { stdout } = await taker.ended;
  const left = statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : '';
  const found = new Set(`${stdout}${left}`.trimEnd().split('\n'));
  const sent = names.flatMap((name) => Array.from({ length: 400 }, (_, i) => `${name}-${i}`));
  expect([...found].sort()).toEqual(sent.sort());
});
