import path from 'node:path';
import { expect, test } from 'vitest';
import type { IntentConditions, Ledger, MoneyRequest } from '../../../src/journal/ledger.ts';
import { openLedger } from '../../../src/journal/sqlite-ledger.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const REFUND: MoneyRequest = {
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
  operation: 'refund create',
  target: 'P-1',
  amount: 100,
  currency: null,
  reference: 'R-1',
  body: { transaction_id: 'P-1', amount: 100, reference: 'R-1' },
};
const GUARDED: IntentConditions = { noDuplicate: true, noOverRefund: true };
const outcome = (state: 'done' | 'unknown' | 'rejected' | 'declined') => ({
  state,
  status: 200,
  recordId: null,
  message: null,
});

interface Opened {
  ledger: Ledger;
  /** Opens it as another process would. */
  as(self: string): Promise<Ledger>;
  gone: Set<string>;
  clock: { now: () => Date; time: number };
}

async function open(): Promise<Opened> {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const gone = new Set<string>();
  const clock = { time: Date.parse('2026-03-10T09:30:00Z'), now: () => new Date(clock.time) };
  const as = (self: string) =>
    openLedger(file, clock, { owners: { self, isGone: (owner) => gone.has(owner) } });
  return { ledger: await as('first'), as, gone, clock };
}

async function intend(ledger: Ledger, change: Partial<MoneyRequest> = {}, conditions = GUARDED) {
  return ledger.intend({ ...REFUND, ...change }, conditions);
}

async function send(ledger: Ledger, change: Partial<MoneyRequest> = {}, state = outcome('done')) {
  const intended = await ledger.intend({ ...REFUND, ...change });
  if (intended.kind !== 'recorded') throw new Error(intended.kind);
  await ledger.settle(intended.id, state);
  return intended.id;
}

test('what repeats a request that succeeded, is unknown or is being sent is refused', async () => {
  for (const state of ['done', 'unknown', undefined] as const) {
    const { ledger } = await open();
    if (state) await send(ledger, {}, outcome(state));
    else await ledger.intend(REFUND);
    expect(await intend(ledger)).toMatchObject({ kind: 'duplicate', of: { reference: 'R-1' } });
    expect(await intend(ledger, {}, { ...GUARDED, noDuplicate: false })).toMatchObject({
      kind: 'recorded',
    });
  }
});

test('what was rejected or declined, or differs in anything that counts, is not a duplicate', async () => {
  const { ledger } = await open();
  await send(ledger, {}, outcome('rejected'));
  await send(ledger, {}, outcome('declined'));
  await send(ledger, { amount: 7 });
  for (const change of [
    {},
    { amount: 8 },
    { reference: null },
    { target: 'P-2' },
    { profile: 'other' },
    { operation: 'purchase create' },
  ])
    expect(await intend(ledger, change)).toMatchObject({ kind: 'recorded' });
});

test('a refund of more than is left is refused; what is uncertain counts', async () => {
  const { ledger } = await open();
  await ledger.remember(() => [
    {
      ...REFUND,
      kind: 'purchase',
      id: 'P-1',
      reference: null,
      name: null,
      lastFour: null,
      amount: 1_000,
      seenBy: 'purchase get',
      seenAt: '2026-01-01T00:00:00.000Z',
      record: {},
    },
  ]);
  await send(ledger, { amount: 400 });
  await send(ledger, { amount: 300, reference: 'R-2' }, outcome('unknown'));
  await send(ledger, { amount: 900, reference: 'R-3' }, outcome('rejected'));
  expect(await intend(ledger, { amount: 301, reference: 'R-4' })).toEqual({
    kind: 'over-refund',
    balance: { paid: 1_000, refunded: 400, uncertain: 300 },
  });
  expect(await intend(ledger, { amount: 300, reference: 'R-4' })).toMatchObject({
    kind: 'recorded',
  });
  expect(await intend(ledger, { amount: 5_000, target: 'P-unseen' })).toMatchObject({
    kind: 'recorded',
  });
});

test('a line is claimed once, by whichever process is first', async () => {
  const { ledger, as } = await open();
  const other = await as('second');
  const line = { batch: 'b', line: 'l', retryUnknown: false };
  const claims = await Promise.all([
    intend(ledger, {}, { ...GUARDED, line }),
    intend(other, {}, { ...GUARDED, line }),
  ]);
  expect(claims.map(({ kind }) => kind)).toEqual(['recorded', 'held']);
});

