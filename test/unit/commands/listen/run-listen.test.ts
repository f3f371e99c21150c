import { expect, test } from 'vitest';
import { noteOfUnknown } from '../../../../src/commands/listen/run-listen.ts';

test('a pattern that fits an event gets no note', () => {
  expect(noteOfUnknown([undefined])).toBe('');
  expect(noteOfUnknown(['charge:*', '*:expir*', 'card:expired', '*'])).toBe('');
});

test('a pattern that fits no event is named once, with the existing events', () => {
  expect(noteOfUnknown(['charge:*', 'nope', 'nope', 'charge.*'])).toBe(
    "Note: none of the gateway's events matches nope, 'charge.*'. They are charge:pending, " +
      'charge:successful, charge:retry, charge:failed, card:expiring, card:expired.\n',
  );
});
