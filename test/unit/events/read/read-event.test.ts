import { expect, test } from 'vitest';
import { keptHeaders, transientEvent } from '../../../../src/events/read/read-event.ts';
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
