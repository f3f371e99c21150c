import { expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { checkKeychain } from '../../../../src/setup/doctor/keychain.ts';

const answers = { name: 'the Secret Service', peek: async () => undefined };
const absent = {
  name: 'the Secret Service',
  peek: async () => {
    throw new Failure('auth', 'There is no keychain.', { code: 'x', next: 'Start one.' });
  },
};

test('a keychain that answers is named', async () => {
  expect(await checkKeychain(answers, [])).toEqual({
    state: 'ok',
    message: 'the Secret Service answers',
  });
});

test('a keychain that no profile needs may be absent', async () => {
  expect(await checkKeychain(absent, [])).toEqual({
    state: 'ok',
    message: 'no profile needs one (There is no keychain)',
  });
});

test('a keychain that a profile needs is a warning, with the profile', async () => {
  expect(await checkKeychain(absent, ['live', 'shop'])).toEqual({
    state: 'warning',
    message: 'There is no keychain. Needed by live, shop.',
    next: 'Start one.',
  });
});

test('the keychain is asked for what some profile has in it', async () => {
  const asked: string[] = [];
  await checkKeychain({ ...answers, peek: async (name) => void asked.push(name) }, ['shop']);
  expect(asked).toEqual(['shop']);
});
