import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import { askGateway } from '../../../../src/commands/journal/resolve-entry.ts';
import type { ListCounts } from '../../../../src/contract/envelope.ts';
import { Failure } from '../../../../src/failure.ts';
import type { FailureCode, FailureKind } from '../../../../src/failure-codes.ts';
import type { LedgerEntry } from '../../../../src/journal/ledger.ts';

const LOST: LedgerEntry = {
  id: 'entry',
  state: 'unknown',
  createdAt: '2026-03-10T09:30:00.000Z',
  settledAt: null,
  account: 'a1',
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
  operation: 'purchase create',
  refundOf: null,
  target: 'token',
  amount: 500,
  currency: null,
  reference: 'INV-1',
  body: {},
  note: null,
  status: null,
  recordId: null,
  message: null,
  batch: null,
  line: null,
  occurrence: null,
  operator: 'ada@desk',
  machine: 'desk',
  resolution: null,
  resolvedBy: null,
  enteredBy: null,
  enteredAt: null,
  proposedUntil: null,
  proposal: null,
  approvedBy: null,
};
const FOUND: JsonObject = {
  id: '071-P-A',
  reference: 'INV-1',
  amount: 500,
  successful: true,
  transaction_date: '2026-03-10T20:30:01+11:00',
};

const refusal = (code: FailureCode, kind: FailureKind = 'notFound') =>
  new Failure(code, 'Not found', '', { kind });

/** The list of a gateway; without one it has none. */
interface List {
  records?: JsonObject[];
  counts?: ListCounts;
  failure?: Failure;
}

/**
 * @param known the record of every look-up, or those of some ids
 * @param taken ids of records that another request made, or all of them
 */
async function ask(
  entry: Partial<LedgerEntry>,
  known: JsonObject | JsonObject[] | undefined,
  taken: boolean | string[] = false,
  { records, counts = {}, failure = refusal('not-found') }: List = {},
) {
  const asked: string[] = [];
  const finding = await askGateway(
    { ...LOST, ...entry },
    {
      async call(operation, { id, query }) {
        asked.push(
          `${operation.name} ${id ?? new URLSearchParams(query as Record<string, string>)}`,
        );
        if (operation.list) {
          if (!records) throw failure;
          return { records, envelope: { counts } } as unknown as Reply;
        }
        const record = Array.isArray(known) ? known.find((one) => one.id === id) : known;
        if (!record) throw refusal('not-found');
        return { records: [record] } as unknown as Reply;
      },
      isTaken: async (id) => (Array.isArray(taken) ? taken.includes(id) : taken),
    },
  );
  return { asked, state: finding.settlement?.state, said: finding.said.join(' '), finding };
}

test('a record with a known id resolves nothing if another request made it', async () => {
  const { state, said } = await ask({ recordId: '071-P-A' }, FOUND, true);
  expect(state).toBeUndefined();
  expect(said).toContain('another request made it');
});

test('a record with a known id resolves the request', async () => {
  const known = { recordId: '071-P-A' };
  expect(await ask(known, FOUND)).toMatchObject({
    asked: ['purchase get 071-P-A'],
    state: 'done',
  });
  expect(await ask(known, { ...FOUND, successful: false })).toMatchObject({ state: 'declined' });
  const unclear = await ask(known, { id: '071-P-A', amount: 500 });
  expect(unclear).toMatchObject({ state: undefined });
  const refund = { recordId: 'X', operation: 'refund create' };
  expect(await ask(refund, { id: 'X', amount: -500, successful: true })).toMatchObject({
    asked: ['refund get X'],
    state: 'done',
  });
});

const REJECTED = { ...FOUND, successful: false, message: null, transaction_date: null };

test('a rejected record resolves the request that made it, and none by its reference', async () => {
  const byId = await ask({ recordId: '071-P-A' }, REJECTED);
  expect(byId.state).toBe('rejected');
  expect(byId.said).toContain('it was rejected. This is certain.');
  const charged = { ...REJECTED, authorization: '55355' };
  expect((await ask({ recordId: '071-P-A' }, charged)).state).toBeUndefined();
  for (const transaction_date of [null, FOUND.transaction_date!])
    expect((await ask({}, { ...REJECTED, transaction_date })).state).toBeUndefined();
});

test('a look-up that is refused with the record finds it too', async () => {
  const refusing = async (response: JsonObject, errors = ['Reference is already taken']) => {
    const body = JSON.stringify({ successful: false, response, errors });
    const refused = new Failure('rejected-by-gateway', 'No', '', { body });
    const call = () => Promise.reject(refused);
    const entry = { ...LOST, recordId: '071-P-A' };
    return (await askGateway(entry, { call, isTaken: async () => false })).settlement?.state;
  };
  expect(await refusing(REJECTED)).toBe('rejected');
  expect(await refusing({ ...REJECTED, id: '071-P-B' })).toBeUndefined();
  expect(await refusing({})).toBeUndefined();
});

