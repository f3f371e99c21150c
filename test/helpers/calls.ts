/** One call of each effect, and what a gateway answers to it. */
import type { CallInput } from '../../src/client/exchange/wire-request.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { customerDelete } from '../../src/contract/resources/customer.ts';
import { planCreate } from '../../src/contract/resources/plan.ts';
import { purchaseCreate, purchaseGet } from '../../src/contract/resources/purchase.ts';

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

/** The answers of a gateway, one for each call. */
export const ANSWERS: Readonly<Record<EffectName, string>> = {
  read: ENVELOPE,
  write: ENVELOPE.replace('071-P-1', '071-PL-1'),
  money: ENVELOPE,
  destroy: ENVELOPE.replace('071-P-1', '071-C-1'),
};

export const REFUSAL = JSON.stringify({
  successful: false,
  response: null,
  errors: ['No'],
  test: true,
});