test('a line that certainly was not done is claimed again, one that is unknown only on demand', async () => {
  const { ledger } = await open();
  const line = { batch: 'b', line: 'l', retryUnknown: false };
  const claim = (retryUnknown: boolean) =>
    intend(ledger, {}, { ...GUARDED, line: { ...line, retryUnknown } });
  const first = await claim(false);
  if (first.kind !== 'recorded') throw new Error(first.kind);
  await ledger.settle(first.id, outcome('rejected'));
  const second = await claim(false);
  if (second.kind !== 'recorded') throw new Error(second.kind);
  await ledger.settle(second.id, outcome('unknown'));
  expect(await claim(false)).toMatchObject({ kind: 'held', by: { id: second.id } });
  const third = await claim(true);
  if (third.kind !== 'recorded') throw new Error(third.kind);
  await ledger.settle(third.id, outcome('done'));
  expect(await claim(true)).toMatchObject({ kind: 'held', by: { id: third.id, state: 'done' } });
  expect((await ledger.list({ unresolved: true, limit: 9 })).map(({ id }) => id)).toEqual([
    second.id,
  ]);
});

test('what a process that has ended was sending is unknown; what a running one is, is not', async () => {
  const { ledger, as, gone } = await open();
  await (await as('dead')).intend({ ...REFUND, reference: 'A' });
  await (await as('alive')).intend({ ...REFUND, reference: 'B' });
  gone.add('dead');
  const states = (await ledger.list({ limit: 9 })).map(({ reference, state }) => [
    reference,
    state,
  ]);
  expect(Object.fromEntries(states)).toEqual({ A: 'unknown', B: 'sending' });
});

test('where nobody can tell, the age of an intent does', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  let now = Date.parse('2026-03-10T09:30:00Z');
  const ledger = await openLedger(file, { now: () => new Date(now) });
  await ledger.intend(REFUND);
  now += 14 * 60_000;
  expect(await ledger.list({ limit: 1 })).toMatchObject([{ state: 'sending' }]);
  now += 2 * 60_000;
  expect(await ledger.list({ limit: 1 })).toMatchObject([{ state: 'unknown' }]);
});

test('only what is unknown is resolved, once', async () => {
  const { ledger } = await open();
  const id = await send(ledger, {}, outcome('unknown'));
  expect(await ledger.resolve(id, { ...outcome('done'), state: 'not-done' }, 'said')).toBe(true);
  expect(await ledger.resolve(id, outcome('done'), 'said')).toBe(false);
  expect(await ledger.find(id)).toMatchObject([{ state: 'not-done', resolution: 'said' }]);
  expect(await intend(ledger)).toMatchObject({ kind: 'recorded' });
});

test('pruning keeps what is not known', async () => {
  const { ledger, clock } = await open();
  await send(ledger, { reference: 'old' });
  await send(ledger, { reference: 'lost' }, outcome('unknown'));
  clock.time += 1_000;
  const before = new Date(clock.time).toISOString();
  await send(ledger, { reference: 'new' });
  expect(await ledger.prune(before)).toEqual({ entries: 1, records: 0, unresolved: 1 });
  const left = (await ledger.list({ limit: 9 })).map(({ reference }) => reference);
  expect(left).toEqual(['new', 'lost']);
});

test('writes of one turn share a transaction, and are on disk when they resolve', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const clock = { now: () => new Date(0) };
  let turns = 0;
  const ledger = await openLedger(file, clock, {
    async endOfTurn() {
      turns++;
    },
  });
  const reader = await openLedger(file, clock);
  const references = Array.from({ length: 20 }, (_, n) => `R-${n}`);
  await Promise.all(references.map((reference) => ledger.intend({ ...REFUND, reference })));
  expect(turns).toBe(1);
  expect(await reader.list({ limit: 99 })).toHaveLength(20);
});

test('a ledger of the first version is brought up to date with what is in it', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const { MIGRATIONS } = await import('../../../src/storage/ledger-schema.ts');
  const old = new DatabaseSync(file);
  old.exec(`${MIGRATIONS[0]}; PRAGMA application_id = ${0x67776c67}; PRAGMA user_version = 1`);
  old.exec(`INSERT INTO money_requests (id, created_at, profile, environment, host, operation, body, state)
            VALUES ('x', '2026-01-01T00:00:00Z', 'p', 'sandbox', 'h', 'refund create', '{}', 'sending')`);
  old.close();
  const ledger = await openLedger(file, { now: () => new Date('2026-03-01T00:00:00Z') });
  expect(await ledger.find('x')).toMatchObject([
    { state: 'unknown', batch: null, resolution: null },
  ]);
});
