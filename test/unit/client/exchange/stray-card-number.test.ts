import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  refuseStrayCardNumbers,
  strayCardNumbers,
} from '../../../../src/client/exchange/stray-card-number.ts';
import type { CallInput } from '../../../../src/client/exchange/wire-request.ts';
import { purchaseCreate } from '../../../../src/contract/resources/purchase.ts';
import { cardLike } from '../../../helpers/card-like.ts';
import { failureOf } from '../../../helpers/failure.ts';

const CARD = '5123456789012346';
const MASKED = '512345XXXXXX2346';

/** Another one, which no card of the request has. */
const OTHER = cardLike(77);

describe('a card number in a body', () => {
  test.each<[string, JsonObject, string[]]>([
    ['among words', { description: `for ${CARD}` }, ['description']],
    ['as a name', { card_holder: `ADA ${CARD}` }, ['card_holder']],
    ['as a token', { card_token: CARD }, ['card_token']],
    ['as a number', { amount: Number(CARD) }, ['amount']],
    ['inside', { address: { city: CARD }, list: [{ x: CARD }] }, ['address.city', 'list.x']],
    ['as the name of a field', { [CARD]: 1 }, [MASKED]],
    ['as a CVV', { cvv: CARD }, ['cvv']],
    [
      'that was typed as the card too',
      { card_number: CARD, reference: `INV-${CARD}` },
      ['reference'],
    ],
    [
      'that was typed in groups',
      { card: { card_number: '5123 4567 8901 2346' }, reference: CARD },
      ['reference'],
    ],
  ])('%s is found with any profile', (_, body, fields) => {
    expect(strayCardNumbers(body, false)).toEqual(fields);
    expect(strayCardNumbers(body, true)).toEqual(fields);
  });

  test.each<[string, JsonObject, string[]]>([
    ['as a reference', { reference: CARD }, ['reference']],
    ['in groups', { reference: ' 5123-4567-8901-2346' }, ['reference']],
    ['beside words', { reference: `card ${CARD}` }, ['reference']],
    ['read from its stripe', { reference: `%B${CARD}^ADA/B^3105` }, ['reference']],
    ['as what a refund is of', { transaction_id: CARD }, ['transaction_id']],
  ])('%s is found with a live profile', (_, body, fields) => {
    expect(strayCardNumbers(body, true)).toEqual(fields);
    expect(strayCardNumbers(body, false)).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['in its field', { card_number: CARD, card: { card_number: CARD } }],
    ['of which there is none', { reference: '20261121000123', amount: 2500, email: 'a@b.c' }],
    ['which is a decimal', { reference: `0.${OTHER}`, card_number: CARD }],
    ['which is a part of a word', { reference: `INV-${OTHER}`, card_number: CARD }],
    ['which is a part of a decimal with a word', { reference: `INV-0.${OTHER}` }],
    ['in front of a letter', { transaction_id: `${OTHER}a` }],
  ])('%s is not reported', (_, body) => {
    expect(strayCardNumbers(body, false)).toEqual([]);
    expect(strayCardNumbers(body, true)).toEqual([]);
  });
});

test.each<[string, CallInput, string]>([
  ['an id', { id: CARD }, '/v1.0/purchases'],
  ['the value of a query', { query: { reference: CARD } }, '/v1.0/purchases'],
  ['a part of a path', {}, `/v1.0/purchases/${CARD}.json`],
  ['a reference', { body: { reference: CARD } }, '/v1.0/purchases'],
])(
  'a live request with a card number as %s is refused, and the message does not repeat it',
  async (_, input, path) => {
    const operation = { ...purchaseCreate, path };
    const failure = await failureOf(() => refuseStrayCardNumbers(operation, input, true));
    expect(failure).toMatchObject({ kind: 'usage', code: 'card-number-misplaced' });
    expect(failure.message + failure.next).not.toMatch(/\d{5}/);
    expect(() => refuseStrayCardNumbers(operation, input, false)).not.toThrow();
  },
);

test.each([true, false])(
  'a card number in a query is refused if it is no identifier, live or not: %s',
  async (isLive) => {
    const query: [string, string][] = [
      ['a', 'b'],
      ['c', '5123 4567 8901 2346'],
    ];
    const failure = await failureOf(() =>
      refuseStrayCardNumbers(purchaseCreate, { query }, isLive),
    );
    expect(failure.code).toBe('card-number-misplaced');
  },
);
