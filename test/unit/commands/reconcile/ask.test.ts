/** Which names a row is looked up by, and in which order. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import { ask } from '../../../../src/commands/reconcile/ask.ts';
import { readBookRow } from '../../../../src/commands/reconcile/book-row.ts';
import { Failure, usage } from '../../../../src/failure.ts';
import type { Thing } from '../../../../src/things/thing.ts';
import { failureOf } from '../../../helpers/failure.ts';

const row = (fields: JsonObject) => readBookRow({ fields, isText: false }, 'AUD').row;
const NOT_FOUND = new Failure('not-found', 'Not found', '');
const REJECTED = new Failure('rejected-by-gateway', 'No id', '', { status: 400 });

type Known = Pick<Thing, 'kind' | 'id' | 'reference' | 'outcome'> &
  Partial<Pick<Thing, 'at' | 'amount' | 'currency' | 'purchase'>>;
const known = (kind: Thing['kind'], id: string, outcome: Thing['outcome'] = 'approved'): Known => ({
  kind,
  id,
  reference: 'REF',
  outcome,
});

/** @param answers records, or failures, by `kind name`; anything else is not found */
function desk(answers: Record<string, JsonObject | Failure>, memory: Known[] = []) {
  const asked: string[] = [];
  return {
    asked,
    rules: { zone: openTimeZone('UTC'), withinDays: 3 },
    async lookUp(kind: string, name: string) {
      asked.push(`${kind} ${name}`);
      const answer = answers[`${kind} ${name}`] ?? NOT_FOUND;
      if (answer instanceof Failure) throw answer;
      return { records: [answer] } as unknown as Reply;
    },
    called: async (name: string) =>
      memory.filter(({ id, reference }) => [id, reference].includes(name)) as Thing[],
    named: async (texts: readonly string[]) => texts.map(() => memory),
    refundsOf: async (purchase: string) =>
      memory.filter((thing) => thing.kind === 'refund' && thing.purchase === purchase) as Thing[],
    refundCurrency: async () => 'EUR',
  };
}

test.each<[string, JsonObject, string[]]>([
  ['an id by its kind', { id: '071-R-1' }, ['refund 071-R-1']],
  ['an id of no known shape as a purchase', { id: 'x' }, ['purchase x']],
  ['a reference as that of a purchase', { reference: 'REF' }, ['purchase REF']],
  ['a subscription by whatever it has', { subscription: 'SUB' }, ['subscription SUB']],
  ['nothing where what is below zero has a reference alone', { reference: 'REF', amount: -1 }, []],
])('a row asks for %s', async (_, fields, asked) => {
  const one = desk({});
  expect(await ask(one, row(fields))).toBeUndefined();
  expect(one.asked).toEqual(asked);
});

test('a record is requested once', async () => {
  const one = desk({ 'purchase REF': { id: '071-P-1', currency: 'AUD' } }, [
    known('refund', '071-R-1'),
  ]);
  const found = await ask(one, row({ reference: 'REF' }));
  expect(found).toEqual({
    kind: 'purchase',
    record: { id: '071-P-1', currency: 'AUD' },
    currency: 'AUD',
  });
  expect(one.asked).toEqual(['purchase REF']);
});

test('a reference that the gateway does not find or accept is looked up by its known id', async () => {
  for (const first of [NOT_FOUND, REJECTED]) {
    const answers = { 'purchase REF': first, 'refund 071-R-1': { id: '071-R-1' } };
    const one = desk(answers, [known('refund', '071-R-1')]);
    const found = await ask(one, row({ reference: 'REF' }));
    expect(found).toMatchObject({ kind: 'refund', currency: 'EUR', reference: 'REF' });
    expect(one.asked).toEqual(['purchase REF', 'refund 071-R-1']);
  }
});

test('an approved record is preferred to a declined one', async () => {
  const memory = [known('purchase', '071-P-1', 'declined'), known('purchase', '071-P-2')];
  const one = desk({ 'purchase 071-P-2': { id: '071-P-2' } }, memory);
  expect((await ask(one, row({ reference: 'REF' })))?.record.id).toBe('071-P-2');
});

