/** Searching, held against reading all facts one by one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact, FactKind, IndexedFact } from '../../../src/facts/fact.ts';
import type { FactFilter } from '../../../src/facts/facts.ts';
import { fold } from '../../../src/facts/fold.ts';
import { SqliteFacts } from '../../../src/facts/sqlite-facts.ts';
import { changeOutcome, dropFact, putFact } from '../../../src/facts/write-facts.ts';
import { Database } from '../../../src/storage/database.ts';
import { ledgerFile } from '../../../src/storage/ledger-file.ts';
import { IN_MEMORY } from '../../../src/storage/open-file.ts';

const EMPTY: IndexedFact = {
  ...{ kind: 'purchase', id: '071-P-1', at: '2026-03-09T10:00:00Z' },
  ...{ seenAt: '2026-03-10T09:30:00.000Z', account: null, profile: 'shop', environment: 'live' },
  ...{ host: 'gateway.example', outcome: 'approved', amount: null, currency: null },
  ...{ reference: null, who: null, email: null, lastFour: null, message: null, label: null },
  ...{ purchase: null, customer: null, subscription: null, plan: null, operator: null },
  ...{ keys: [], words: [], names: [] },
};

/** Emptied before each use, since making one takes longer than all else. */
function openIndex() {
  const database = new Database(ledgerFile(IN_MEMORY));
  const facts = new SqliteFacts(async (work) => database.read(work));
  return {
    facts,
    put(all: readonly IndexedFact[]) {
      database.write((queries) => {
        for (let n = 0; n < 100; n++) dropFact(queries, `fact ${n}`);
        for (const [n, fact] of all.entries()) putFact(queries, `fact ${n}`, fact);
      });
    },
    change(n: number, outcome: string) {
      database.write((queries) => changeOutcome(queries, [`fact ${n}`, `fact ${n}~`], outcome));
    },
  };
}

