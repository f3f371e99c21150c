/** A history collects everything that belongs to a record, and nothing of others. */
import { expect, test } from 'vitest';
import { collectRelated, type Roots } from '../../../../src/desk/history/collect.ts';
import { knownOf, OWNER, thing } from '../known-things.ts';

const THINGS = [
  thing({ kind: 'plan', id: 'PL1' }),
  thing({ kind: 'customer', id: 'C1', reference: 'ada', token: 'tok1' }),
  thing({ kind: 'subscription', id: 'S1', reference: 'SUB-1', customer: 'C1', plan: 'PL1' }),
  thing({ kind: 'purchase', id: 'P1', reference: 'SUB-1', label: 'Recurring', token: 'tok1' }),
  thing({ kind: 'purchase', id: 'P2', reference: 'INV-2', token: 'tok1' }),
  thing({ kind: 'refund', id: 'R2', purchase: 'P2' }),
  thing({ kind: 'request', id: 'E2', reference: 'RET-2', purchase: 'P2' }),
  thing({ kind: 'request', id: 'E3', reference: 'INV-3', keys: ['tok1'] }),
  thing({ kind: 'purchase', id: 'P3', events: [7], subscription: 'SUB-1', customer: 'C1' }),
  thing({ kind: 'refund', id: 'R3', purchase: 'P3' }),
  thing({ kind: 'purchase', id: 'P4', reference: 'INV-4', token: 'tok4' }),
  thing({ kind: 'purchase', id: 'P5', reference: 'SUB-1', account: 'a2', token: 'tok1' }),
];

async function of(roots: Roots) {
  const known = knownOf(THINGS);
  const { things } = await collectRelated(known, roots, OWNER);
  return things.map(({ id }) => id).toSorted();
}

test.each<[string, Roots, string]>([
  ['a customer', { customer: ['C1'] }, 'C1 E2 E3 P1 P2 P3 R2 R3 S1'],
  ['a plan', { plan: ['PL1'] }, 'P1 P3 PL1 R3 S1'],
  ['a subscription', { subscription: ['SUB-1', 'S1'] }, 'P1 P3 R3 S1'],
  ['a card', { card: ['tok1'] }, 'E2 E3 P1 P2 R2'],
  ['a purchase', { purchase: ['P2'] }, 'E2 P2 R2'],
  ['a purchase of another card', { purchase: ['P4'] }, 'P4'],
  ['a refund', { refund: ['R2'] }, 'R2'],
  ['a request', { request: ['E3'] }, 'E3'],
  ['a payment with its attempts', { purchase: ['P4'], attempt: ['INV-3'] }, 'E3 P4'],
])('%s has what it is tied to', async (_, roots, expected) => {
  // P3 is known from an event alone.
  expect(await of(roots)).toEqual(expected.split(' '));
});
