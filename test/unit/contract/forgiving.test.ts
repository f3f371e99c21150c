import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { problemsOf } from '../../../src/contract/check.ts';
import { AMOUNTS, forgive, unknownFields } from '../../../src/contract/forgiving.ts';
import type { RequestBody } from '../../../src/contract/request.ts';
import { customerCreate, customerUpdate } from '../../../src/contract/resources/customer.ts';
import { purchaseCreate } from '../../../src/contract/resources/purchase.ts';
import { subscriptionCreate } from '../../../src/contract/resources/subscription.ts';

const read = (request: RequestBody, field: string, value: Json) => {
  const { body, forgiven } = forgive(request, { [field]: value });
  return [body[field], ...forgiven.map(({ rule }) => rule)];
};

describe('a forgiven value is read in the form of the interface', () => {
  const TEXT = 'must be text, not a number';
  const OUT = 'must be left out where there is none';
  const EXPIRY = 'must be MM/YYYY';
  const AMOUNT = 'must be a whole number, not text';
  const FLAG = 'must be true or false';
  const DATE = 'must be YYYY-MM-DD';
  const WORD = 'must be written as the interface writes it';

  test.each<[string, Json, Json | undefined, ...string[]]>([
    ['cvv', 123, '123', TEXT],
    ['reference', 20_261_122, '20261122', TEXT],
    ['reference', -1.5, '-1.5', TEXT],
    ['card_token', 0, '0', TEXT],
    ['card_number', 5123456789012346, '5123456789012346', TEXT],
    ['card_number', '5123 4567 8901 2346', '5123456789012346', 'must be digits only'],
    ['card_number', ' 5123-4567-8901-2346\n', '5123456789012346', 'must be digits only'],
    ['cvv', null, undefined, OUT],
    ['customer_ip', '', undefined, OUT],
    ['currency', ' \t', undefined, OUT],
    ['card_token', null, undefined, OUT],
    ['customer_ip', 'UNKNOWN', undefined, 'must be left out where it is not known'],
    ['currency', 'aud', 'AUD', 'must be in capitals'],
    ['card_expiry', '9/2030', '09/2030', EXPIRY],
    ['card_expiry', '09/30', '09/2030', EXPIRY],
    ['card_expiry', '9/30', '09/2030', EXPIRY],
    ['card_expiry', '09 / 2030', '09/2030', EXPIRY],
    ['card_expiry', '09-2030', '09/2030', EXPIRY],
    ['card_expiry', '2030-09-30', '09/2030', EXPIRY],
    ['card_expiry', '2030/09', '09/2030', EXPIRY],
    ['card_expiry', '0930', '09/2030', EXPIRY],
    ['card_expiry', '092030', '09/2030', EXPIRY],
    ['card_expiry', '2030-09-30T23:59:59+10:00', '09/2030', EXPIRY],
    ['amount', '100', 100, AMOUNT],
    ['amount', '10.00', 10, AMOUNT],
    ['amount', ' 7. ', 7, AMOUNT],
  ])('%s %j is %j', (field, value, ...expected) => {
    expect(read(purchaseCreate.body, field, value)).toEqual(expected);
  });

  test.each<[string, Json, Json | undefined, ...string[]]>([
    ['is_active', 'true', true, FLAG],
    ['is_active', 'FALSE', false, FLAG],
    ['is_active', 1, true, FLAG],
    ['is_active', '0', false, FLAG],
    ['is_active', null, undefined, OUT],
    ['end_date', null, undefined, OUT],
    ['start_date', '2027-01-01T00:00:00+10:00', '2027-01-01', DATE],
    ['start_date', '2027-01-01T00:00:00.1234567+11:00', '2027-01-01', DATE],
    ['start_date', '2027-01-01 23:59:59 +1000', '2027-01-01', DATE],
    ['start_date', '2027/1/9', '2027-01-09', DATE],
    ['frequency', 'weekly', 'Weekly', WORD],
    ['frequency', 'BiAnnually', 'Bi-Annually', WORD],
  ])('a subscription with the %s %j has %j', (field, value, ...expected) => {
    expect(read(subscriptionCreate.body, field, value)).toEqual(expected);
  });

  test.each<[string, Json]>([
    ['amount', '1,000'],
    ['amount', '-5'],
    ['amount', '1e3'],
    ['amount', '0x10'],
    ['amount', '$5'],
    ['amount', '٥'],
    ['amount', 10.5],
    ['amount', true],
    ['amount', ''],
    ['amount', ['1']],
    ['reference', true],
    ['reference', {}],
    ['reference', 1e21],
    ['reference', 2 ** 53],
    ['card_expiry', '13/2030'],
    ['card_expiry', '00/30'],
    ['card_expiry', '9/203'],
    ['card_expiry', '203009'],
    ['amount', '10.99'],
    ['card_number', '5123.4567.8901.2346'],
    ['card_number', '5123456789012346x'],
    ['customer_ip', 'here'],
  ])('%s %j is ambiguous and stays unchanged', (field, value) => {
    expect(read(purchaseCreate.body, field, value)).toEqual([value]);
  });

  test.each<[string, Json]>([
    ['is_active', 'yes'],
    ['is_active', 2],
    ['is_active', ['true']],
    ['start_date', '01/02/2027'],
    ['start_date', 'tomorrow'],
    ['start_date', '2027-01-01x'],
    ['frequency', 'Hourly'],
  ])('a subscription with the %s %j keeps its value', (field, value) => {
    expect(read(subscriptionCreate.body, field, value)).toEqual([value]);
  });
});