/** Any characters, and those that mean something to a full-text query. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(...'"*^:(){}-+ANDORNEAT\u0001\u0003\ue000ß王é '),
    maxLength: 30,
  }),
);
const { facts, put, change } = openIndex();
const MONEY = /^[$€£¥]?[\d,]+\.\d+$/;

test('any part of a text of three characters or more finds it', async () => {
  const field = fc.constantFrom('reference', 'who', 'email', 'message', 'label');
  await fc.assert(
    fc.asyncProperty(field, text, fc.nat(), fc.nat(), async (name, value, from, length) => {
      put([
        { ...EMPTY, [name]: value },
        { ...EMPTY, at: '2026-03-09T11:00:00Z' },
      ]);
      const characters = [...fold(value)];
      const start = from % Math.max(1, characters.length - 2);
      const part = characters.slice(start, start + 3 + (length % 9)).join('');
      // A part is looked for word by word, and an amount with its decimals as a whole.
      fc.pre(part.split(' ').every((word) => [...word].length >= 3 && !MONEY.test(word)));
      const found = await facts.search({ text: part, limit: 9 });
      expect(found.map((fact) => fact[name])).toContain(value);
    }),
    { numRuns: 300 },
  );
});

test('accents and case make no difference', async () => {
  put([{ ...EMPTY, who: 'ZOË Ångström', names: ['ZOË Ångström'] }]);
  for (const word of ['zoe', 'Zoë', 'ANGSTROM', 'ångström', 'zo', 'å', 'A'])
    expect(await facts.search({ text: word, limit: 9 }), word).toHaveLength(1);
});

test('a short word is the beginning of a name, in any script, and of nothing else', async () => {
  put([{ ...EMPTY, reference: 'li-7', who: '李小明', names: ['李小明', "Jo O'Li"] }]);
  for (const word of ['李', '小', '小明', 'jo', 'j', 'li', 'o'])
    expect(await facts.search({ text: word, limit: 9 }), word).toHaveLength(1);
  for (const word of ['i', '7', '明李', '"', '*', '-', '\u0003'])
    expect(await facts.search({ text: word, limit: 9 }), word).toEqual([]);
});

test('no text is a mistake in a query', async () => {
  put([EMPTY]);
  await fc.assert(
    fc.asyncProperty(text, text, async (words, profile) => {
      await facts.search({ text: words, profile, outcome: profile, limit: 9 });
    }),
  );
});

const KINDS: readonly FactKind[] = ['purchase', 'refund', 'request', 'event'];
const instant = fc
  .integer({ min: 0, max: 5 })
  .map((hours) => new Date(Date.UTC(2026, 2, 9, hours)).toISOString());
const fact = fc.record<Partial<Record<keyof IndexedFact, unknown>>>({
  kind: fc.constantFrom(...KINDS),
  at: instant,
  profile: fc.constantFrom('shop', 'sandbox', null),
  outcome: fc.constantFrom('approved', 'declined', 'done', null),
  amount: fc.constantFrom(null, 25, 2_500, -2_500, 25_000),
  currency: fc.constantFrom(null, 'AUD', 'JPY', 'KWD'),
  reference: fc.constantFrom('INV-2500', 'INV-25', null),
  lastFour: fc.constantFrom('2500', '2346', null),
}) as fc.Arbitrary<Partial<IndexedFact>>;
const filter = fc.record(
  {
    kinds: fc.subarray([...KINDS]),
    since: instant,
    until: instant,
    profile: fc.constantFrom('shop', 'sandbox', 'nosuch'),
    outcome: fc.oneof(
      fc.constantFrom('approved', 'declined', 'bad'),
      fc.subarray(['approved', 'done'], { minLength: 1 }),
    ),
    amount: fc.constantFrom(25, 2_500, 7),
    money: fc.constantFrom('25', '25.00', '25.000', '7.5'),
    text: fc.constantFrom('inv', '2500', '2346', 'inv aud', 'nosuch'),
  },
  { requiredKeys: [] },
);

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

function passes(one: Fact, asked: FactFilter & { text?: string }): boolean {
  const { kinds = [], since, until, profile, outcome, amount, money, text: words } = asked;
  const exponent = DECIMALS[one.currency ?? ''] ?? 2;
  const [whole = '', decimals = ''] = (money ?? '').split('.');
  const minor = Number(whole + decimals.padEnd(exponent, '0'));
  const all = [one.reference, one.currency, one.lastFour, String(Math.abs(one.amount ?? 0))];
  return (
    (kinds.length === 0 || kinds.includes(one.kind)) &&
    (since === undefined || one.at >= since) &&
    (until === undefined || one.at < until) &&
    (profile === undefined || one.profile === profile) &&
    (outcome === undefined || [outcome].flat().includes(one.outcome ?? '')) &&
    (amount === undefined || Math.abs(one.amount ?? 0) === amount) &&
    (money === undefined || (decimals.length <= exponent && Math.abs(one.amount ?? 0) === minor)) &&
    (words ?? '').split(' ').every((word) => all.some((text) => fold(text ?? '').includes(word)))
  );
}

test('filters let through what they say, newest first, as many as are asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fact, { maxLength: 20 }),
      filter,
      fc.integer({ min: 1, max: 25 }),
      async (parts, asked, limit) => {
        const all = parts.map((part, n) => ({ ...EMPTY, id: `f-${n}`, ...part }));
        put(all);
        const expected = all.filter((one) => passes(one, asked));
        const found = await facts.search({ ...asked, limit });
        const every = await facts.search({ ...asked, limit: 100 });
        expect(every.map(({ id }) => id).toSorted()).toEqual(
          expected.map(({ id }) => id).toSorted(),
        );
        expect(found).toEqual(every.slice(0, limit));
        // What is called exactly so comes first: here, by the last four of its card.
        const isFirst = (one: Fact) => one.lastFour === asked.text;
        const times = (some: Fact[]) => some.map(({ at }) => at);
        const parted = [every.filter(isFirst), every.filter((one) => !isFirst(one))];
        expect(every).toEqual(parted.flat());
        for (const some of parted) expect(times(some)).toEqual(times(some).toSorted().toReversed());
      },
    ),
    { numRuns: 200 },
  );
});

test('what has another outcome by now is found by that, and by its words as before', async () => {
  put([{ ...EMPTY, reference: 'INV-1' }]);
  change(0, 'contradicted');
  expect(await facts.search({ text: 'inv', outcome: 'contradicted', limit: 9 })).toHaveLength(1);
  expect(await facts.search({ text: 'inv', outcome: 'approved', limit: 9 })).toEqual([]);
});
