/**
 * Searching, held against reading all things one by one: what any index of things has to do, whatever
 * store it is in. Each test file gives its own.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal } from '../../../src/contract/money.ts';
import type { SqlStore } from '../../../src/store/sql.ts';
import { fold } from '../../../src/things/normalise.ts';
import { isOwnedBy, type Owner } from '../../../src/things/owner.ts';
import type { ReadSources } from '../../../src/things/read-sources.ts';
import { StoredThings } from '../../../src/things/stored-things.ts';
import type { IndexedThing, Thing, ThingKind } from '../../../src/things/thing.ts';
import { columnsOf } from '../../../src/things/thing-columns.ts';
import type {
  MoneyCondition,
  SearchFilter,
  SearchIndex,
  SearchQuery,
} from '../../../src/things/thing-index.ts';
import { keyOfWord } from '../../../src/things/words.ts';
import { clearThings, writeRows } from '../../../src/things/write.ts';
import { EMPTY_THING } from './empty-thing.ts';

/** An index for all tests of a file. */
export interface TestIndex {
  things: StoredThings;
  store: SqlStore;
  /** Has these rows in it then and no others. */
  put(all: readonly IndexedThing[]): Promise<void>;
}

/** @param store with the tables of a ledger @param read reads the sources that it keeps */
export function testIndex(store: SqlStore, read: ReadSources): TestIndex {
  return {
    store,
    things: new StoredThings(store, read),
    put: (all) =>
      store.write(function* () {
        yield* clearThings();
        yield* writeRows(
          all.map((thing) => ({ before: undefined, now: { thing, columns: columnsOf(thing) } })),
        );
      }),
  };
}

/** Any characters, and those that mean something to a full-text query. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(...'"*^:(){}-+ANDORNEAT\u0003ß王é '),
    maxLength: 30,
  }),
);
const MONEY = /^[$€£¥]?[\d,]+\.\d+$/;

const MINE = '0123456789abcdef0123456789abcdef';
const KINDS: readonly ThingKind[] = ['purchase', 'refund', 'request', 'event'];
const instant = fc
  .integer({ min: 0, max: 5 })
  .map((hours) => new Date(Date.UTC(2026, 2, 9, hours)).toISOString());
const thing = fc.record<Partial<Record<keyof IndexedThing, unknown>>>({
  kind: fc.constantFrom(...KINDS),
  at: instant,
  profile: fc.constantFrom('shop', 'sandbox', null),
  outcome: fc.constantFrom('approved', 'declined', 'done', null),
  amount: fc.constantFrom(null, 25, 2_500, -2_500, 25_000),
  currency: fc.constantFrom(null, 'AUD', 'JPY', 'KWD'),
  reference: fc.constantFrom('INV-2500', 'INV-25', 'inv-25', null),
  account: fc.constantFrom(null, MINE, `${MINE}:4010`, `${MINE}:4011`, 'a2'),
  environment: fc.constantFrom('live', 'sandbox', 'Live', null),
  host: fc.constantFrom('127.0.0.1:4010', '127.0.0.1:4011', null),
  lastFour: fc.constantFrom('2500', '2346', null),
}) as fc.Arbitrary<Partial<IndexedThing>>;
export const scopes = fc.record({
  profile: fc.constantFrom('shop', 'sandbox', 'nosuch'),
  environment: fc.constantFrom('live', 'sandbox', null),
  account: fc.constantFrom(null, MINE, `${MINE}:4010`),
  host: fc.constantFrom('127.0.0.1:4010', null),
}) as fc.Arbitrary<Owner>;
const filter = fc.record(
  {
    kinds: fc.subarray([...KINDS]),
    since: instant,
    until: instant,
    profile: fc.constantFrom('shop', 'sandbox', 'nosuch'),
    scope: scopes,
    reference: fc.constantFrom('INV-25', 'inv-2500'),
    outcome: fc.oneof(
      fc.constantFrom('approved', 'declined', 'bad'),
      fc.subarray(['approved', 'done'], { minLength: 1 }),
    ),
    amount: fc.constantFrom('7', '2500', '25', '25.00', '25.000', '7.5'),
    min: fc.constantFrom('0.25', '7.5', '25.001'),
    max: fc.constantFrom('25', '7.5', '24.999'),
    text: fc.constantFrom('inv', '2500', '2346', 'inv aud', 'nosuch'),
  },
  { requiredKeys: [] },
);

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

function passes(one: Thing, asked: SearchFilter & { text?: string }): boolean {
  const { kinds = [], since, until, profile, scope, reference } = asked;
  const { outcome, amount, min, max, text: words } = asked;
  // In ten thousandths of a minor unit, which all of these are whole numbers of.
  const decimals = DECIMALS[one.currency ?? ''] ?? 2;
  const unit = 10 ** (4 - decimals);
  const tenThousandths = (money: MoneyCondition) => Math.round(Number(money) * 10_000);
  const own = one.amount === null ? Number.NaN : Math.abs(one.amount) * unit;
  const money = formatDecimal(Math.abs(one.amount ?? 0), decimals);
  const all = [one.reference, one.currency, one.lastFour, money];
  return (
    (kinds.length === 0 || kinds.includes(one.kind)) &&
    (since === undefined || one.at >= since) &&
    (until === undefined || one.at < until) &&
    (profile === undefined || one.profile === profile) &&
    (scope === undefined || isOwnedBy(one, scope, 'listed')) &&
    (reference === undefined || one.reference === reference) &&
    (outcome === undefined || [outcome].flat().includes(one.outcome ?? '')) &&
    (amount === undefined || own === tenThousandths(amount)) &&
    (min === undefined || own >= tenThousandths(min)) &&
    (max === undefined || own <= tenThousandths(max)) &&
    (words ?? '').split(' ').every((word) => all.some((text) => fold(text ?? '').includes(word)))
  );
}

/**
 * @param index asked for in each test
 * @param runs of each property
 */
