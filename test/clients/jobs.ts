/** Whole jobs, as clients do them: each step goes on with what the one before was answered. */
import {
  customer,
  get,
  plan,
  purchase,
  put,
  refund,
  subscription,
  tokenize,
  tokenPurchase,
} from './bodies.ts';
import type { Case } from './case.ts';
import { TODAY } from './gateways.ts';
import { RECORDED } from './recorded.ts';

/** A day as clients write it, whatever time they add. */
const formsOf = (day: string): string[] => {
  const [year, month = '', date = ''] = day.split('-');
  const slashed = `${year}/${month}/${date}`;
  const times = [
    ...['T00:00:00', 'T23:59:59Z', 'T09:30', 'T12:00:00.123Z', 'T03:25:53.1234567%2B11:00'],
    ...['T00:00:00-05:00', '%2000:00:00', '+00:00:00', '+23:59:59+%2B1100', '+23:59:59+UTC'],
    // A plus that nobody encoded arrives as a space.
    ...['T00:00:00+10:00', '+00:00:00++1000'],
  ];
  return [
    ...[day, slashed, encodeURIComponent(slashed), `${year}/${Number(month)}/${Number(date)}`],
    ...times.flatMap((time) => [day + time, slashed + time]),
  ];
};

const [BEFORE, AFTER] = ['2026-03-09', '2026-03-11'];

/** Queries with and without a purchase of today in their lists. */
const LISTED = [
  ...formsOf(TODAY).flatMap((day) => [`from=${day}`, `to=${day}`, `from=${day}&to=${day}`]),
  ...formsOf(BEFORE).map((day) => `from=${day}&limit=10&offset=0&test=true`),
  ...formsOf(AFTER).map((day) => `to=${day}`),
  ...['from=', 'to=', 'from=&to=', 'from=%20', 'limit=&offset=&from=&to=', 'limit=1&offset=1'],
  ...['from=0001-01-01', 'to=9999-12-31', 'From=2099-01-01'],
];
const NOT_LISTED = [
  ...formsOf(AFTER).flatMap((day) => [`from=${day}`, `from=${day}&to=${day}`]),
  ...formsOf(BEFORE).flatMap((day) => [`to=${day}`, `from=${TODAY}&to=${day}`]),
  ...[`from=${AFTER}&to=${BEFORE}`, 'offset=2', `to=${TODAY}&offset=2&limit=1`],
];

/** Queries that are refused, with what is said of each. */
const UNLISTED: readonly (readonly string[])[] = [
  ...[
    'soon',
    '2026-02-30',
    '2026/13/01',
    '10/03/2026',
    '2026',
    '2026-03',
    '1773100800',
    '0',
  ].flatMap((day) => [
    [`from=${day}`, 'From is invalid'],
    [`to=${day}`, 'To is invalid'],
  ]),
  ['from=soon&to=later', 'From is invalid', 'To is invalid'],
  ['limit=ten&offset=-1&to=x', 'Limit is invalid', 'Offset is invalid', 'To is invalid'],
];

