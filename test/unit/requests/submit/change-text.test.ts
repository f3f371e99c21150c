import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { changeText } from '../../../../src/requests/submit/change-text.ts';

test.each<[JsonObject, JsonObject, string]>([
  [{ card: { expiry_date: '11/2029' } }, { id: 'C-1' }, 'expiry date 11/2029'],
  [{ first_name: 'Ada' }, { first_name: 'Ada' }, 'first name Ada'],
  [{ email: 'ADA@example.com' }, { email: 'ada@example.com' }, 'email ADA@example.com'],
  [{ amount: 1000 }, { amount: 1000, currency: 'AUD' }, 'amount 10.00 AUD'],
  [{ is_active: false }, { is_active: false }, 'active false'],
  [{ address: { city: 'Perth' } }, { address: { city: 'Perth' } }, 'city Perth'],
])('%j is said as a change', (body, record, text) => {
  expect(changeText(body, record)).toBe(text);
});

test('a field that the answer shows otherwise is not said to have changed', () => {
  const body = { reference: 'NEW', address: { city: 'Perth' } };
  expect(changeText(body, { reference: 'OLD', address: { city: null } })).toBe('');
});

test('no CVV is shown, and no whole card number', () => {
  const card = { card_number: '4111111111111111', expiry_date: '10/2031', cvv: '123' };
  const text = changeText({ card }, {});
  expect(text).toBe('card number 411111XXXXXX1111, expiry date 10/2031');
});
