import { expect, test } from 'vitest';
import { accountOf } from '../../../src/profiles/account.ts';

test('an account has one fingerprint, which stays the same for good', () => {
  // Journals hold it: another one would make every request of before unknown.
  expect(accountOf('sandbox', 'shop')).toBe('f01855ad3a0826afc2118091b3e85d1f');
});

test('another environment or username is another account', () => {
  const accounts = [
    accountOf('sandbox', 'shop'),
    accountOf('live', 'shop'),
    accountOf('local', 'shop'),
    accountOf('live', 'Shop'),
    accountOf('live', 'shop '),
  ];
  expect(new Set(accounts).size).toBe(accounts.length);
});
