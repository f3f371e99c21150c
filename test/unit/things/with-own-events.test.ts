/** A team's table beside the webhooks of this machine: what both know is one thing, and counts once. */
import { expect, test } from 'vitest';
import type { IndexedThing } from '../../../src/things/thing.ts';
import type { SearchFilter } from '../../../src/things/thing-index.ts';
import { WithOwnEvents } from '../../../src/things/with-own-events.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { sqliteIndex } from './sqlite-index.ts';

const OWNER = { account: 'a1', profile: 'shop', environment: 'live' } as const;
const SCOPE = { ...OWNER, host: 'gateway.example' };
const YEAR = { from: '2026-01-01', until: '2027-01-01' };
const team = sqliteIndex();
const own = sqliteIndex();
const both = new WithOwnEvents(team.things, own.things);

const charge = (id: string, part: Partial<IndexedThing>): IndexedThing => ({
  ...EMPTY_THING,
  ...OWNER,
  ...{ id, currency: 'AUD', label: 'Recurring', subscription: 'SUB-1', keys: [id], ...part },
});
const sent = { amount: 300, told: 'request', operator: 'ada@desk' } as const;
const sources = { requests: {}, events: [1] };
const heard = { amount: 300, told: 'event', token: 'tok', sources } as const;

async function idsOf(filter: SearchFilter): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of both.each(filter)) ids.push(id);
  return ids;
}

test('a charge that both know, whoever told the team of it, is one', async () => {
  await team.put([
    charge('071-P-1', sent),
    charge('071-P-2', { amount: 500, told: 'record', at: '2026-03-10' }),
  ]);
  await own.put([
    charge('071-P-1', heard),
    charge('071-P-2', { ...heard, amount: 900 }),
    charge('071-P-3', { ...heard, at: '2026-03-11', amount: 700 }),
    charge('071-P-4', { ...heard, outcome: 'declined', amount: null, message: 'Expired Card' }),
    charge('5', { ...heard, kind: 'event', outcome: 'declined', message: 'Insufficient Funds' }),
    charge('071-P-6', { ...heard, account: 'a2' }),
  ]);
  const found = await idsOf({ kinds: ['purchase'], scope: SCOPE });
  expect(found.toSorted()).toEqual(['071-P-1', '071-P-2', '071-P-3', '071-P-4']);

  const totals = await both.totals({ scope: SCOPE, ...YEAR, by: 'reason' });
  const counted = totals.map(({ told, outcome, by, isOurs, count, amount, withoutAmount }) => [
    ...[told, outcome, by, isOurs, count],
    ...[Number(amount), withoutAmount],
  ]);
  expect(counted.toSorted()).toEqual(
    [
      ['request', 'approved', null, true, 1, 300, 0],
      ['record', 'approved', null, true, 1, 500, 0],
      ['event', 'approved', null, true, 1, 700, 0],
      ['event', 'declined', 'Expired Card', true, 1, 0, 1],
      ['event', 'declined', 'Insufficient Funds', true, 1, 300, 0],
      ['event', 'approved', null, false, 1, 300, 0],
    ].toSorted(),
  );
  const byAda = { scope: SCOPE, ...YEAR, by: 'reason', operator: 'ada@desk' } as const;
  expect((await both.totals(byAda)).map(({ amount }) => amount)).toEqual([300n]);
  expect(await both.newestCharges(SCOPE)).toMatchObject([{ subscription: 'SUB-1', amount: 700 }]);
});

test('a charge that this machine also looked up in its file stays what its webhook told of', async () => {
  await team.put([]);
  await own.put([
    charge('071-P-1', { ...heard, told: 'record' }),
    charge('071-P-2', { ...heard, told: 'record', sources: { ...sources, events: [] } }),
  ]);
  expect(await idsOf({ kinds: ['purchase'], scope: SCOPE })).toEqual(['071-P-1']);
  const found = await both.search({ text: '071-P-1', scope: SCOPE, limit: 9 });
  expect(found.map(({ id }) => id)).toEqual(['071-P-1']);
  const totals = await both.totals({ scope: SCOPE, ...YEAR, by: 'reason' });
  expect(totals).toMatchObject([{ told: 'record', count: 1, amount: 300n }]);
});

