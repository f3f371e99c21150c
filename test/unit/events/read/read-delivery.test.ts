import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { EVENT_NAMES, type EventName } from '../../../../src/contract/webhooks/names.ts';
import { sampleBody } from '../../../../src/emulator/sample-event.ts';
import { readDelivery } from '../../../../src/events/read/read-delivery.ts';
import { createClock } from '../../../../src/host/create.ts';
import { charge } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { flatContentOf } from '../support.ts';

const CARDS: readonly EventName[] = ['card:expiring', 'card:expired'];
const FAILED: readonly EventName[] = ['charge:retry', 'charge:failed'];
const CHARGED: readonly EventName[] = ['charge:successful', ...FAILED];
const CHARGES: readonly EventName[] = ['charge:pending', ...CHARGED];

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
    const { payload } = charge('P-1', { event });
    for (const sent of [payload, payload[0]]) {
      expect(flatContentOf({ event, payload: sent })).toMatchObject({
        ...{ event, outcome, fault: null, elements: 1 },
      });
    }
  });

  test.each(EVENT_NAMES)('%s as the test gateway sends it is good', (name) => {
    const path = join(temporaryDirectory(), 'emulator.db');
    const body = sampleBody({ name, path, clock: createClock(), seed: 'a sample' });
    expect(flatContentOf(body).fault).toBeNull();
  });

  test('a charge has the customer, the amount and the reason', () => {
    const delivery = charge('P-1', { event: 'charge:retry' });
    Object.assign(delivery.payload[0]!.subscription, { last_status: 'Failed (2), Pending' });
    expect(flatContentOf(delivery)).toMatchObject({
      who: 'Ada Lovelace',
      message: 'Declined; Failed (2), Pending',
      purchase: { amount: 2500, currency: 'AUD' },
      references: ['SUB-1'],
      customers: ['c-1', 'ada@example.com', 'ada lovelace'],
      source: 'subscription S-1',
    });
  });

  test('a success with a declined purchase is unclear', () => {
    const delivery = charge('P-1');
    delivery.payload[0]!.response.response.successful = false;
    expect(flatContentOf(delivery).outcome).toBe('unclear');
  });

  test.each<[event: string, outcome: string, change: JsonObject, envelope?: JsonObject]>([
    ['charge:successful', 'unclear', { successful: false }],
    ['charge:successful', 'unclear', { message: 'Declined' }],
    ['charge:successful', 'unclear', {}, { successful: false }],
    ['charge:successful', 'approved', { successful: null, message: null }],
    ['charge:retry', 'unclear', { successful: true, message: 'Approved' }],
    ['charge:retry', 'declined', {}, { successful: true }],
    ['charge:failed', 'unclear', { message: 'Approved' }],
    ['charge:failed', 'abandoned', { successful: null, message: null }],
  ])('%s is %s with %j %j', (event, outcome, change, envelope = {}) => {
    const delivery = charge('P-1', { event });
    Object.assign(delivery.payload[0]!.response, envelope);
    Object.assign(delivery.payload[0]!.response.response, change);
    expect(flatContentOf(delivery)).toMatchObject({ outcome, fault: null });
  });

  test('one unclear charge of several makes an event unclear', () => {
    const both = [...charge('P-1').payload, ...charge('P-2', { event: 'charge:retry' }).payload];
    expect(flatContentOf({ event: 'charge:successful', payload: both }).outcome).toBe('unclear');
  });

  test('a charge that will be retried is not abandoned', () => {
    const delivery = charge('P-1', { event: 'charge:failed' });
    Object.assign(delivery.payload[0]!.subscription, { last_status: 'Failed (2), Pending' });
    expect(flatContentOf(delivery).outcome).toBe('unclear');
  });

  test('one object counts as a list of one', () => {
    const { payload } = charge('P-1');
    const [object, list] = [payload[0], payload].map((value) =>
      flatContentOf({ event: 'charge:successful', payload: value }),
    );
    const bytes = { body: 0, payload: 0, identity: 0 };
    expect({ ...object, ...bytes }).toEqual({ ...list, ...bytes });
  });

  test('a pending subscription and a customer are their own subjects', () => {
    const customer = { id: 'C-1', email: 'a@b.c', reference: 'R' };
    const pending = { id: 'S-1', frequency: 'Daily', reference: 'SUB', customer };
    expect(flatContentOf({ event: 'charge:pending', payload: [pending] })).toMatchObject({
      subscription: { id: 'S-1' },
      who: 'a@b.c',
      source: 'subscription S-1',
    });
    expect(flatContentOf({ event: 'card:expiring', payload: [customer] })).toMatchObject({
      subscription: null,
      who: 'a@b.c',
      source: 'customer C-1',
    });
  });

  test('every customer of a list can be found', () => {
    const both = [
      ...charge('P-1').payload,
      ...charge('P-2', { reference: 'SUB-2', name: 'Bob' }).payload,
    ];
    const content = flatContentOf({ event: 'charge:successful', payload: both });
    expect(content).toMatchObject({
      elements: 2,
      who: 'Ada Lovelace',
      references: ['SUB-1', 'SUB-2'],
    });
    expect(content.customers).toContain('bob lovelace');
  });
});

