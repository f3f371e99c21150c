import { expect, test } from 'vitest';
import { haveLibsecret } from '../helpers/skip.ts';

test('a machine without libsecret is told from one that has it', () => {
  expect(haveLibsecret(() => ({}))).toBe(true);
  const fails = () => {
    throw new Error('libsecret-1.so.0: cannot open shared object file');
  };
  expect(haveLibsecret(fails)).toBe(false);
});
