import { expect, test } from 'vitest';
import {
  checkName,
  checkOwnName,
  faultOfOwnName,
  promisedEnvironment,
} from '../../../../src/client/profiles/profile.ts';

test.each(['sandbox', 'shop-2', 'a.b_c', '1'])('%s can be the name of a profile', (name) => {
  expect(() => checkOwnName(name)).not.toThrow();
  expect(faultOfOwnName(name)).toBeUndefined();
});

test.each(['', 'Shop', '-a', 'a b', 'a'.repeat(65), '../x'])(
  '%j cannot be the name of a profile',
  (name) => {
    expect(() => checkName(name)).toThrow('That is not a valid profile name.');
    expect(faultOfOwnName(name)).toBe('is not a valid profile name');
  },
);

test.each(['local', 'environment'])('%s is a name that gw reserves', (name) => {
  expect(() => checkOwnName(name)).toThrow();
  expect(faultOfOwnName(name)).toBe('is a name that gw reserves');
});

test('only the names live and sandbox imply an environment', () => {
  expect(['live', 'sandbox', 'shop', 'constructor'].map(promisedEnvironment)).toEqual([
    'live',
    'sandbox',
    undefined,
    undefined,
  ]);
});