describe('bad deliveries', () => {
  test.each([
    ['', 'the body is not JSON'],
    ['{', 'the body is not JSON'],
    ['[]', 'the body is not a JSON object'],
    ['null', 'the body is not a JSON object'],
    ['{"payload":[]}', 'the body does not name an event'],
    ['{"event":7}', 'the body does not name an event'],
  ])('%j: %s', (text, fault) => {
    expect(flatContentOf(text)).toMatchObject({ event: null, outcome: 'bad', fault });
  });

  const subscription = { id: 'S-1' };
  const response = { successful: false, response: null, errors: ['No route'] };
  const empty = 'the payload is empty';
  const odd = 'the payload contains something that is not an object';
  test.each<[payload: Json | undefined, fault: string, events: readonly EventName[]]>([
    [undefined, empty, EVENT_NAMES],
    [null, empty, EVENT_NAMES],
    [[], empty, EVENT_NAMES],
    ['', odd, EVENT_NAMES],
    ['Approved', odd, EVENT_NAMES],
    [7, odd, EVENT_NAMES],
    [false, odd, EVENT_NAMES],
    [[null], odd, EVENT_NAMES],
    [['S-1'], odd, EVENT_NAMES],
    [[[]], odd, EVENT_NAMES],
    [[{ id: 'C-1', subscription, response }, null], odd, EVENT_NAMES],
    [{}, 'it does not name a subscription', CHARGES],
    [[{}], 'it does not name a subscription', CHARGES],
    [{ subscription: null, response }, 'it does not name a subscription', CHARGES],
    [{ subscription: 'S-1', response }, 'it does not name a subscription', CHARGES],
    [
      { subscription: { id: null, reference: ' ' }, response },
      'it does not name a subscription',
      CHARGES,
    ],
    [{ response }, 'it does not name a subscription', CHARGES],
    [{ email: 'a@b.c', id: 'C-1' }, 'it does not name a subscription', CHARGES],
    [[{ subscription, response }, { subscription }], 'it has no response for the charge', FAILED],
    [{ subscription }, 'it has no response for the charge', CHARGED],
    [{ subscription, response: null }, 'it has no response for the charge', CHARGED],
    [{ subscription, response: 'Approved' }, 'it has no response for the charge', CHARGED],
    [{ subscription, response }, 'its response has no purchase', ['charge:successful']],
    [{ subscription, response: {} }, 'its response has no purchase', ['charge:successful']],
    [{}, 'it does not name a customer', CARDS],
    [[{ email: '' }], 'it does not name a customer', CARDS],
    [[{ id: 'C-1' }, { id: null }], 'it does not name a customer', CARDS],
    [{ customer: {} }, 'it does not name a customer', CARDS],
  ])('%j: %s', (payload, fault, events) => {
    for (const event of events) {
      expect(flatContentOf({ event, payload })).toMatchObject({
        ...{ event, fault, outcome: 'bad', source: 'unreadable', isLasting: false },
        ...{ message: null, purchase: null, payload: payload ?? null },
      });
    }
  });

  test('a bad delivery of a known event can be found', () => {
    const { payload } = charge('P-1');
    expect(flatContentOf({ event: 'charge:failed', payload: [...payload, 0] })).toMatchObject({
      references: ['SUB-1'],
      customers: expect.arrayContaining(['ada@example.com']),
      who: null,
    });
  });

  test.each<[event: string, payload: Json]>([
    ['charge:pending', { id: 'S-1', reference: 'SUB' }],
    ['charge:retry', { subscription, response }],
    ['charge:failed', [{ id: 7, frequency: 'Daily', response }]],
    ['card:expired', { id: 'C-1' }],
    ['card:expiring', [{ card_number: 'XXXXXXXXXXXX1111' }]],
    ['plan:renamed', []],
    ['plan:renamed', null],
    ['Charge:Failed', 'nothing'],
  ])('%s with %j is not bad and is shown with its known fields', (event, payload) => {
    expect(flatContentOf({ event, payload }).fault).toBeNull();
  });

  test('bytes that are not text are bad', () => {
    expect(readDelivery(Buffer.from([0xc3, 0x28])).kept.fault).toBe('the body is not UTF-8 text');
  });
});

describe('what is stored', () => {
  test('are the original bytes if there is nothing to hide', () => {
    const body = Buffer.from(
      ' {"event": "x",\n "payload": [{"card_number": "512345XXXXXX2346"}]} ',
    );
    const { kept } = readDelivery(body);
    expect(kept.body).toBe(body);
    expect(kept.isMasked).toBe(false);
  });

  test('has no card number and no CVV, in JSON or other text', () => {
    const inJson = flatContentOf({
      event: 'x',
      payload: { card_number: 4111111111111111, cvv: '123' },
    });
    const outside = flatContentOf('card 4111 1111 1111 1111 cvv=123');
    for (const { body, isMasked } of [inJson, outside]) {
      expect(isMasked).toBe(true);
      expect(Buffer.from(body).toString()).not.toMatch(/4111\s?1111\s?1111\s?1111|123/);
    }
  });
});

describe('identity', () => {
  test('is that of the bytes, so that no other amount or person hides a true charge', () => {
    const text = JSON.stringify(charge('P-1'));
    const { identity, isLasting } = flatContentOf(text);
    expect(isLasting).toBe(true);
    expect(flatContentOf(charge('P-1')).identity).toBe(identity);
    for (const [from, to] of [
      ['2500', '1'],
      ['Ada', 'Eve'],
      ['P-1', 'P-2'],
      ['charge:successful', 'charge:retry'],
      ['"event"', '"event":"charge:failed","event"'],
      [':', ': '],
    ] as const)
      expect(flatContentOf(text.replace(from, to)).identity, to).not.toBe(identity);
  });

  test('an event without a purchase and date may arrive again in the same bytes', () => {
    expect(flatContentOf({ event: 'charge:pending', payload: { id: 'S-1' } }).isLasting).toBe(
      false,
    );
  });
});