test('a name of several records is not guessed', async () => {
  const one = desk({}, [known('purchase', '071-P-1'), known('purchase', '071-P-2')]);
  const failure = await failureOf(() => ask(one, row({ reference: 'REF' })));
  expect(failure.message).toBe('REF names several records here: 071-P-1, 071-P-2.');
});

describe('a name of several records, as all charges of a subscription have one', () => {
  const charge = (id: string, day: string, amount: number) => ({
    ...known('purchase', id),
    ...{ at: `${day}T09:00:00.000Z`, amount, currency: 'AUD' },
  });
  const MEMORY = [
    charge('071-P-1', '2026-03-01', 700),
    charge('071-P-2', '2026-03-08', 700),
    charge('071-P-3', '2026-03-10', 900),
    charge('071-P-4', '2026-03-10', 900),
    charge('071-P-5', '2026-01-05', 300),
  ];
  const answers = Object.fromEntries(MEMORY.map(({ id }) => [`purchase ${id}`, { id }]));

  test.each<[string, JsonObject, string | undefined]>([
    ['the nearest with its amount', { date: '2026-03-09', amount: 700 }, '071-P-2'],
    ['the nearest, if the amount is wrong', { date: '2026-03-02', amount: 701 }, '071-P-1'],
    ['one that is far away by its amount', { date: '2026-03-20', amount: 300 }, '071-P-5'],
    ['none of two that fit as well', { date: '2026-03-10', amount: 900 }, undefined],
    ['none without a date', { amount: 300 }, undefined],
    ['none where nothing fits', { date: '2026-04-20', amount: 5 }, undefined],
  ])('means %s', async (_, fields, id) => {
    const found = await ask(desk(answers, MEMORY), row({ reference: 'REF', ...fields })).catch(
      ({ message }) => message,
    );
    if (id === undefined) expect(found).toContain('REF names several records here');
    else expect(found).toMatchObject({ record: { id }, reference: 'REF' });
  });

  test('an id among the words tells more than the reference beside it', async () => {
    const one = { ...row({ amount: 700 }), texts: ['KARTENZAHLUNG 071-P-1 REF'] };
    expect(await ask(desk(answers, MEMORY), one)).toMatchObject({ record: { id: '071-P-1' } });
  });
});

test('a refused look-up does not mean that the record is missing', async () => {
  expect(
    await failureOf(() => ask(desk({ 'purchase REF': REJECTED }), row({ reference: 'REF' }))),
  ).toBe(REJECTED);
});

test('any other failure is reported', async () => {
  const failure = usage('id-missing', 'x', 'x');
  expect(
    await failureOf(() => ask(desk({ 'refund 071-R-1': failure }), row({ id: '071-R-1' }))),
  ).toBe(failure);
});

test('a plan cannot be reconciled', async () => {
  const one = desk({});
  const failure = await failureOf(() => ask(one, row({ id: '071-PL-1' })));
  expect([failure.code, one.asked]).toEqual(['kind-not-reconciled', []]);
});

describe('a row without a name', () => {
  const texts = ['CARD PMT INV-1042 REF 8871'];
  const nameless = { ...row({}), texts };

  test('has the record that its texts name, which the gateway is asked for by id', async () => {
    const one = desk({ 'purchase 071-P-1': { id: '071-P-1' } }, [known('purchase', '071-P-1')]);
    expect(await ask(one, nameless)).toMatchObject({ kind: 'purchase', reference: 'REF' });
    expect(one.asked).toEqual(['purchase 071-P-1']);
  });

  test('has none if its texts name none, and the gateway is not asked', async () => {
    const one = desk({});
    expect(await ask(one, nameless)).toBeUndefined();
    expect(one.asked).toEqual([]);
  });

  test('is ambiguous if they name two, and never the first', async () => {
    const one = desk({}, [known('purchase', '071-P-1'), known('purchase', '071-P-2')]);
    const failure = await failureOf(() => ask(one, nameless));
    expect([failure.code, failure.message, one.asked]).toEqual([
      'reference-ambiguous',
      '"CARD PMT INV-1042 REF 8871" names several records here: 071-P-1, 071-P-2.',
      [],
    ]);
  });

  test.each([
    [100, '071-P-1'],
    [-100, '071-R-1'],
  ])('with %i has the record of that sign where both have the reference', async (amount, id) => {
    const one = desk(
      { 'purchase 071-P-1': { id: '071-P-1' }, 'refund 071-R-1': { id: '071-R-1' } },
      [known('purchase', '071-P-1'), known('refund', '071-R-1')],
    );
    expect((await ask(one, { ...nameless, amount }))?.record.id).toBe(id);
  });
});

