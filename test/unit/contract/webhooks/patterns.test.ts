import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { matcher } from '../../../../src/contract/webhooks/patterns.ts';
import { wants } from '../../../../src/emulator/deliveries/hooks.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { appendAll, newEvent } from '../../events/support.ts';

/** @returns whether the store finds an event of that name by the patterns */
async function openFinder(names: readonly string[]) {
  const store = new EventFile(path.join(temporaryDirectory(), 'ledger.db'));
  onTestFinished(() => store.close());
  await appendAll(
    store,
    [...new Set(names)].map((event) => newEvent({ event })),
  );
  return async (patterns: readonly string[]) => {
    const found: (string | null)[] = [];
    for await (const { event } of store.list({ events: patterns, limit: 1_000 })) found.push(event);
    return (name: string) => found.includes(name);
  };
}

const CASES: readonly (readonly [patterns: string[], name: string, fits: boolean])[] = [
  [[], 'anything', true],
  [['*'], 'card:expired', true],
  [['charge:*'], 'charge:retry', true],
  [['charge:*'], 'charge:', true],
  [['charge:*'], 'card:expired', false],
  [['*:expired'], 'card:expired', true],
  [['*:expir*'], 'card:expired', true],
  [['c*:*d'], 'card:expired', true],
  [['charge:failed'], 'charge:failed', true],
  [['charge:failed'], 'charge:failed2', false],
  [['charge:failed'], 'Charge:failed', false],
  [['a', 'b'], 'b', true],
  [['ab*ba'], 'aba', false],
  [['a**b'], 'ab', true],
  // Characters that are special in regular expressions stand for themselves.
  [['charge.retry'], 'charge:retry', false],
  [['charge?retry'], 'charge:retry', false],
  [['charge?retry'], 'charge?retry', true],
  [['[a-c]'], 'b', false],
  [['[a-c]'], '[a-c]', true],
  [['[^a]*'], '[^a]b', true],
  [['a]*'], 'a]', true],
  [['\\*'], '\\d', true],
  [['*é'], 'née', false],
  [['*é*'], 'née', true],
];

test.each(CASES)('patterns %j fit %s: %s', async (patterns, name, fits) => {
  expect(matcher(patterns)(name)).toBe(fits);
  const finder = await openFinder([name]);
  expect((await finder(patterns))(name)).toBe(fits);
  // A hook has one or more, with commas between them.
  if (patterns.length > 0) expect(wants(patterns.join(','), name)).toBe(fits);
});

test('the matcher and the store agree about any pattern and any name', async () => {
  const text = (max: number, ...units: string[]) =>
    fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: max });
  const names = fc.sample(text(5, 'a', 'b', '?', '[', ']', '^', '-'), { numRuns: 200, seed: 1 });
  const finder = await openFinder(names);
  await fc.assert(
    fc.asyncProperty(text(6, 'a', 'b', '?', '[', ']', '^', '-', '*', '*'), async (pattern) => {
      const isFound = await finder([pattern]);
      const fits = matcher([pattern]);
      for (const name of names) expect([name, fits(name)]).toEqual([name, isFound(name)]);
    }),
  );
});

test('a pattern with many stars takes no longer', () => {
  const fits = matcher([`${'*a'.repeat(10_000)}b`]);
  expect(fits('a'.repeat(20_000))).toBe(false);
});
