/** A refund as the ledger is told of it. */
import type { MoneyRequest } from '../../src/journal/ledger.ts';

export const AT = {
  account: 'a1',
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
};

export const REFUND: MoneyRequest = {
  ...AT,
  operation: 'refund create',
  target: 'P-1',
  refundOf: 'P-1',
  amount: 100,
  currency: null,
  reference: 'R-1',
  body: { transaction_id: 'P-1', amount: 100, reference: 'R-1' },
  note: null,
};
