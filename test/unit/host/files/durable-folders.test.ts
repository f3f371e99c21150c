/** Folders that gw makes. What of them survives a power failure is in test/system/power-failure.test.ts. */
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders, syncFolder } from '../../../../src/host/files/durable-folders.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

test('missing folders are made private, and the others stay as they are', () => {
  const home = temporaryDirectory();
  chmodSync(home, 0o755);
  makeFolders(path.join(home, 'a', 'b', '..', 'b', 'c'));
  makeFolders(path.join(home, 'a', 'b', 'c'));
  makeFolders(path.join(home, 'a', 'd'));
  const modes = ['.', 'a', 'a/b', 'a/b/c', 'a/d'].map(
    (name) => statSync(path.join(home, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o755, 0o700, 0o700, 0o700, 0o700]);
});

test('a folder of this directory is made by its name alone', () => {
  const home = temporaryDirectory();
  const relative = path.relative(process.cwd(), path.join(home, 'a', 'b'));
  makeFolders(relative);
  expect(existsSync(path.join(home, 'a', 'b'))).toBe(true);
});

test('a file in the way is an error of the system', () => {
  const file = path.join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  expect(() => makeFolders(file)).toThrow('EEXIST');
  expect(() => makeFolders(path.join(file, 'a'))).toThrow('ENOTDIR');
  expect(() => syncFolder(path.join(file, 'a'))).toThrow('ENOTDIR');
});
