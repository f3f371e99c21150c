/** A run of the tests says which parts a machine lacks. */
import { afterEach, expect, test, vi } from 'vitest';
import { haveLibsecret, havePrograms, missedParts } from '../helpers/skip.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

afterEach(() => vi.unstubAllEnvs());

test('a machine without libsecret is recognised', () => {
  const noted: string[] = [];
  const note = (part: string) => void noted.push(part);
  expect(haveLibsecret(() => ({}), note)).toBe(true);
  expect(noted).toEqual([]);
  const fails = () => {
    throw new Error('libsecret-1.so.0: cannot open shared object file');
  };
  expect(haveLibsecret(fails, note)).toBe(false);
  expect(noted).toEqual(['libsecret-1-0']);
});

test('a run reports once what was skipped and how often', () => {
  const root = temporaryDirectory();
  vi.stubEnv('GW_TEST_ROOT', root);
  expect(havePrograms('node')).toBe(true);
  expect(missedParts(root)).toBeUndefined();
  expect(havePrograms('no-such-b', 'node', 'no-such-a')).toBe(false);
  expect(havePrograms('no-such-b')).toBe(false);
  expect(missedParts(root)).toMatch(/^Skipped, .*:\nno-such-a \(1\), no-such-b \(2\)\n$/);
});
