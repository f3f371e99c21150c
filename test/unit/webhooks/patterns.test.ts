import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matcher } from '../../../src/webhooks/patterns.ts';

test.each([
  [[], 'anything', true],
  [['charge:*'], 'charge:retry', true],
  [['charge:*'], 'charge:', true],
  [['charge:*'], 'card:expired', false],
  [['*:expired'], 'card:expired', true],
  [['c*:*d'], 'card:expired', true],
  [['charge:failed'], 'charge:failed', true],
  [['charge:failed'], 'charge:failed2', false],
  [['a', 'b'], 'b', true],
  [['ab*ba'], 'aba', false],
  [['charge.retry'], 'charge:retry', false],
])('%j fits %s: %s', (patterns, name, fits) => {
  expect(matcher(patterns)(name)).toBe(fits);
});

test('matcher says what the regular expression would say', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  fc.assert(
    fc.property(
      part,
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }),
      (pattern, name) => {
        expect(matcher([pattern])(name)).toBe(
          new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name),
        );
      },
    ),
  );
});