describe('groups', () => {
  test.each<[Json]>([[null], [''], [[]]])('an address that is %j counts as missing', (address) => {
    expect(forgive(customerCreate.body, { address })).toEqual({
      body: {},
      forgiven: [{ path: ['address'], rule: 'must be left out where there is none' }],
    });
  });

  test('an empty list for a card is an empty object, so its fields are missing', () => {
    expect(forgive(customerCreate.body, { card: [] }).body).toEqual({ card: {} });
  });

  test('an update drops a null card and keeps a blank name', () => {
    const sent = { card: null, first_name: '', ip_address: '' };
    expect(forgive(customerUpdate.body, sent).body).toEqual({ first_name: '' });
  });

  test('nested fields are forgiven too, and reported with their place', () => {
    const { body, forgiven } = forgive(customerCreate.body, {
      card: { cvv: 123, card_holder: null },
      address: { postcode: 2000, state: '' },
    });
    expect(body).toEqual({ card: { cvv: '123' }, address: { postcode: '2000' } });
    expect(forgiven.map(({ path }) => path.join('.'))).toEqual([
      'card.cvv',
      'card.card_holder',
      'address.postcode',
      'address.state',
    ]);
  });
});

test('amounts stay unchanged if they must not be guessed', () => {
  expect(forgive(purchaseCreate.body, { amount: '100', cvv: 1 }, AMOUNTS).body).toEqual({
    amount: '100',
    cvv: '1',
  });
});

test('unknown fields stay and are reported', () => {
  const body = JSON.parse(
    '{"extra": {"a": [1]}, "card": {"cvc": 1}, "__proto__": 1}',
  ) as JsonObject;
  expect(Object.entries(forgive(customerCreate.body, body).body)).toEqual(Object.entries(body));
  expect(unknownFields(customerCreate.body, body)).toEqual([
    ['extra'],
    ['card', 'cvc'],
    ['__proto__'],
  ]);
});

test('a second reading changes nothing, and a correct body stays unchanged', () => {
  const value = fc.oneof(
    fc.jsonValue() as fc.Arbitrary<Json>,
    fc.constantFrom(
      '9/30',
      '100',
      'aud',
      'true',
      'weekly',
      'unknown',
      '2027-1-1',
      '4111 1111 1111 1111',
      '',
    ),
  );
  const body = fc.dictionary(
    fc.constantFrom(
      ...Object.keys({ ...purchaseCreate.body.fields, ...subscriptionCreate.body.fields }),
    ),
    value,
  );
  for (const request of [purchaseCreate.body, subscriptionCreate.body]) {
    fc.assert(
      fc.property(body, (sent) => {
        const once = forgive(request, sent).body;
        expect(forgive(request, once)).toEqual({ body: once, forgiven: [] });
        // The gateway decides about words of a frequency, so no spelling of one is a problem here.
        if (problemsOf(request, sent).length === 0 && sent.frequency !== 'weekly')
          expect(forgive(request, sent)).toEqual({ body: sent, forgiven: [] });
      }),
    );
  }
});
