import { describe, expect, test } from 'vitest';
import type { Delivery, NewEvent } from '../../../../src/events/event.ts';
import {
  keptHeaders,
  type ReadingRules,
  readEvent,
  transientEvent,
} from '../../../../src/events/read/read-event.ts';
import { charge } from '../../../helpers/listener.ts';
import { newEvent } from '../support.ts';

test('headers are stored unchanged and in order, without credentials', () => {
  const sent = ['X-ODD-Case', 'a, b', 'Cookie', 'id=1', 'x-odd-case', 'c'];
  const kept = [
    ['X-ODD-Case', 'a, b'],
    ['Cookie', '***'],
    ['x-odd-case', 'c'],
  ];
  expect(keptHeaders(sent)).toEqual(kept);
});

const event = newEvent(charge('P-1'), { source: 'customer ada@example.com' });

test('a passing event is stored without its customer', () => {
  const kept = transientEvent({ ...event, forwardTo: null });
  expect(kept).toMatchObject({ headers: [], isTransient: true });
  expect([kept.body.length, kept.identity]).toEqual([0, event.identity]);
  expect(kept.source).toMatch(/^digest [\w-]{22}$/);
});

test('a passing event is stored whole until it is passed on', () => {
  const kept = transientEvent({ ...event, forwardTo: 'http://app/' });
  expect([kept.body, kept.headers]).toEqual([event.body, event.headers]);
  expect(kept.source).toMatch(/^digest /);
});

test('events of one source keep their source', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((source) => transientEvent({ ...event, source }));
  expect(one?.source).toBe(same?.source);
  expect(one?.source).not.toBe(other?.source);
});

describe('the identity of a delivery', () => {
  const RULES: ReadingRules = {
    ...{ receivedAt: '2026-03-10T09:30:00.000Z', profile: 'shop', respond: 200, forwardTo: null },
    ...{ isConfirming: false, isShown: () => true },
  };
  const BODY = Buffer.from('{"event":"charge:pending","payload":[{"id":"S-1"}]}');
  const read = (
    headers: string[] = [],
    delivery: Partial<Delivery> = {},
    rules: Partial<ReadingRules> = {},
  ) => {
    const whole = { body: BODY, isAuthenticated: false, isTooLong: false, ...delivery };
    return readEvent({ rawHeaders: headers, ...whole }, { ...RULES, ...rules }).event;
  };
  const big = (digest: string) => read([], { body: Buffer.of(), isTooLong: true, digest });

  test.each<[string, NewEvent, NewEvent]>([
    ['the same words', read(), read()],
    ['the same id', read(['X-Gw-Delivery', '7']), read(['x-gw-delivery', '7'])],
    ['an empty id', read(['X-Gw-Delivery', '']), read()],
    ['other headers', read(['X-Request-Id', '1']), read(['X-Request-Id', '2'])],
    ['a password', read(), read([], { isAuthenticated: true })],
    ['the same large body', big('a'), big('a')],
  ])('is kept with %s', (_, one, same) => {
    expect(same.identity).toBe(one.identity);
    expect(same.isLasting).toBe(one.isLasting);
  });

  test.each<[string, NewEvent, NewEvent]>([
    ['another id', read(['X-Gw-Delivery', '7']), read(['X-Gw-Delivery', '8'])],
    ['an id', read(), read(['X-Gw-Delivery', '7'])],
    [
      'a second id',
      read(['X-Gw-Delivery', '7']),
      read(['X-Gw-Delivery', '7', 'X-Gw-Delivery', '8']),
    ],
    [
      'another body',
      read(['X-Gw-Delivery', '7']),
      read(['X-Gw-Delivery', '7'], { body: Buffer.from('{}') }),
    ],
    ['another mode', read(['X-Service-Mode', 'Live']), read(['X-Service-Mode', 'Sandbox'])],
    ['another profile', read(), read([], {}, { profile: 'other' })],
    ['a sample', read(), read(['User-Agent', 'gw/1.0.0 sample'])],
    ['another large body', big('a'), big('b')],
  ])('changes with %s', (_, one, other) => {
    expect(other.identity).not.toBe(one.identity);
  });

  test('is lasting with an id, by which other deliveries with it are found', () => {
    const [one, other] = ['{}', '[]'].map((body) =>
      read(['X-Gw-Delivery', '4111111111111111'], { body: Buffer.from(body) }),
    );
    expect(one?.isLasting).toBe(true);
    expect(read().isLasting).toBe(false);
    expect(one?.identity).toMatch(/^#[\w-]{22} [\w-]{22}$/);
    expect(other?.identity.slice(0, 24)).toBe(one?.identity.slice(0, 24));
    expect(read(['X-Gw-Delivery', '7'], {}, { profile: 'a' }).identity.slice(0, 24)).not.toBe(
      read(['X-Gw-Delivery', '7'], {}, { profile: 'b' }).identity.slice(0, 24),
    );
  });
});
