import { expect, test } from 'vitest';
import { noteOfUnknown } from '../../../../src/events/listen/run-listen.ts';

test('patterns that fit an event need no note', () => {
  expect(noteOfUnknown([undefined])).toBe('');
  expect(noteOfUnknown(['charge:*', '*:expir*', 'card:expired', '*'])).toBe('');
});

test('those that fit none are named once each, with the events that there are', () => {
  expect(noteOfUnknown(['charge:*', 'nope', 'nope', 'charge.*'])).toBe(
    "Note: none of the gateway's events matches nope, 'charge.*'. They are charge:pending, " +
      'charge:successful, charge:retry, charge:failed, card:expiring, card:expired.\n',
  );
});