export function searchCases(index: () => TestIndex, runs: number): void {
  const things = {
    search: (search: Parameters<SearchIndex['search']>[0]) => index().things.search(search),
  };
  const put = (all: readonly IndexedThing[]) => index().put(all);

  test('any part of a text of three characters or more finds it', async () => {
    const field = fc.constantFrom('reference', 'who', 'email', 'message', 'label');
    await fc.assert(
      fc.asyncProperty(field, text, fc.nat(), fc.nat(), async (name, value, from, length) => {
        await put([
          { ...EMPTY_THING, [name]: value },
          { ...EMPTY_THING, id: '071-P-2', at: '2026-03-09T11:00:00Z' },
        ]);
        const characters = [...fold(value)];
        const start = from % Math.max(1, characters.length - 2);
        const part = characters.slice(start, start + 3 + (length % 9)).join('');
        // A part is looked for word by word, and an amount with its decimals as a whole.
        fc.pre(part.split(' ').every((word) => [...word].length >= 3 && !MONEY.test(word)));
        const found = await things.search({ text: part, limit: 9 });
        expect(found.map((thing) => thing[name])).toContain(value);
      }),
      { numRuns: runs },
    );
  });

  test('accents and case make no difference', async () => {
    await put([{ ...EMPTY_THING, who: 'ZOË Ångström', names: ['ZOË Ångström'] }]);
    for (const word of ['zoe', 'Zoë', 'ANGSTROM', 'ångström', 'zo', 'å', 'A'])
      expect(await things.search({ text: word, limit: 9 }), word).toHaveLength(1);
  });

  test('a short word is the beginning of a name, in any script, and of nothing else', async () => {
    await put([{ ...EMPTY_THING, reference: 'li-7', who: '李小明', names: ['李小明', "Jo O'Li"] }]);
    for (const word of ['李', '小', '小明', 'jo', 'j', 'li', 'o'])
      expect(await things.search({ text: word, limit: 9 }), word).toHaveLength(1);
    for (const word of ['i', '7', '明李', '"', '*', '-', '\u0003'])
      expect(await things.search({ text: word, limit: 9 }), word).toEqual([]);
  });

  test('a short word is a part of a message beside the word that is next to it', async () => {
    await put([{ ...EMPTY_THING, message: 'Declined - Do Not Honour, Refer to Card Issuer' }]);
    for (const said of ['refer to card issuer', 'Do not honour', 'refer to'])
      expect(await things.search({ text: said, limit: 9 }), said).toHaveLength(1);
    for (const said of ['issuer to card', 'to', 'card to refer'])
      expect(await things.search({ text: said, limit: 9 }), said).toEqual([]);
  });

  test('a word is found behind many newer things that only have its parts', async () => {
    const parts = Array.from({ length: 1_100 }, (_, n) => ({
      ...EMPTY_THING,
      id: `p-${n}`,
      message: 'lov ovel vela elace',
    }));
    await put([{ ...EMPTY_THING, at: '2026-03-09T09:00:00Z', message: 'lovelace' }, ...parts]);
    expect(await things.search({ text: 'lovelace', limit: 2 })).toMatchObject([
      { id: EMPTY_THING.id },
    ]);
  });

  test('no text is a mistake in a query', async () => {
    await put([EMPTY_THING]);
    await fc.assert(
      fc.asyncProperty(text, text, async (words, profile) => {
        await things.search({ text: words, profile, outcome: profile, limit: 9 });
      }),
    );
  });

  test('an amount that is its last four too is found by either', async () => {
    await put([{ ...EMPTY_THING, kind: 'request', amount: 250_000, lastFour: '2500' }]);
    expect(await things.search({ amount: '2500', limit: 9 })).toHaveLength(1);
    expect(await things.search({ text: '2500', limit: 9 })).toHaveLength(1);
  });

  test('four digits are no part of the number of an authorisation, which no list shows', async () => {
    const stranger = { ...EMPTY_THING, id: 'a-1', who: 'Ada', lastFour: '0000', words: ['274242'] };
    await put([stranger, { ...EMPTY_THING, id: 'a-2', who: 'Ada', lastFour: '4242' }]);
    const found = async (text: string) =>
      (await things.search({ text, limit: 9 })).map(({ id }) => id);
    for (const text of ['4242', 'ada 4242', '4242 approved', '742'])
      expect(await found(text)).toEqual(text === '742' ? [] : ['a-2']);
    for (const text of ['274242', 'ada 74242']) expect(await found(text)).toEqual(['a-1']);
  });

  test('words find things of a kind and an outcome', async () => {
    const outcomes = ['approved', 'declined', 'abandoned', 'deleted', null] as const;
    const things = outcomes.map((outcome, n) => ({ id: `f-${n}`, outcome }));
    const others = [{ id: 'f-9', kind: 'refund', outcome: 'declined' }] as const;
    await put([...things, ...others].map((one) => ({ ...EMPTY_THING, who: 'Ada', ...one })));
    const found = async (outcome: string | string[] | undefined, ...kinds: ThingKind[]) =>
      (await index().things.search({ text: 'ada', outcome, kinds, limit: 9 })).map(({ id }) => id);
    expect((await found('declined', 'purchase')).toSorted()).toEqual(['f-1', 'f-2']);
    expect((await found(['deleted', 'approved'])).toSorted()).toEqual(['f-0', 'f-3']);
    expect(await found(undefined, 'refund', 'plan')).toEqual(['f-9']);
  });

  test('a subscription is active or ended by the day of its gateway', async () => {
    const ends = [
      ['s-1', null, 'live'],
      ['s-2', '2026-03-10', 'live'],
      ['s-3', '2026-03-11', 'live'],
      ['s-4', '2026-03-11', 'local'],
    ] as const;
    const rows = ends.map(([id, endsOn, environment]) => {
      return { ...EMPTY_THING, id, endsOn, environment, kind: 'subscription', outcome: 'active' };
    });
    const stopped = { kind: 'subscription', id: 's-5', endsOn: '2026-03-01', outcome: 'stopped' };
    await put(
      [...rows, { ...EMPTY_THING, ...stopped }].map((one) => ({
        ...one,
        who: 'Ada',
      })) as IndexedThing[],
    );
    const days = { others: '2026-03-11', local: '2026-04-01' };
    const found = async (outcome: string | string[], text?: string) =>
      (await things.search({ outcome, text, days, limit: 9 })).map(({ id }) => id).toSorted();
    for (const text of [undefined, 'ada']) {
      expect(await found('ended', text)).toEqual(['s-2', 's-4']);
      expect(await found('active', text)).toEqual(['s-1', 's-3']);
      expect(await found(['ended', 'active'], text)).toEqual(['s-1', 's-2', 's-3', 's-4']);
      expect(await found(['ended', 'stopped'], text)).toEqual(['s-2', 's-4', 's-5']);
    }
    const worded = await things.search({ text: 'ada ended', days, limit: 9 });
    expect(worded.map(({ id }) => id).toSorted()).toEqual(['s-2', 's-4']);
    expect(await things.search({ outcome: 'ended', limit: 9 })).toEqual([]);
  });

  test('a word that is an outcome finds things with it, by whatever message', async () => {
    const outcomes = [
      ['p-1', 'declined', 'Invalid Card'],
      ['p-2', 'abandoned', null],
      ['p-3', 'approved', 'Not declined'],
      ['p-4', 'deleted', null],
    ] as const;
    const rows = outcomes.map(([id, outcome, message]) => ({
      ...EMPTY_THING,
      id,
      outcome,
      message,
    }));
    await put(rows.map((one) => ({ ...one, who: 'Ada' })));
    const found = await things.search({ text: 'ada declined', limit: 9 });
    expect(found.map(({ id }) => id).toSorted()).toEqual(['p-1', 'p-2', 'p-3']);
  });

  test('an address is found by itself and its beginning, and not by its end, which is that of another one', async () => {
    await put([
      { ...EMPTY_THING, kind: 'customer', id: 'c-1', email: 'freya.stewart@example.org' },
      { ...EMPTY_THING, kind: 'customer', id: 'c-2', email: 'art@example.org' },
      { ...EMPTY_THING, id: 'p-1', note: 'asked by art@example.org' },
    ]);
    const ids = async (text: string) =>
      (await index().things.search({ text, limit: 9 })).map(({ id }) => id).toSorted();
    expect(await ids('art@example.org')).toEqual(['c-2', 'p-1']);
    expect(await ids('art@example.or')).toEqual(['c-2', 'p-1']);
    expect(await ids('Freya.Stewart@example.org')).toEqual(['c-1']);
    expect(await ids('@example.org')).toEqual(['c-1', 'c-2', 'p-1']);
    expect(await ids('stewart')).toEqual(['c-1']);
    expect(await ids('t@example.org')).toEqual([]);
  });

  test('the words of names are known, and not those of names that a customer has', async () => {
    const names = { who: "Jürgen O'Neil", names: [], email: 'j.oneil@example.com' };
    const other = { id: 'p-2', who: 'Grace Hopper', customer: '071-C-1' };
    await put([
      { ...EMPTY_THING, ...names, kind: 'customer', customer: '071-C-2' },
      { ...EMPTY_THING, ...other },
      { ...EMPTY_THING, id: 'p-3', who: 'Ida Rhodes', reference: 'INV-9' },
    ]);
    const words = ['jurgen', 'juergen', "o'neil", 'oneil', 'neil', 'j.oneil', 'rhodes', 'hopper'];
    const keys = [
      ...words.map(keyOfWord),
      'inv-9',
      'inv-8',
      'ida rhodes',
      keyOfWord('example.com'),
    ];
    expect(await index().things.known(keys)).toEqual(
      keys.filter((key) => key !== keyOfWord('hopper') && key !== 'inv-8'),
    );
    expect(await index().things.known([])).toEqual([]);
    const begun = await index().things.keysFrom([keyOfWord('j'), keyOfWord('rh')]);
    const expected = ['j.oneil', 'juergen', 'jurgen', 'rhodes'].map(keyOfWord);
    expect(begun.toSorted()).toEqual(expected);
  });

  test('all that belongs to a customer is found by its reference, and what a plan charges by the plan', async () => {
    const customer = { kind: 'customer', id: '071-C-1', reference: 'C-1' } as const;
    await put([
      { ...EMPTY_THING, ...customer },
      { ...EMPTY_THING, id: 'p-1', customer: '071-C-1', plan: '071-PL-1' },
      { ...EMPTY_THING, id: 'p-2', customer: '071-C-2', plan: 'gold' },
    ]);
    const ids = async (query: Omit<SearchQuery, 'limit'>) =>
      (await index().things.search({ ...query, limit: 9 })).map(({ id }) => id).toSorted();
    expect(await ids({ text: 'C-1' })).toEqual(['071-C-1', 'p-1']);
    expect(await ids({ text: 'C-1', kinds: ['purchase'] })).toEqual(['p-1']);
    expect(await ids({ plans: ['071-PL-1', 'gold'] })).toEqual(['p-1', 'p-2']);
    expect(await ids({ plans: ['gold'], text: 'p-2' })).toEqual(['p-2']);
  });

  test('filters let through what they say, newest first, as many as are asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(thing, { maxLength: 20 }),
        filter,
        fc.integer({ min: 1, max: 25 }),
        async (parts, asked, limit) => {
          const all = parts.map((part, n) => ({
            ...{ ...EMPTY_THING, id: `f-${n}`, ...part },
            // A reference is a name of its thing.
            keys: part.reference ? [part.reference] : [],
          }));
          await put(all);
          const expected = all.filter((one) => passes(one, asked));
          const found = await things.search({ ...asked, limit });
          const every = await things.search({ ...asked, limit: 100 });
          expect(every.map(({ id }) => id).toSorted()).toEqual(
            expected.map(({ id }) => id).toSorted(),
          );
          expect(found).toEqual(every.slice(0, limit));
          // Exact matches come first: here, the last four digits of a card.
          const isFirst = (one: Thing) => one.lastFour === asked.text;
          const times = (some: Thing[]) => some.map(({ at }) => at);
          const parted = [every.filter(isFirst), every.filter((one) => !isFirst(one))];
          expect(every).toEqual(parted.flat());
          for (const some of parted)
            expect(times(some)).toEqual(times(some).toSorted().toReversed());
        },
      ),
      { numRuns: runs },
    );
  });
}
