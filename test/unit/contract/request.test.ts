/** `--skeleton`: a body to fill in, and what `--input` makes of it. */
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, setAt, valueAt } from '../../../src/base/json.ts';
import { problemsOf } from '../../../src/contract/check.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { cardPlaceOf, fieldsOf, skeletonOf } from '../../../src/contract/request.ts';
import { withoutNulls } from '../../../src/requests/body/read-input.ts';

const WITH_BODY = (OPERATIONS as readonly Operation[]).flatMap(({ name, body: request }) =>
  request ? [{ name, request }] : [],
);

const VALUES: Readonly<Record<string, Json>> = {
  card_number: '5123456789012346',
  card_expiry: '05/2031',
  expiry_date: '05/2031',
  cvv: '123',
  amount: 2500,
  currency: 'AUD',
  customer_ip: '10.0.0.1',
  start_date: '2027-01-01',
  end_date: '2027-12-31',
  is_active: true,
};
const sample = (name: string): Json => VALUES[name] ?? `some ${name}`;

describe.each(WITH_BODY.map((operation) => [operation.name, operation] as const))(
  'the skeleton of %s',
  (name, { request }) => {
    test('has every field that the interface names, in its order', () => {
      const skeleton = skeletonOf(request);
      expect(Object.keys(skeleton)).toEqual(Object.keys(request.fields));
      for (const { path } of fieldsOf(request)) expect(valueAt(skeleton, path)).toBeDefined();
    });

    test('is accepted with its required fields filled in', () => {
      const body = skeletonOf(request);
      for (const { path, required } of fieldsOf(request)) {
        if (required) setAt(body, path, sample(path.at(-1)!));
      }
      // The interface has a purchase take either a card or a token; neither alone is required.
      if (name === 'purchase create') body.card_token = 'tok';
      expect(problemsOf(request, withoutNulls(body))).toEqual([]);
    });

    test('is accepted with all fields filled in', () => {
      const body = skeletonOf(request);
      for (const { path } of fieldsOf(request)) setAt(body, path, sample(path.at(-1)!));
      if (name === 'purchase create') body.card_token = null;
      expect(problemsOf(request, withoutNulls(body))).toEqual([]);
    });

    const isRequired = fieldsOf(request).some(({ required }) => required);
    if (isRequired) {
      test('is not accepted unchanged', () => {
        expect(problemsOf(request, withoutNulls(skeletonOf(request)))).not.toEqual([]);
      });
    }

    test('has a flag of its own for every field', () => {
      const flags = fieldsOf(request).map(({ flag }) => flag);
      expect(new Set(flags).size).toBe(flags.length);
      for (const flag of flags) expect(flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    });
  },
);

test('null means "left out" in objects and stays in lists', () => {
  const body: JsonObject = { a: null, b: { c: null, d: [null, { e: null }] }, f: 0, g: '' };
  expect(withoutNulls(body)).toEqual({ b: { d: [null, { e: null }] }, f: 0, g: '' });
});

test.each([
  [
    'tokenize',
    {
      path: [],
      expiry: 'card_expiry',
      cvvIsOptional: true,
      holderIsOptional: false,
      isExpected: true,
    },
  ],
  [
    'purchase create',
    {
      path: [],
      expiry: 'card_expiry',
      cvvIsOptional: true,
      holderIsOptional: false,
      isExpected: true,
    },
  ],
  [
    'customer create',
    {
      path: ['card'],
      expiry: 'expiry_date',
      cvvIsOptional: false,
      holderIsOptional: true,
      isExpected: true,
    },
  ],
  [
    'customer update',
    {
      path: ['card'],
      expiry: 'expiry_date',
      cvvIsOptional: false,
      holderIsOptional: true,
      isExpected: false,
    },
  ],
  ['refund create', undefined],
  ['plan update', undefined],
])('the card of %s is in its place', (name, place) => {
  const row = WITH_BODY.find((operation) => operation.name === name);
  expect(row && cardPlaceOf(row.request)).toEqual(place);
});
