/** The issuer's answers to the test cards whose name says the reason. */
import { expect, test } from 'vitest';
import { authorize } from '../../../../src/emulator/rules/acquirer.ts';

test.each([
  ['approve', 'Approved', '00'],
  ['decline', 'Declined', '05'],
  ['insufficient-funds', 'Insufficient Funds', '51'],
  ['expired-card', 'Expired Card', '54'],
] as const)('a card that behaves %s, whatever the amount', (behaviour, message, response_code) => {
  for (const amount of [100, 4951, 1])
    expect(authorize({ behaviour, expiry: '2031-05' }, amount, '2026-03-01')).toEqual({
      successful: behaviour === 'approve',
      message,
      response_code,
    });
});

test('a card after its last month is expired, whatever it does otherwise', () => {
  expect(authorize({ behaviour: 'approve', expiry: '2026-02' }, 100, '2026-03-01')).toMatchObject({
    successful: false,
    response_code: '54',
  });
});
