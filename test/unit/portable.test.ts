/** The tests that are left out without POSIX. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NEEDS_POSIX, unportableParts, unportableTests } from '../helpers/portable.ts';

test('the left out tests exist', () => {
  const places = Object.values(NEEDS_POSIX).flat();
  expect(places.filter((place) => !existsSync(`test/unit/${place}`))).toEqual([]);
});

test('Windows leaves tests out with reasons', () => {
  const patterns = unportableTests('win32');
  expect(patterns).toContain('test/unit/host/**');
  expect(patterns).toContain('test/unit/emulator/kill.test.ts');
  const parts = unportableParts('win32');
  expect(new Set(parts)).toEqual(new Set(Object.keys(NEEDS_POSIX)));
  expect(parts).toHaveLength(patterns.length);
});

test.each(['linux', 'darwin'] as const)('%s leaves none out', (platform) => {
  expect(unportableTests(platform)).toEqual([]);
  expect(unportableParts(platform)).toEqual([]);
});