test('the newest payment with a card tells when it expires, in whichever ledger it is', async () => {
  const at = (day: number, cardExpiry: string) => ({
    at: `2026-03-0${day}T10:00:00Z`,
    sources: { ...EMPTY_THING.sources, record: { seenAt: EMPTY_THING.seenAt, cardExpiry } },
  });
  await team.put([
    charge('071-P-1', { ...sent, token: 'old', ...at(2, '2026-04') }),
    charge('071-P-2', { ...sent, token: 'new', ...at(4, '2031-05') }),
    charge('071-P-5', { ...sent, token: 'Old', ...at(6, '2032-01') }),
  ]);
  await own.put([
    charge('071-P-3', { ...heard, token: 'old', ...at(3, '2027-04') }),
    charge('071-P-4', { ...heard, token: 'new', ...at(3, '2026-01') }),
    charge('071-P-6', { ...heard, token: 'old', told: 'heard', ...at(7, '2035-01') }),
  ]);
  const expiries = await both.cardExpiries(['old', 'new', 'other'], SCOPE);
  expect(expiries.map(({ token, cardExpiry }) => [token, cardExpiry]).toSorted()).toEqual([
    ['new', '2031-05'],
    ['old', '2027-04'],
  ]);
});

test('a name that only the team knows finds what webhooks told of its customer', async () => {
  const ada = { who: 'Ada King', reference: 'C-1', email: 'ada@example.com', token: 'tok' };
  const row = { ...EMPTY_THING, ...OWNER, ...ada, kind: 'customer', customer: '071-C-1' } as const;
  await team.put([{ ...row, id: '071-C-1', told: 'record' }]);
  await own.put([
    charge('071-P-1', { ...heard, who: 'Ada Byron', customer: '071-C-1' }),
    charge('071-P-2', { ...heard, who: 'Zoe', token: 'other', customer: '071-C-2' }),
    charge('071-P-3', { ...heard, who: 'A Byron', customer: null, account: 'a2' }),
  ]);
  for (const text of ['c-1', 'Ada King', 'ada@example.com']) {
    const found = await both.search({ text, scope: SCOPE, limit: 9 });
    expect(found.map(({ id }) => id)).toEqual(['071-C-1', '071-P-1']);
  }
  expect(await both.search({ text: 'c-1', kinds: ['refund'], scope: SCOPE, limit: 9 })).toEqual([]);
});

test('what only webhooks told of comes in its place, oldest first', async () => {
  const on = (day: number) => ({ at: `2026-03-0${day}T10:00:00Z` });
  await team.put([
    charge('071-P-2', { ...sent, ...on(2) }),
    charge('071-P-4', { ...sent, ...on(4) }),
  ]);
  await own.put([1, 3, 4, 5].map((day) => charge(`071-P-${day}`, { ...heard, ...on(day) })));
  expect(await idsOf({})).toEqual([1, 2, 3, 4, 5].map((day) => `071-P-${day}`));
});

test('a customer with many charges that both know is one', async () => {
  const customer = charge('071-C-1', { kind: 'customer', at: '2026-01-01' });
  const charges = Array.from({ length: 1_000 }, (_, n) => `071-P-${n}`);
  await team.put([
    customer,
    ...charges.map((id) => charge(id, { ...sent, customer: '071-C-1', keys: [id, '071-C-1'] })),
  ]);
  await own.put([{ ...customer, told: 'event' }, charge('071-P-new', heard)]);
  const ids = await idsOf({ kinds: ['customer', 'purchase'] });
  expect(ids.toSorted()).toEqual(['071-C-1', '071-P-new', ...charges].toSorted());
});

test('hearsay of this machine adds nothing to what the team knows, and what is heard alone is told apart', async () => {
  const told = { seenAt: '2026-03-10T00:00:00Z' };
  const record = { ...told, subscription: 'SUB-2', amount: 500, outcome: 'approved' } as const;
  const heardOf = { ...told, event: 1, isPending: false, customer: '071-C-A', email: 'ada@x.com' };
  const hearsay = { requests: {}, events: [1], heardEvents: [1], heard: heardOf };
  await team.put([
    charge('071-P-1', {
      ...{ told: 'record', subscription: 'SUB-2', amount: 500 },
      sources: { requests: {}, events: [], record },
    }),
  ]);
  await own.put(
    ['071-P-1', '071-P-2'].map((id) =>
      charge(id, { told: 'heard', customer: '071-C-A', email: 'ada@x.com', sources: hearsay }),
    ),
  );
  expect(await both.tied(['071-P-1'], { limit: 9 })).toMatchObject([
    { told: 'record', subscription: 'SUB-2', customer: null, email: null },
  ]);
  const totals = await both.totals({ scope: SCOPE, ...YEAR, by: 'reason' });
  expect(totals.map((one) => one.told).toSorted()).toEqual(['heard', 'record']);
});