test.each([
  [{ id: '071-P-B', reference: 'INV-2' }, 'id is 071-P-B'],
  [{ amount: 501 }, 'amount is 501, not 500'],
  [{ amount: null }, 'does not show its amount'],
  [{ reference: 'INV-2' }, 'reference is INV-2'],
  [{ currency: 'JPY' }, 'currency is JPY, not AUD'],
  [{ card_number: '411111XXXXXX1111' }, 'card_number is 411111XXXXXX1111, not 512345XXXXXX2346'],
])('a record of another request resolves nothing: %j', async (change, why) => {
  const body = { card_number: '512345XXXXXX2346' };
  const entry = { currency: 'AUD', target: '512345XXXXXX2346', body };
  const whole = { ...FOUND, currency: 'aud', card_number: '512345XXXXXX2346' };
  for (const recordId of ['071-P-A', null]) {
    expect(await ask({ ...entry, recordId }, whole)).toMatchObject({ state: 'done' });
    if (recordId === null && 'id' in change) continue;
    const { state, said } = await ask({ ...entry, recordId }, { ...whole, ...change });
    expect(state).toBeUndefined();
    expect(said).toContain(
      recordId === null && 'reference' in change ? 'its reference differs' : why,
    );
  }
});

test('a purchase that is found by its reference resolves the request if nothing contradicts it', async () => {
  expect(await ask({}, FOUND)).toMatchObject({
    asked: ['purchase list reference=INV-1', 'purchase get INV-1'],
    state: 'done',
  });
  for (const change of [
    { amount: 501 },
    { reference: 'INV-10' },
    { id: null },
    { successful: false },
    { transaction_date: '2026-03-09T09:30:00Z' },
    { transaction_date: null },
  ])
    expect(await ask({}, { ...FOUND, ...change }), JSON.stringify(change)).toMatchObject({
      state: undefined,
    });
  expect(await ask({}, FOUND, true)).toMatchObject({ state: undefined });
  const { said } = await ask({}, { ...FOUND, captured: false });
  expect(said).toContain('It was authorised, for the same amount');
});

test('a missing record resolves nothing', async () => {
  const { state, said } = await ask({}, undefined);
  expect(state).toBeUndefined();
  expect(said).toContain('this does not settle it');
});

test('a refund without an id cannot be looked up', async () => {
  expect(await ask({ operation: 'refund create' }, FOUND)).toMatchObject({
    asked: [],
    state: undefined,
  });
});

