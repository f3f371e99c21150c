import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Reply } from '../../../../src/client/exchange/classify.ts';
import { askGateway } from '../../../../src/desk/resolve/resolve-entry.ts';
import { Failure } from '../../../../src/failure.ts';
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
};
const FOUND: JsonObject = {
  id: '071-P-A',
  reference: 'INV-1',
  amount: 500,
  successful: true,
  transaction_date: '2026-03-10T20:30:01+11:00',
};

async function ask(entry: Partial<LedgerEntry>, record: JsonObject | undefined, isTaken = false) {
  const asked: (string | undefined)[] = [];
  const finding = await askGateway(
    { ...LOST, ...entry },
    {
      async call(operation, { id }) {
        asked.push(`${operation.name} ${id}`);
        if (!record)
          throw new Failure('notFound', 'Purchase not found', { code: 'not-found', next: '' });
        return { records: [record] } as unknown as Reply;
      },
      isTaken: async () => isTaken,
    },
  );
  return { asked, state: finding.settlement?.state, said: finding.said.join(' ') };
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
    const refused = new Failure('rejected', 'No', { code: 'rejected-by-gateway', next: '', body });
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
  expect(await ask({}, FOUND)).toMatchObject({ asked: ['purchase get INV-1'], state: 'done' });
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
