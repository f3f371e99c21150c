import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

test.each([0o770, 0o707, 0o777, 0o722, 0o755])(
  'the compile cache is started over where others could get at it (mode %o): what is in it is run',
  (mode) => {
    const home = temporaryDirectory();
    const directory = path.join(home, '.cache/gw/compiled');
    mkdirSync(path.join(directory, 'planted'), { recursive: true });
    chmodSync(directory, mode);
    expect(chosen({ HOME: home })).toBe(directory);
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  },
);

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