test("a bank's reference that the gateway does not know may have a name among other words", async () => {
  const answers = { 'purchase PMT REF': REJECTED, 'purchase 071-P-1': { id: '071-P-1' } };
  // No record has the whole text as its name.
  const one = { ...desk(answers, [known('purchase', '071-P-1')]), called: async () => [] };
  const found = await ask(one, row({ reference: 'PMT REF' }));
  expect(found).toMatchObject({ kind: 'purchase', reference: 'REF', isByOther: true });
  // One word is the name itself, or it is none.
  expect(await ask(one, row({ reference: 'PMT-REF' }))).toBeUndefined();
});

test('a row on the wrong side has the purchase that it names', async () => {
  const one = desk({ 'purchase REF': { id: '071-P-1' } });
  const said = { ...row({ reference: 'REF', amount: -100 }), side: 'debit' as const };
  expect((await ask(one, said))?.record.id).toBe('071-P-1');
});

describe('a row of money that goes out, by the name of its purchase', () => {
  const purchase = { ...known('purchase', '071-P-1'), reference: 'WEB-1' };
  const refund = (id: string, amount: number, at: string): Known => ({
    ...{ kind: 'refund', id, reference: `RET-${id}`, outcome: 'approved' },
    ...{ purchase: '071-P-1', amount, at, currency: 'AUD' },
  });
  const memory = [
    purchase,
    refund('071-R-1', -3_000, '2026-02-24T00:00:00Z'),
    refund('071-R-2', -2_000, '2026-03-17T00:00:00Z'),
  ];
  const answers = {
    'purchase WEB-1': { id: '071-P-1', reference: 'WEB-1' },
    'purchase 071-P-1': { id: '071-P-1' },
    'refund 071-R-1': { id: '071-R-1' },
    'refund 071-R-2': { id: '071-R-2' },
  };

  test.each<[string, JsonObject]>([
    ['its reference', { reference: 'WEB-1', amount: -2_000, date: '2026-03-17' }],
    ['its id', { id: '071-P-1', amount: -2_000, date: '2026-03-18' }],
  ])('is the refund with that amount: %s', async (_, fields) => {
    const one = desk(answers, memory);
    const found = await ask(one, row(fields));
    expect(found).toMatchObject({ kind: 'refund', record: { id: '071-R-2' }, isByOther: true });
    expect(one.asked).toEqual(['refund 071-R-2']);
  });

  test('is the refund also where the name stands among other words', async () => {
    const words = { ...row({ amount: -3_000, date: '2026-02-24' }), texts: ['Refund of WEB-1'] };
    const one = { ...desk(answers, memory), named: async () => [[purchase as Thing]] };
    expect((await ask(one, words))?.record.id).toBe('071-R-1');
  });

  test('is no refund where two of that amount are as near', async () => {
    const twins = [
      purchase,
      refund('071-R-1', -2_000, '2026-03-17T00:00:00Z'),
      refund('071-R-2', -2_000, '2026-03-17T00:00:00Z'),
    ];
    const fields = { reference: 'WEB-1', amount: -2_000, date: '2026-03-17' };
    const failure = await failureOf(() => ask(desk(answers, twins), row(fields)));
    expect(failure.code).toBe('reference-ambiguous');
  });

  test('money that comes in is the purchase', async () => {
    const fields = { reference: 'WEB-1', amount: 12_000, date: '2026-02-10' };
    expect((await ask(desk(answers, memory), row(fields)))?.record.id).toBe('071-P-1');
  });
});