describe('a list of purchases with the reference', () => {
  const LIST = 'purchase list reference=INV-1';
  const OTHER = { ...FOUND, id: '071-P-B' };

  test('names the purchase that is looked up by its id', async () => {
    const { asked, state, said, finding } = await ask({}, [FOUND], [], { records: [FOUND] });
    expect({ asked, state }).toEqual({ asked: [LIST, 'purchase get 071-P-A'], state: 'done' });
    expect(finding.settlement?.recordId).toBe('071-P-A');
    expect(said).toBe(
      'The gateway lists purchase 071-P-A with reference INV-1. It was approved, for the same amount, and no other known request made it. This is as good as certain.',
    );
  });

  test.each<[what: string, list: List]>([
    ['not found', {}],
    ['not allowed', { failure: refusal('rejected-by-gateway', 'rejected') }],
    ['a page', { failure: refusal('no-trustworthy-answer', 'notReached') }],
    ['a contradiction', { failure: refusal('contradictory-answer', 'notReached') }],
    ['not permitted', { failure: refusal('not-permitted', 'auth') }],
    ['a profile that does not allow it', { failure: refusal('command-not-allowed', 'guard') }],
    ['an empty list', { records: [] }],
    ['a list of others', { records: [{ ...FOUND, reference: 'INV-2' }] }],
    ['a list of all', { records: [FOUND, { ...OTHER, reference: 'INV-2' }] }],
    ['a record without a reference', { records: [{ id: '071-P-A' }] }],
  ])('is left aside if it is %s, and the reference is looked up', async (_, list) => {
    expect(await ask({}, FOUND, false, list)).toMatchObject({
      asked: [LIST, 'purchase get INV-1'],
      state: 'done',
    });
    expect(await ask({}, undefined, false, list)).toMatchObject({ state: undefined });
  });

  test.each(['not-reached', 'interrupted'] as const)('ends with the failure %s', async (code) => {
    const failure = refusal(code, 'notReached');
    await expect(ask({}, FOUND, false, { failure })).rejects.toBe(failure);
  });

  test.each<[what: string, change: JsonObject, why: string]>([
    ['another amount', { amount: 501 }, 'amount is 501, not 500'],
    ['no amount', { amount: null }, 'does not show its amount'],
    ['another currency', { currency: 'JPY' }, 'currency is JPY, not AUD'],
    ['another card', { card_number: '411111XXXXXX1111' }, 'card_number is 411111XXXXXX1111'],
    ['a decline', { successful: false, message: 'Declined' }, 'it was not approved'],
    ['contradicting flags', { authorized: false }, 'it was not approved'],
    ['an earlier time', { transaction_date: '2026-03-10T09:00:00Z' }, 'it is older'],
    ['no time', { transaction_date: null }, 'does not say when'],
    ['a time that is none', { transaction_date: 'soon' }, 'does not say when'],
  ])(
    'resolves nothing by a purchase with %s, in the list or in its record',
    async (_, change, why) => {
      const entry = { currency: 'AUD', body: { card_number: '512345XXXXXX2346' } };
      const right = { ...FOUND, currency: 'AUD', card_number: '512345XXXXXX2346' };
      const wrong = { ...right, ...change };
      expect(await ask(entry, [right], [], { records: [right] })).toMatchObject({ state: 'done' });
      for (const [listed, known] of [
        [wrong, right],
        [right, wrong],
      ] as const) {
        const { state, said } = await ask(entry, [known], [], { records: [listed] });
        expect(state).toBeUndefined();
        expect(said).toContain(why);
      }
    },
  );

  test('resolves nothing by a purchase that another request made', async () => {
    const { state, said } = await ask({}, [FOUND], ['071-P-A'], { records: [FOUND] });
    expect(state).toBeUndefined();
    expect(said).toContain('another request made it');
  });

  test('of several purchases resolves by the only one that may be of the request', async () => {
    const records = [
      { ...FOUND, id: '071-P-D', successful: false, message: 'Declined' },
      { ...FOUND, id: '071-P-T' },
      FOUND,
      { ...FOUND, id: '071-P-O', transaction_date: '2026-03-01T09:30:00Z' },
    ];
    expect(await ask({}, records, ['071-P-T'], { records })).toMatchObject({
      asked: [LIST, 'purchase get 071-P-A'],
      state: 'done',
    });
  });

  test.each<[what: string, records: JsonObject[]]>([
    ['of another id', [FOUND, OTHER]],
    ['without an id', [FOUND, { ...FOUND, id: null }]],
    ['with a number as its id', [FOUND, { ...FOUND, id: 7 }]],
    ['of another id, among others', [FOUND, OTHER, { ...FOUND, reference: 'INV-2' }]],
  ])('resolves nothing if a second purchase, %s, may be of the request', async (_, records) => {
    const { asked, state, said } = await ask({}, FOUND, [], { records });
    expect({ asked, state }).toEqual({ asked: [LIST], state: undefined });
    expect(said).toContain(
      '2 purchases with reference INV-1 that may be of this request: purchase 071-P-A',
    );
  });

  test('with the same purchase twice looks it up once', async () => {
    expect(await ask({}, [FOUND], [], { records: [FOUND, FOUND] })).toMatchObject({
      state: 'done',
    });
  });

  test.each<ListCounts>([{ total_records: 2 }, { pages: 2 }, { total_records: 1e300 }])(
    'resolves nothing if the gateway has more: %j',
    async (counts) => {
      const { asked, state, said } = await ask({}, [FOUND], [], { records: [FOUND], counts });
      expect({ asked, state }).toEqual({ asked: [LIST], state: undefined });
      expect(said).toContain('more purchases with reference INV-1 than it lists at once');
    },
  );

  test.each<[what: string, listed: JsonObject, known: JsonObject[], why: string]>([
    ['has no id', { ...FOUND, id: '' }, [FOUND], 'but it has no id'],
    ['cannot be looked up', FOUND, [], 'did not find it by its id'],
    ['is another one when it is looked up', FOUND, [], 'answered with purchase 071-P-B'],
  ])('resolves nothing if the purchase %s', async (what, listed, known, why) => {
    const answer = what.startsWith('is another') ? OTHER : known;
    const { state, said } = await ask({}, answer, [], { records: [listed] });
    expect(state).toBeUndefined();
    expect(said).toContain(why);
  });

  test('that is too long is not compared, and the message stays short', async () => {
    const many = (count: number, change: JsonObject) =>
      Array.from({ length: count }, (_, n) => ({
        ...FOUND,
        id: `${n}${'x'.repeat(900)}`,
        ...change,
      }));
    const declined = { successful: false, message: 'Declined' };
    for (const records of [many(10_000, {}), many(100, {}), many(100, declined)]) {
      const { state, said, asked } = await ask({}, undefined, [], { records });
      expect({ asked, state }).toEqual({ asked: [LIST], state: undefined });
      expect(said.length).toBeLessThan(1_500);
      expect(said.includes('too many for gw to compare')).toBe(records.length > 100);
    }
  });

  test('of a gateway that finds nothing says that it lists nothing', async () => {
    const { state, said } = await ask({}, undefined, false, { records: [] });
    expect(state).toBeUndefined();
    expect(said).toContain('The gateway lists no purchase with reference INV-1');
  });
});
