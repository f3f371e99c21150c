/** One call of each effect, and what a gateway answers to it. */
import type { CallInput } from '../../src/client/client.ts';
import {
  customerDelete,
  type Operation,
  planCreate,
  purchaseCreate,
  purchaseGet,
} from '../../src/contract/operations.ts';

export type EffectName = Operation['effect'];

export const CALLS: Readonly<Record<EffectName, [Operation, CallInput]>> = {
  read: [purchaseGet, { id: '071-P-1' }],
  write: [
    planCreate,
    { body: { name: 'Gold', reference: 'GOLD', description: 'All of it', amount: 2500 } },
  ],
  money: [purchaseCreate, { body: { amount: 2500, card_token: 'tok_1', reference: 'INV-1' } }],
  destroy: [customerDelete, { id: '071-C-1' }],
};

export const ENVELOPE = JSON.stringify({
  successful: true,
  response: { id: '071-P-1', successful: true, message: 'Approved' },
  errors: [],
  test: true,
});

export const REFUSAL = JSON.stringify({
  successful: false,
  response: null,
  errors: ['No'],
  test: true,
});
