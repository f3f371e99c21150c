import { expect, test } from 'vitest';
import { withValueAt } from '../../../../src/events/send/set-path.ts';
import { failureOf } from '../../../helpers/failure.ts';

const body = { event: 'x', payload: [{ a: { b: 1 } }] };

test('a path changes one field of a copy', () => {
  expect(withValueAt(body, 'payload.0.a.b', 2)).toEqual({ event: 'x', payload: [{ a: { b: 2 } }] });
  expect(withValueAt(body, 'payload.1', 'more')).toMatchObject({ payload: [{}, 'more'] });
  expect(withValueAt(body, 'payload.0.c.d', true)).toMatchObject({ payload: [{ c: { d: true } }] });
  expect(body).toEqual({ event: 'x', payload: [{ a: { b: 1 } }] });
});

test.each(['payload.a', 'payload.2', 'event.x', 'payload.0.a.b.c', '', 'a..b', '__proto__.x'])(
  'the path %j leads nowhere',
  async (path) => {
    expect((await failureOf(() => withValueAt(body, path, 1))).kind).toBe('usage');
  },
);
