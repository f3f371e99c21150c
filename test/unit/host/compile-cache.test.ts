import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useCompileCache } from '../../../src/host/compile-cache.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

/** @returns the directory that Node would be told to use */
function chosen(env: Record<string, string>): string | undefined {
  let directory: string | undefined;
  useCompileCache(env, 'linux', (given) => {
    directory = given;
  });
  return directory;
}

test('the compile cache is in a directory of the user that nobody else may enter', () => {
  const home = temporaryDirectory();
  const directory = path.join(home, '.cache/gw/compiled');
  expect(chosen({ HOME: home })).toBe(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const cache = path.join(home, 'elsewhere');
  expect(chosen({ HOME: home, XDG_CACHE_HOME: cache })).toBe(path.join(cache, 'gw/compiled'));
});

test('the compile cache is not where others may write: what is in it is run', () => {
  const home = temporaryDirectory();
  const directory = path.join(home, '.cache/gw/compiled');
  mkdirSync(directory, { recursive: true });
  for (const mode of [0o770, 0o707, 0o777, 0o722]) {
    chmodSync(directory, mode);
    expect(chosen({ HOME: home })).toBeUndefined();
  }
  chmodSync(directory, 0o755);
  expect(chosen({ HOME: home })).toBe(directory);
});

test('the compile cache is not in a directory of somebody else', () => {
  const home = temporaryDirectory();
  const user = vi.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1);
  onTestFinished(() => user.mockRestore());
  expect(chosen({ HOME: home })).toBeUndefined();
});

test('the compile cache is not behind a link that somebody may have put there', () => {
  const home = temporaryDirectory();
  mkdirSync(path.join(home, '.cache/gw'), { recursive: true });
  symlinkSync(temporaryDirectory(), path.join(home, '.cache/gw/compiled'));
  expect(chosen({ HOME: home })).toBeUndefined();
});

test('the compile cache is not there when there is no place for it', () => {
  const home = temporaryDirectory();
  writeFileSync(path.join(home, '.cache'), '');
  expect(chosen({ HOME: home })).toBeUndefined();
  expect(chosen({ HOME: 'relative' })).toBeUndefined();
});