export const JOBS: readonly Case[] = [
  {
    title: 'a purchase that is looked up, given back in two parts, and looked up again',
    steps: [
      {
        request: purchase({ reference: '{new}' }),
        answer: { status: 200, response: { successful: true, message: 'Approved' } },
        keep: 'paid',
      },
      {
        request: get('purchases/{paid.id}'),
        answer: { status: 200, response: { id: '{paid.id}', card_token: '{paid.card_token}' } },
      },
      {
        request: refund({ transaction_id: '{paid.id}', amount: 400, reference: '{new}' }),
        answer: { status: 200, response: { successful: true, amount: -400, response_code: '00' } },
        keep: 'back',
      },
      {
        request: get('refunds/{back.id}.json'),
        answer: { status: 200, response: { id: '{back.id}', amount: -400, refunded: 'Approved' } },
      },
      {
        request: refund({ transaction_id: '{paid.id}', amount: 600, reference: '{new}' }),
        answer: { status: 200, response: { amount: -600 } },
      },
      {
        request: refund({ transaction_id: '{paid.id}', amount: 1, reference: '{new}' }),
        answer: { status: 400, errors: ['Amount is more than the 0 that can still be refunded'] },
      },
    ],
  },
  {
    title: 'two purchases with a reference, of which the first has it and the other is rejected',
    steps: [
      { request: purchase({ amount: 300 }), answer: { status: 200 }, keep: 'first' },
      {
        request: purchase({ amount: 500 }),
        answer: {
          status: 200,
          response: RECORDED['rejected purchase'],
          errors: ['Reference is already taken'],
        },
        strict: { status: 200, response: { successful: true, amount: 500 } },
        keep: 'last',
      },
      {
        request: get('purchases/{last.id}'),
        answer: { status: 200, response: { id: '{last.id}', amount: 500 } },
      },
      {
        request: get('purchases/{new}?null'),
        answer: { status: 200, response: { id: '{first.id}', amount: 300 } },
        strict: {
          status: 404,
          errors: [
            'Purchase not found',
            '{new} is a reference, and purchases are looked up by id here',
          ],
        },
      },
    ],
  },
  {
    title: 'a purchase that is only authorised, and cannot be refunded',
    steps: [
      {
        request: purchase({ capture: false }),
        answer: { status: 200, response: { successful: true, captured: false } },
        strict: { status: 400, errors: ['capture is no field of this request'] },
        keep: 'held',
      },
      {
        request: get('purchases/{held.id}'),
        answer: { status: 200, response: RECORDED['not captured'] },
      },
      {
        request: refund({ transaction_id: '{held.id}' }),
        answer: {
          status: 400,
          errors: ['Purchase {held.id} was only authorised and cannot be refunded'],
        },
      },
    ],
  },
  {
    title: 'a stored card that is looked up, changed and charged',
    steps: [
      { request: tokenize(), answer: { status: 200 }, keep: 'card' },
      {
        request: get('credit_cards/{card.token}.json'),
        answer: { status: 200, response: { token: '{card.token}', alias: null } },
        strict: { status: 404 },
      },
      {
        request: put('credit_cards/{card.token}', { card_expiry: '9/2035', alias: '{new}' }),
        answer: { status: 200, response: { card_expiry: '2035-09-30', alias: '{new}' } },
      },
      {
        request: put('credit_cards/{card.token}', { alias: '{token}' }),
        answer: { status: 400, errors: ['Alias has already been taken'] },
      },
      {
        request: tokenPurchase({ card_token: '{new}' }),
        answer: { status: 200, response: { card_expiry: '2035-09-30' } },
      },
      {
        request: get('credit_cards/nobody'),
        answer: { status: 404, errors: ['Record not found'] },
      },
    ],
  },
  {
    title: 'an alias that moves to the card that it is given to, when it is stored and later',
    steps: [
      { request: tokenize({ alias: '{new}' }), answer: { status: 200 }, keep: 'first' },
      {
        request: tokenize({ alias: '{new}', card_expiry: '09/2033' }),
        answer: { status: 200, response: { alias: '{new}' } },
        keep: 'second',
      },
      {
        request: tokenPurchase({ card_token: '{new}' }),
        answer: { status: 200, response: { card_token: '{second.token}' } },
      },
      {
        request: get('credit_cards/{first.token}'),
        answer: { status: 200, response: { token: '{first.token}', alias: null } },
        strict: { status: 404 },
      },
      {
        request: put('credit_cards/{first.token}', { alias: '{new}' }),
        answer: { status: 200, response: { token: '{first.token}', alias: '{new}' } },
      },
      {
        request: put('credit_cards/{new}', { alias: '{new}', card_expiry: '09/2034' }),
        answer: { status: 200, response: { token: '{first.token}', alias: '{new}' } },
      },
      {
        request: get('credit_cards/{second.token}'),
        answer: { status: 200, response: { alias: null, card_expiry: '2033-09-30' } },
      },
      {
        request: tokenPurchase({ card_token: '{second.token}', reference: '{new}-2' }),
        answer: { status: 200, response: { successful: true } },
      },
    ],
  },
  {
    title: 'a customer with a stored card',
    steps: [
      { request: tokenize(), answer: { status: 200 }, keep: 'card' },
      {
        request: {
          ...customer(),
          body: {
            ...{ first_name: 'Ann', last_name: 'Example', email: 'ann@example.com' },
            ...{ reference: '{new}', card_token: '{card.token}', metadata: { tier: 1 } },
          },
        },
        answer: {
          status: 201,
          response: { card_token: '{card.token}', metadata: { tier: 1 } },
        },
        strict: {
          status: 400,
          errors: [
            'card_token is no field of this request',
            'metadata is no field of this request',
            "Card can't be blank",
          ],
        },
        keep: 'who',
      },
      {
        request: get('customers/{who.id}'),
        answer: { status: 200, response: { metadata: { tier: 1 } } },
      },
    ],
  },
  {
    title: 'purchases that are listed by their reference',
    steps: [
      { request: purchase({ amount: 300 }), answer: { status: 200 }, keep: 'paid' },
      {
        request: get('purchases?reference={new}'),
        answer: { status: 200, response: [{ id: '{paid.id}', amount: 300 }] },
        strict: {
          status: 405,
          errors: [
            'Method GET is not allowed here',
            'Only the deployed dialect has GET /v1.0/purchases',
          ],
        },
      },
      {
        request: get('purchases.json?reference={new}&from=2026-03-11'),
        answer: { status: 200, response: [] },
      },
      {
        request: get('purchases?from=soon'),
        answer: { status: 400, errors: ['From is invalid'] },
      },
    ],
  },
  {
    title: 'purchases that are listed by days, in the forms of bodies',
    steps: [
      { request: purchase(), answer: { status: 200 }, keep: 'paid' },
      ...[...LISTED, ...NOT_LISTED].map((query, place) => ({
        request: get(`purchases?reference={new}&${query}`),
        answer: { status: 200, response: place < LISTED.length ? [{ id: '{paid.id}' }] : [] },
        strict: {
          status: 405,
          errors: [
            'Method GET is not allowed here',
            'Only the deployed dialect has GET /v1.0/purchases',
          ],
        },
      })),
      ...UNLISTED.map(([query, ...errors]) => ({
        request: get(`purchases?${query}`),
        answer: { status: 400, errors },
      })),
    ],
  },
  {
    title: 'a refund of a purchase that was rejected',
    steps: [
      {
        request: purchase({ currency: 'XXZ' }),
        answer: { status: 200, errors: ['Currency XXZ is not valid for this merchant'] },
        strict: { status: 400, errors: ['Currency is invalid'] },
        keep: 'none',
      },
      {
        request: refund({ transaction_id: '{none.id}' }),
        answer: { status: 200, errors: ['Original transaction could not be found'] },
      },
    ],
  },
  {
    title: 'two refunds with a reference, by which the latest is found',
    steps: [
      { request: refund({ amount: 1 }), answer: { status: 200 } },
      { request: refund({ amount: 2 }), answer: { status: 200 }, keep: 'last' },
      {
        request: get('refunds/{new}.json?test=true'),
        answer: { status: 200, response: { id: '{last.id}', amount: -2 } },
        strict: {
          status: 404,
          errors: [
            'Purchase not found',
            '{new} is a reference, and refunds are looked up by id here',
          ],
        },
      },
    ],
  },
  {
    title: 'a card that is stored, and charged with nulls for what is not known',
    steps: [
      {
        request: tokenize(),
        answer: { status: 200, response: { authorized: true, transaction_count: 0 } },
        keep: 'card',
      },
      {
        request: tokenPurchase({ card_token: '{card.token}', cvv: null, customer_ip: null }),
        answer: {
          status: 200,
          response: { successful: true, card_token: '{card.token}', card_holder: 'Ann Example' },
        },
        strict: {
          status: 400,
          errors: [
            'Cvv must be left out where there is none',
            'Customer ip must be left out where there is none',
          ],
        },
      },
    ],
  },
  {
    title: 'a purchase that is declined and looked up',
    steps: [
      {
        request: purchase({ card_number: '4557012345678902' }),
        answer: { status: 200, response: { successful: false } },
        keep: 'declined',
      },
      {
        request: get('purchases/{declined.id}'),
        answer: { status: 200, response: { successful: false, id: '{declined.id}' } },
      },
      {
        request: refund({ transaction_id: '{declined.id}' }),
        answer: {
          status: 400,
          errors: ['Purchase {declined.id} was declined and cannot be refunded'],
        },
      },
    ],
  },
  {
    title: 'a customer that is billed for a plan, and deleted with a list as a body',
    steps: [
      { request: customer(), answer: { status: 201 }, keep: 'who' },
      { request: plan(), answer: { status: 201 }, keep: 'what' },
      {
        request: subscription({ customer: '{who.id}', plan: '{what.reference}' }),
        answer: {
          status: 201,
          response: {
            ...{
              customer: '{who.id}',
              plan: '{what.id}',
              is_active: true,
              last_status: 'Scheduled',
            },
            ...{ start_date: '2026-04-01', next_billing_date: '2026-04-01', end_date: null },
          },
        },
        keep: 'deal',
      },
      {
        request: put('plans/{what.id}', { name: 'Silver and more' }),
        answer: { status: 200, response: { name: 'Silver and more', subscription_count: 1 } },
      },
      {
        request: put('subscriptions/{deal.id}', { is_active: false }),
        answer: {
          status: 200,
          response: { is_active: false, next_billing_date: '2026-04-01' },
        },
      },
      {
        request: put('subscriptions/{deal.id}.json', { is_active: true }),
        answer: { status: 200, response: { is_active: true, last_status: 'Scheduled' } },
      },
      {
        request: { method: 'DELETE', path: '/v1.0/customers/{who.id}', body: [] },
        answer: { status: 200, response: { id: '{who.id}' } },
        strict: { status: 400, errors: ['Request body must be left out of a DELETE request'] },
      },
      {
        request: get('customers/{who.id}.json'),
        answer: { status: 404, errors: ['Record not found'] },
      },
      {
        request: get('subscriptions/{deal.reference}'),
        answer: { status: 200, response: { is_active: false } },
      },
    ],
  },
  {
    title: 'a customer that is sent back whole, with a new name',
    steps: [
      { request: customer(), answer: { status: 201 }, keep: 'who' },
      {
        request: put('customers/{who.id}.json', {
          ...{ id: '{who.id}', created_at: '{who.created_at}', card_token: '{who.card_token}' },
          ...{ first_name: 'Anna', last_name: 'Example', reference: '{who.reference}' },
          ...{ email: '{who.email}', address: { city: null }, bank_account: null },
        }),
        answer: {
          status: 200,
          response: { first_name: 'Anna', id: '{who.id}', card_token: '{who.card_token}' },
        },
        strict: {
          status: 400,
          errors: [
            'City must be left out where there is none',
            ...['id', 'created_at', 'card_token', 'bank_account'].map(
              (field) => `${field} is no field of this request`,
            ),
          ],
        },
      },
    ],
  },
  {
    title: "a customer whose card's expiry is changed, and whose token stays",
    steps: [
      { request: customer(), answer: { status: 201 }, keep: 'who' },
      {
        request: put('customers/{who.id}', { card: { expiry_date: '09/2035' } }),
        answer: { status: 200, response: { card_token: '{who.card_token}' } },
      },
      {
        request: tokenPurchase({ card_token: '{who.card_token}' }),
        answer: { status: 200, response: { successful: true, card_expiry: '2035-09-30' } },
      },
    ],
  },
  {
    title: 'a change of a subscription with all that the client has',
    steps: [
      { request: subscription(), answer: { status: 201 }, keep: 'deal' },
      {
        request: put('subscriptions/{deal.id}.json', {
          ...{ frequency: 'Daily', start_date: '0001-01-01T00:00:00' },
          ...{ is_active: false, test_mode: false },
        }),
        answer: { status: 200, response: { frequency: 'Weekly', is_active: false } },
        strict: {
          status: 400,
          errors: ['frequency', 'start_date', 'test_mode'].map(
            (field) => `${field} is no field of this request`,
          ),
        },
      },
    ],
  },
  ...['null', '{"test":true}', '[]', 'what=ever'].map((text) => ({
    title: `the deletion of a customer with the body ${text}`,
    steps: [
      { request: customer(), answer: { status: 201 }, keep: 'who' },
      {
        request: { method: 'DELETE', path: '/v1.0/customers/{who.id}.json', text } as const,
        answer: { status: 200, response: { id: '{who.id}' } },
        strict: { status: 400, errors: ['Request body must be left out of a DELETE request'] },
      },
    ],
  })),
  {
    title: 'the deletion of a customer without a body',
    steps: [
      { request: customer(), answer: { status: 201 }, keep: 'who' },
      {
        request: { method: 'DELETE', path: '/v1.0/customers/{who.id}' },
        answer: { status: 200, response: { id: '{who.id}' } },
      },
    ],
  },
];
