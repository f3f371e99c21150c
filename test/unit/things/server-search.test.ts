/** Searching on a server: what every index does, and the same answers as the file gives. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IndexedThing, Thing } from '../../../src/things/thing.ts';
import type { SearchFilter, SearchIndex, SearchQuery } from '../../../src/things/thing-index.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { postgresIndex } from './postgres-index.ts';
import { scopes, searchCases } from './search-cases.ts';
import { sqliteIndex } from './sqlite-index.ts';

const programs = findPostgres();

const HOSTILE = ['%', '_', '\\', '.', "'", '"', '|', '(', '\u0003', 'ZZZ', '王', 'é', '小', 'ß'];
const name = fc.oneof(
  fc.constantFrom('Ada Byron', 'Zoë Li', '王 小明', '伟 王', "Jo O'Li", 'li', 'Λάμπρος Ж'),
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom('a', 'B', '1', ' ')), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 });
const day = fc
  .integer({ min: 0, max: 40 })
  .map((n) => new Date(Date.UTC(2026, 1, 1 + n, n % 24)).toISOString());
const thing = fc
  .record({
    kind: fc.constantFrom('purchase', 'refund', 'customer', 'request', 'event'),
    at: fc.oneof(day, fc.constantFrom('2026-02-03', 'never')),
    profile: fc.constantFrom('shop', 'sandbox', null),
    operator: maybe(fc.constantFrom('ada@desk', 'ben@desk')),
    outcome: fc.constantFrom('approved', 'declined', 'done', null),
    amount: fc.constantFrom(null, 0, 25, 2_500, -2_500, 25_000),
    currency: fc.constantFrom(null, 'AUD', 'JPY', 'KWD'),
    reference: maybe(name),
    message: maybe(name),
    lastFour: fc.constantFrom('2500', '2346', null),
    who: maybe(name),
  })
  .map((parts) => ({
    ...EMPTY_THING,
    ...parts,
    names: [parts.who],
    keys: [parts.reference, parts.who],
    words: [parts.amount === 2_500 ? '25.00' : null],
  })) as fc.Arbitrary<IndexedThing>;

const filter = fc.record(
  {
    kinds: fc.subarray(['purchase', 'refund', 'customer', 'request', 'event'] as const),
    since: day,
    until: day,
    profile: fc.constantFrom('shop', 'sandbox', 'nosuch'),
    scope: scopes,
    operator: fc.constantFrom('ada@desk', 'nosuch'),
    outcome: fc.oneof(
      fc.constantFrom('approved', 'bad'),
      fc.subarray(['approved', 'done'], { minLength: 1 }),
    ),
    amount: fc.constantFrom('0.25', '0', '25', '25.00', '25.0', '0.00', '25.000', '7.5'),
    min: fc.constantFrom('0.25', '7.5', '25.001'),
    max: fc.constantFrom('25', '7.5', '24.999'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SearchFilter>;

/** Two of three filters lack at least one part, so that they find something. */
const loose = fc.oneof(fc.constant<SearchFilter>({}), filter);
const words = fc.oneof(
  name,
  fc.constantFrom(
    '25.00',
    '2346',
    '2500',
    '王',
    '小明',
    '明小',
    'l',
    'li',
    'jo',
    'ron',
    'ada b',
    '-',
    '...',
  ),
);

async function allOf(things: SearchIndex, asked: SearchFilter): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const one of things.each(asked)) all.push(one);
  return all;
}

describe.skipIf(programs === undefined)('on a server', () => {
  const index = postgresIndex(programs);
  const file = sqliteIndex();

  searchCases(index, 40);

  test('any search finds the same on a server as in a file', async () => {
    const server = () => index().things;
    await fc.assert(
      fc.asyncProperty(
        fc.array(thing, { maxLength: 25 }),
        fc.array(fc.tuple(words, loose, fc.integer({ min: 1, max: 8 })), {
          minLength: 4,
          maxLength: 8,
        }),
        async (things, questions) => {
          const all = things.map((one, n) => ({ ...one, id: `f-${n}` }));
          await index().put(all);
          await file.put(all);
          for (const [text, asked, limit] of questions) {
            const search: SearchQuery = { ...asked, text, limit };
            expect(await server().search(search)).toEqual(await file.things.search(search));
            const { text: _text, ...filtered } = search;
            expect(await server().search(filtered)).toEqual(await file.things.search(filtered));
            for (const names of [[text], [text, 'ada byron']])
              expect(await server().tied(names, filtered)).toEqual(
                await file.things.tied(names, filtered),
              );
            expect(await allOf(server(), asked)).toEqual(await allOf(file.things, asked));
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
