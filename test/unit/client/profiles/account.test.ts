import { expect, test } from 'vitest';
import { accountOf } from '../../../../src/client/profiles/account.ts';

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

test('a gateway of this machine is told by its port, whatever it is called', () => {
  const at = (url: string) => accountOf('sandbox', 'shop', new URL(url));
  const fingerprint = accountOf('sandbox', 'shop');
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.0.0.2', '2130706433'])
    expect(at(`http://${host}:4010`)).toBe(`${fingerprint}:4010`);
  expect(at('http://127.0.0.1:4011')).toBe(`${fingerprint}:4011`);
  expect(at('http://localhost')).toBe(`${fingerprint}:80`);
  expect(at('https://localhost')).toBe(`${fingerprint}:443`);
});

test('any other has many names, and the embedded one in this process none', () => {
  const fingerprint = accountOf('live', 'shop');
  for (const url of ['https://gateway.example', 'https://gateway.example:8443', 'https://10.0.0.1'])
    expect(accountOf('live', 'shop', new URL(url))).toBe(fingerprint);
  const local = accountOf('local', 'TEST', new URL('http://127.0.0.1:4010'));
  expect(local).toBe(accountOf('local', 'TEST'));
});
