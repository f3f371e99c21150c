import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  refuseStrayCardNumbers,
  strayCardNumbers,
} from '../../../../src/client/exchange/stray-card-number.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { failureOf } from '../../../helpers/failure.ts';

const CARD = '5123456789012346';
const MASKED = '512345XXXXXX2346';

describe('a card number in a body', () => {
  test.each<[string, JsonObject, string[]]>([
    ['as a reference', { reference: CARD }, ['reference']],
    ['in groups', { reference: '5123-4567-8901-2346' }, ['reference']],
    ['among words', { description: `for ${CARD}` }, ['description']],
    ['as a name', { card_holder: `ADA ${CARD}` }, ['card_holder']],
    ['as a token', { card_token: CARD }, ['card_token']],
    ['as a number', { amount: Number(CARD) }, ['amount']],
    ['inside', { address: { city: CARD }, list: [{ x: CARD }] }, ['address.city', 'list.x']],
    ['as the name of a field', { [CARD]: 1 }, [MASKED]],
    ['as a CVV', { cvv: CARD }, ['cvv']],
  ])('%s is found', (_, body, fields) => {
    expect(strayCardNumbers(body)).toEqual(fields);
  });

  test.each<[string, JsonObject]>([
    ['in its field', { card_number: CARD, card: { card_number: CARD } }],
    ['of which there is none', { reference: '20261121000123', amount: 2500, email: 'a@b.c' }],
  ])('%s is not', (_, body) => {
    expect(strayCardNumbers(body)).toEqual([]);
  });
});

test.each<[string, CallInput]>([
  ['an id', { id: CARD }],
  ['a part of an id', { id: `071-P-${CARD}` }],
  ['the value of a query', { query: { reference: CARD } }],
  [
    'one of several',
    {
      query: [
        ['a', 'b'],
        ['c', '5123 4567 8901 2346'],
      ],
    },
  ],
  ['a reference', { body: { reference: CARD } }],
])(
  'a request that has a card number as %s is refused, in words that do not repeat it',
  async (_, input) => {
    const failure = await failureOf(() => refuseStrayCardNumbers(purchaseCreate, input));
    expect(failure).toMatchObject({ kind: 'usage', code: 'card-number-misplaced' });
    expect(failure.message + failure.next).not.toMatch(/\d{5}/);
  },
);
