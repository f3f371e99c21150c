import { expect, test } from 'vitest';
import { reasonIn } from '../../../src/view/reason.ts';

test.each([
  ['The gateway rejected the request: Card x could not be found.', 'Card x could not be found.'],
  ['The gateway rejected the request.', ''],
  [
    'Outcome unknown: the connection broke, after the request was sent.',
    'The connection broke, after the request was sent.',
  ],
  ['no answer within 60 s', 'no answer within 60 s'],
])('beside its outcome, the reason "%s" becomes "%s"', (message, reason) => {
  expect(reasonIn(message)).toBe(reason);
});
