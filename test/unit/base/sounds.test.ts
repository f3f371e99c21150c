import { expect, test } from 'vitest';
import { initialsOf, soundOf } from '../../../src/base/sounds.ts';

test.each([
  ['vishnevski', 'wisniewski'],
  ['lukash', 'lukasz'],
  ['filips', 'phillips'],
  ['shmit', 'schmidt'],
  ['kowalchik', 'kowalczyk'],
  ['steven', 'stephen'],
  ['katerine', 'catherine'],
  ['smyth', 'smith'],
  ['meyer', 'meier'],
  ['cole', 'kohle'],
])('%s sounds like %s', (heard, written) => {
  expect(soundOf(heard)).toBe(soundOf(written));
  expect(initialsOf(heard)).toContain(written[0]);
});

test.each([
  ['anna', 'hanna'],
  ['muller', 'miller'],
  ['ada', 'eda'],
])('%s does not sound like %s', (one, other) => {
  expect(soundOf(one)).not.toBe(soundOf(other));
});
