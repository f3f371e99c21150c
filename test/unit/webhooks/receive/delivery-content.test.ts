import { describe, expect, test } from 'vitest';
import { readFacts } from '../../../../src/webhooks/receive/delivery-content.ts';
import { charge } from '../../../helpers/listener.ts';
import { factsOf } from '../support.ts';

describe('the six events', () => {
  test.each([
    ['charge:pending', 'pending'],
    ['charge:successful', 'approved'],
    ['charge:retry', 'declined'],
    ['charge:failed', 'abandoned'],
    ['card:expiring', 'expiring'],
    ['card:expired', 'expired'],
    ['plan:renamed', 'unknown'],
  ])('%s is %s', (event, outcome) => {
    expect(factsOf({ event, payload: [] })).toMatchObject({ event, outcome, fault: null });
  });

  test('a charge says who, how much and why', () => {
    const delivery = charge('P-1', { event: 'charge:retry' });
    Object.assign(delivery.payload[0]!.subscription, { last_status: 'Failed (2), Pending' });
    expect(factsOf(delivery)).toMatchObject({
      who: 'Ada Lovelace',
      message: 'Declined; Failed (2), Pending',
      purchase: { amount: 2500, currency: 'AUD' },
      subjects: ['SUB-1'],
      customers: ['c-1', 'ada@example.com', 'ada lovelace'],
      source: 'subscription S-1',
    });
  });

  test('a success whose purchase was declined is unclear', () => {
    const delivery = charge('P-1');
    delivery.payload[0]!.response.response.successful = false;
    expect(factsOf(delivery).outcome).toBe('unclear');
  });

  test('one object does for a list of one', () => {
    const { payload } = charge('P-1');
    const [object, list] = [payload[0], payload].map((value) =>
      factsOf({ event: 'charge:successful', payload: value }),
    );
    expect({ ...object, body: 0, payload: 0 }).toEqual({ ...list, body: 0, payload: 0 });
  });

  test('a pending subscription, and a customer, stand for themselves', () => {
    const customer = { id: 'C-1', email: 'a@b.c', reference: 'R' };
    const pending = { id: 'S-1', frequency: 'Daily', reference: 'SUB', customer };
    expect(factsOf({ event: 'charge:pending', payload: [pending] })).toMatchObject({
      subscription: { id: 'S-1' },
      who: 'a@b.c',
      source: 'subscription S-1',
    });
    expect(factsOf({ event: 'card:expiring', payload: [customer] })).toMatchObject({
      subscription: null,
      who: 'a@b.c',
      source: 'customer C-1',
    });
  });

  test('everybody in a list can be found', () => {
    const both = [
      ...charge('P-1').payload,
      ...charge('P-2', { reference: 'SUB-2', name: 'Bob' }).payload,
    ];
    const facts = factsOf({ event: 'charge:successful', payload: both });
    expect(facts).toMatchObject({ elements: 2, who: 'Ada Lovelace', subjects: ['SUB-1', 'SUB-2'] });
    expect(facts.customers).toContain('bob lovelace');
  });
});

describe('bad deliveries', () => {
  test.each([
    ['', 'the body is not JSON'],
    ['{', 'the body is not JSON'],
    ['[]', 'the body is no JSON object'],
    ['null', 'the body is no JSON object'],
    ['{"payload":[]}', 'the body names no event'],
    ['{"event":7}', 'the body names no event'],
  ])('the delivery %j is bad: %s', (text, fault) => {
    expect(factsOf(text)).toMatchObject({ event: null, outcome: 'bad', fault });
  });

  test('bytes that are no text', () => {
    expect(readFacts(Buffer.from([0xc3, 0x28])).fault).toBe('the body is not UTF-8 text');
  });
});

describe('what is kept', () => {
  test('the very bytes, when there is nothing to hide', () => {
    const body = Buffer.from(
      ' {"event": "x",\n "payload": [{"card_number": "512345XXXXXX2346"}]} ',
    );
    const facts = readFacts(body);
    expect(facts.body).toBe(body);
    expect(facts.isMasked).toBe(false);
  });

  test('no card number and no CVV, in JSON or out of it', () => {
    const inJson = factsOf({ event: 'x', payload: { card_number: 4111111111111111, cvv: '123' } });
    const outside = factsOf('card 4111 1111 1111 1111 cvv=123');
    for (const { body, isMasked } of [inJson, outside]) {
      expect(isMasked).toBe(true);
      expect(Buffer.from(body).toString()).not.toMatch(/4111\s?1111\s?1111\s?1111|123/);
    }
  });
});

describe('identity', () => {
  test('a purchase makes an event unique, however it is written', () => {
    const compact = factsOf(charge('P-1'));
    const spaced = factsOf(JSON.stringify(charge('P-1'), null, 2));
    expect(compact.identity).toBe(spaced.identity);
    expect(compact.isLasting).toBe(true);
    expect(factsOf(charge('P-2')).identity).not.toBe(compact.identity);
    expect(factsOf(charge('P-1', { event: 'charge:retry' })).identity).not.toBe(compact.identity);
  });

  test('an event without purchase and date may come again in the same bytes', () => {
    expect(factsOf({ event: 'charge:pending', payload: [] }).isLasting).toBe(false);
  });
});
