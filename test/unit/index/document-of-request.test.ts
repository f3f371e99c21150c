/** What a request is tied to: its row says what it made, and nobody knows it of one that is no row. */
import { expect, test } from 'vitest';
import { documentOfRequest } from '../../../src/index/document-of-request.ts';
import { REFUND } from '../../helpers/money-request.ts';

const ENTRY = {
  ...{ ...REFUND, id: 'e1', createdAt: '2026-03-10T09:30:00.000Z', settledAt: null },
  ...{ state: 'done' as const, recordId: 'X-1', message: null, operator: null, refundOf: null },
};

test.each([
  ['purchase create', { purchase: 'X-1' }],
  ['customer create', { customer: 'X-1' }],
  ['subscription create', { subscription: 'X-1', customer: '071-C-1', plan: 'GOLD' }],
  ['tokenize', {}],
  ['api POST /v1.0/purchases/X-1/capture', {}],
  ['voucher create', {}],
])('%s is tied to what it made', (operation, ties) => {
  const body = { customer: '071-C-1', plan: 'GOLD' };
  const none = { purchase: null, customer: null, subscription: null, plan: null };
  const document = documentOfRequest({ ...ENTRY, operation, body });
  expect(document).toMatchObject({ ...none, ...ties });
  expect(document.keys).toContain('X-1');
});

test('a refund is tied to its purchase', () => {
  expect(documentOfRequest({ ...ENTRY, refundOf: 'P-1' }).purchase).toBe('P-1');
});
