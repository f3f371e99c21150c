/** What is left out where a system is not of the POSIX kind. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NEEDS_POSIX, unportableTests } from '../helpers/portable.ts';

test('what is left out is there', () => {
  const places = Object.values(NEEDS_POSIX).flat();
  expect(places.filter((place) => !existsSync(`test/unit/${place}`))).toEqual([]);
});

test('Windows leaves tests out and says why', () => {
  const lines: string[] = [];
  const patterns = unportableTests('win32', (line) => lines.push(line));
  expect(patterns).toContain('test/unit/host/**');
  expect(patterns).toContain('test/unit/emulator/kill.test.ts');
  expect(lines).toHaveLength(Object.keys(NEEDS_POSIX).length);
  expect(lines[0]).toMatch(/^skipped, because this system lacks permissions, .*: .*\bhost\n$/);
});

test.each(['linux', 'darwin'] as const)('%s leaves none out', (platform) => {
  expect(unportableTests(platform, (line) => expect.unreachable(line))).toEqual([]);
});
