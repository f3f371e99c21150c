/** Requests as users write them, around one thing that a case is about. */
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import type { ClientRequest } from './client.ts';

export const CARD = {
  card_holder: 'Ann Example',
  card_number: TEST_CARDS.approved.card_number,
  card_expiry: '05/2031',
  cvv: '987',
};

const post = (resource: string, body: unknown): ClientRequest => ({
  method: 'POST',
  path: `/v1.0/${resource}`,
  body,
});

/** @param changes fields to send instead, or besides; undefined leaves one out */
export const purchase = (changes: object = {}): ClientRequest =>
  post('purchases', {
    ...CARD,
    amount: 1000,
    reference: '{new}',
    customer_ip: '127.0.0.1',
    currency: 'AUD',
    ...changes,
  });

/** A purchase with the token of a stored card. */
export const tokenPurchase = (changes: object = {}): ClientRequest =>
  post('purchases', { card_token: '{token}', amount: 1000, reference: '{new}', ...changes });

export const refund = (changes: object = {}): ClientRequest =>
  post('refunds', { transaction_id: '{purchase}', amount: 100, reference: '{new}', ...changes });

export const tokenize = (changes: object = {}): ClientRequest =>
  post('credit_cards', { ...CARD, ...changes });

export const plan = (changes: object = {}): ClientRequest =>
  post('plans', {
    ...{ name: 'Silver', reference: '{new}', description: 'Half of it', amount: 1250 },
    ...changes,
  });

interface CustomerChanges {
  card?: object | undefined;
  address?: unknown;
  [field: string]: unknown;
}

export function customer({ card, ...changes }: CustomerChanges = {}): ClientRequest {
  const { card_expiry: expiry_date, ...rest } = CARD;
  return post('customers', {
    ...{ first_name: 'Ann', last_name: 'Example', reference: '{new}', email: 'ann@example.com' },
    card: { ...rest, expiry_date, ...card },
    ...changes,
  });
}

export const subscription = (changes: object = {}): ClientRequest =>
  post('subscriptions', {
    ...{ customer: '{customer}', plan: '{plan}', frequency: 'Weekly', reference: '{new}' },
    ...{ start_date: '2026-04-01', is_active: true },
    ...changes,
  });

export const get = (path: string): ClientRequest => ({ method: 'GET', path: `/v1.0/${path}` });

export const put = (path: string, body: unknown): ClientRequest => ({
  ...{ method: 'PUT', path: `/v1.0/${path}`, body },
});
