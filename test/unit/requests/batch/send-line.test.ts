/** Two requests are never answered with one record. */
import { expect, test } from 'vitest';
import { classifyReply } from '../../../../src/client/exchange/classify.ts';
import { tokenize } from '../../../../src/contract/resources/card.ts';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { refuseRepeated } from '../../../../src/requests/batch/send-line.ts';

const URL_OF = new URL('https://gateway.example');

function reply(operation: typeof refundCreate | typeof tokenize, response: object) {
  const body = JSON.stringify({ successful: true, response, errors: [], test: true });
  return classifyReply({ operation, input: { body: {} } }, URL_OF, {
    status: 200,
    headers: {},
    body,
  });
}

test('a reply with the record of an earlier one is unknown, and tells which', () => {
  const made = new Set<string>();
  const again = reply(refundCreate, { id: '071-R-1', successful: true, message: 'Approved' });
  expect(refuseRepeated(again, URL_OF, made)).toBeUndefined();
  const failure = refuseRepeated(again, URL_OF, made);
  expect(failure).toMatchObject({
    kind: 'unknown',
    code: 'outcome-unknown',
    status: 200,
    id: undefined,
  });
  expect(failure?.message).toBe(
    'Outcome unknown: gateway.example answered 200, but its refund 071-R-1 is what it answered an earlier request with.',
  );
});

test('a card that is stored twice may well have one token', () => {
  const card = reply(tokenize, { token: 'w7fav6rlj8z0', card_number: '512345XXXXXX2346' });
  expect(refuseRepeated(card, URL_OF, new Set(['w7fav6rlj8z0']))).toBeUndefined();
});
