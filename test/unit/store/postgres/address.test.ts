import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  faultOfLedgerAddress,
  isOnThisMachine,
  labelOfAddress,
  parseLedgerAddress,
} from '../../../../src/store/postgres/address.ts';

const parsed = (text: string) => parseLedgerAddress(text, 'The address');

test.each([
  ['postgres://ledger.example/gw', 'ledger.example/gw', true],
  ['postgresql://ada@ledger.example:6432/gw', 'ada@ledger.example:6432/gw', true],
  ['postgres://localhost/gw', 'localhost/gw', false],
  ['postgres://[::1]:5433/gw', '[::1]:5433/gw', false],
  ['postgres:///gw', '127.0.0.1/gw', false],
  ['postgres:///gw?host=/run/postgresql', '/run/postgresql/gw', false],
  ['postgres://%2Frun%2Fpostgresql/gw', '/run/postgresql/gw', false],
  ['postgres://localhost/gw?sslmode=verify-full', 'localhost/gw', true],
  ['postgres://ada%40desk@localhost/my%20books', 'ada@desk@localhost/my books', false],
])('the address %j is accepted', (text, label, isVerified) => {
  const address = parsed(text);
  expect(labelOfAddress(address)).toBe(label);
  expect(address.isVerified).toBe(isVerified);
});

test.each([
  ['postgres://ada:secret@ledger.example/gw', 'password'],
  ['postgres://ledger.example/gw?password=secret', 'password'],
  ['postgres://ledger.example/gw?sslmode=require', 'verify-full'],
  ['postgres://ledger.example/gw?sslmode=disable', 'verify-full'],
  ['postgres://localhost/gw?sslmode=prefer', 'sslmode'],
  ['postgres://ledger.example', 'database'],
  ['postgres://one.example,two.example:5433/gw', 'several servers'],
  ['postgres:///gw?host=/run/one,/run/two', 'several servers'],
  ['postgres://ledger.example/gw?port=5432,5433', 'several servers'],
  ['postgres://one.example%2Ctwo.example/gw', 'several servers'],
  ['postgres://one.example:1,two.example:2/gw', 'several servers'],
  ['postgres://ada:secret@one.example:1,two.example:2/gw', 'several servers'],
  ['postgres://ledger.example/gw?target_session_attrs=read-write', 'parameter'],
  ['postgres://ledger.example:0/gw', 'port'],
  ['postgres://ada:secret@[ledger/gw', 'not an address'],
  ['postgres://ledger.example:99999/gw', 'port'],
  ['postgres://ledger.example/gw?options=-c%20search_path=x', 'parameter'],
  ['postgres://ledger.example/gw#x', 'fragment'],
  ['mysql://ledger.example/gw', 'postgres://'],
  ['', 'postgres://'],
  ['postgres://ledger.example/g w', 'space'],
])('the address %j is refused, and the message does not repeat it', (text, reason) => {
  const fault = faultOfLedgerAddress(text);
  expect(fault).toContain(reason);
  expect(fault).not.toContain('secret');
  expect(() => parsed(text)).toThrow(expect.objectContaining({ kind: 'usage' }));
});

test('any text is an address or has a fault', () => {
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (text, isAlike) => {
      const whole = isAlike ? `postgres://${text}` : text;
      if (faultOfLedgerAddress(whole) !== undefined) return;
      expect(parsed(whole).host).not.toBe('');
    }),
  );
});

test('a directory and a loopback address are on this machine', () => {
  expect(isOnThisMachine('/run/postgresql')).toBe(true);
  expect(isOnThisMachine('127.0.0.1')).toBe(true);
  expect(isOnThisMachine('ledger.example')).toBe(false);
});
