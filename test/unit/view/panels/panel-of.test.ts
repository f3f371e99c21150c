/** What a card says of one record. */
import { expect, test } from 'vitest';
import { panelAlone } from '../../../../src/view/panels/panel-of.ts';

const SALE = {
  id: '071-P-1',
  amount: 2500,
  currency: 'AUD',
  successful: true,
  message: 'Approved',
};
const headOf = (change: object) => panelAlone('purchase', { ...SALE, ...change }, new Date(0)).head;

test('a card says how much of a purchase was captured', () => {
  expect(headOf({})).toBe('Approved  25.00 AUD');
  expect(headOf({ captured: true, captured_amount: 2500 })).toBe('Approved  25.00 AUD');
  expect(headOf({ captured: true, captured_amount: 1000 })).toBe(
    'Approved  10.00 AUD of 25.00 AUD',
  );
  expect(headOf({ captured: false, captured_amount: 0 })).toBe('Authorised  25.00 AUD');
  expect(headOf({ captured_amount: 0, message: 'Voided' })).toBe('VOIDED  25.00 AUD');
});
