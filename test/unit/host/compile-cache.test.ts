import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
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

test('the compile cache is in a private directory of the user', () => {
  const home = temporaryDirectory();
  const directory = path.join(home, '.cache/gw/compiled');
  expect(chosen({ HOME: home })).toBe(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const cache = path.join(home, 'elsewhere');
  expect(chosen({ HOME: home, XDG_CACHE_HOME: cache })).toBe(path.join(cache, 'gw/compiled'));
});

test('the compile cache is not used in a directory that others may enter', () => {
  const home = temporaryDirectory();
  const directory = path.join(home, '.cache/gw/compiled');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o770);
  expect(chosen({ HOME: home })).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)(
  'the compile cache is not used in a folder of another user',
  () => {
    const home = temporaryDirectory();
    const directory = path.join(home, '.cache/gw/compiled');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    chownSync(directory, 65_534, 65_534);
    expect(chosen({ HOME: home })).toBeUndefined();
  },
);

test('the compile cache is not used if it has no place', () => {
  const home = temporaryDirectory();
  writeFileSync(path.join(home, '.cache'), '');
  expect(chosen({ HOME: home })).toBeUndefined();
  expect(chosen({ HOME: 'relative' })).toBeUndefined();
});
