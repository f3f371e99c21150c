/** The same life told by requests, by look-ups, by webhooks and by all of them: one row for each thing, the same sums. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { learnAllDue, learnDue } from '../../../src/requests/known/learn-due.ts';
import { allRows, runSql, type Work } from '../../../src/store/sql.ts';
import { clearThings } from '../../../src/things/write.ts';
import { putEntry, putEvent, putRecord } from './sources.ts';
import { sqliteIndex } from './sqlite-index.ts';

const OWNER = { account: 'a1', profile: 'shop', environment: 'live' };
const SCOPE = { ...OWNER, environment: 'live', host: null } as const;
const HOUR = 3_600_000;

type Way = 'request' | 'record' | 'event';
const WAYS: readonly Way[] = ['request', 'record', 'event'];

/** Money that moved, or did not. */
interface Payment {
  kind: 'purchase' | 'refund';
  id: string;
  amount: number;
  outcome: 'approved' | 'declined' | 'abandoned';
  /** The event that told of a charge; undefined for what was sent from here. */
  event?: string;
  /** The purchase of a refund. */
  of?: string;
}

type Tell = () => Work<void>;

/** A history: each thing with its writers, by source. */
interface Life {
  payments: Payment[];
  things: { name: string; ways: Partial<Record<Way, Tell>> }[];
}

const CUSTOMER = { id: '071-C-1', reference: 'C-1' };
const PLAN = { id: '071-PL-1', reference: 'GOLD' };
const SUBSCRIPTION = { id: '071-S-1', reference: 'SUB-1' };
const STATUS = { approved: 'Approved', declined: 'Declined', abandoned: 'Declined' } as const;

/** Each charge is retried until it is approved or given up. */
const charges = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 });
const bought = fc.array(
  fc.record({
    amount: fc.constantFrom(300, 2_500),
    isGood: fc.boolean(),
    refund: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 4 },
);

const life = fc.tuple(charges, bought).map(([retries, purchases]): Life => {
  const payments: Payment[] = [];
  const id = (code: string) => `071-${code}-${payments.length + 10}`;
  for (const failures of retries) {
    for (let n = 0; n < failures; n++) {
      const isLast = n === 2;
      const [outcome, event] = isLast
        ? (['abandoned', 'charge:failed'] as const)
        : (['declined', 'charge:retry'] as const);
      payments.push({ kind: 'purchase', id: id('P'), amount: 2_900, outcome, event });
    }
    if (failures < 3)
      payments.push({
        ...{ kind: 'purchase', id: id('P'), amount: 2_900 },
        ...{ outcome: 'approved', event: 'charge:successful' },
      });
  }
  for (const { amount, isGood, refund } of purchases) {
    const outcome = isGood ? 'approved' : 'declined';
    const of = id('P');
    payments.push({ kind: 'purchase', id: of, amount, outcome });
    for (let n = 0; isGood && n < refund; n++)
      payments.push({ kind: 'refund', id: id('R'), amount: 100, outcome: 'approved', of });
  }
  return { payments, things: [...standing(), ...payments.map(told)] };
});

/** The plan, the customer and the subscription. */
function standing(): Life['things'] {
  const of = { customer: CUSTOMER.id, plan: PLAN.reference, frequency: 'Daily' };
  const about = { plan: { ...PLAN, amount: 2_900, currency: 'AUD' }, customer: CUSTOMER };
  const all = { ...about, subscription: { ...SUBSCRIPTION, ...of, is_active: true } };
  return Object.entries(all).map(([kind, record], n) => ({
    name: `${kind} ${record.id}`,
    ways: {
      request: () =>
        putEntry({
          ...{ ...OWNER, id: `entry ${kind}`, operation: `${kind} create`, state: 'done' },
          ...{ record_id: record.id, reference: record.reference, body: JSON.stringify(record) },
        }),
      record: () => seen(kind, record, n),
    },
  }));
}

function told(payment: Payment, n: number): Life['things'][number] {
  const { kind, id, event } = payment;
  const at = new Date(Date.UTC(2026, 2, 2) + n * HOUR).toISOString();
  const record = {
    ...{ id, currency: 'AUD', successful: payment.outcome === 'approved' },
    amount: kind === 'refund' ? -payment.amount : payment.amount,
    ...{ message: STATUS[payment.outcome], transaction_date: at },
    ...(event && { source: 'Recurring', reference: SUBSCRIPTION.reference }),
  };
  const sent = () =>
    putEntry({
      ...{
        ...OWNER,
        id: `entry ${id}`,
        operation: `${kind} create`,
        record_id: id,
        created_at: at,
      },
      ...{ state: payment.outcome === 'approved' ? 'done' : 'declined', amount: payment.amount },
      ...{ currency: kind === 'refund' ? null : 'AUD', refund_of: payment.of ?? null },
    });
  const received = () =>
    putEvent({
      // Deliveries pass one another.
      ...{ id: (n ^ 1) + 1, receivedAt: at, profile: 'shop', mode: 'Live' },
      body: {
        event: event ?? '',
        payload: [
          {
            subscription: { ...SUBSCRIPTION, customer: { ...CUSTOMER, first_name: 'Ada' } },
            response: { successful: true, response: record },
          },
        ],
      },
    });
  return {
    name: `${kind} ${id}`,
    ways: {
      record: () => seen(kind, record, n),
      ...(event ? { event: received } : { request: sent }),
    },
  };
}

function seen(kind: string, record: { id: string; reference?: string }, n: number): Work<void> {
  const { id, reference = null } = record;
  const last_seen_at = new Date(Date.UTC(2026, 2, 9) + n * HOUR).toISOString();
  return putRecord({ ...OWNER, kind, id, reference, last_seen_at, record: JSON.stringify(record) });
}

const { store, things } = sqliteIndex();

async function tell(writers: readonly Tell[], lots: readonly number[] = []): Promise<void> {
  await store.write(function* () {
    for (const table of ['events', 'records', 'money_requests', 'event_owners'])
      yield* runSql(`DELETE FROM gw.${table}`);
    yield* clearThings();
  });
  for (const [n, write] of writers.entries()) {
    await store.write(write);
    const limit = lots[n % lots.length] ?? 0;
    if (limit > 0) await store.write(() => learnDue(limit));
  }
  await learnAllDue(store);
}

const rows = () =>
  store.read(() =>
    allRows<{ kind: string; id: string }>(
      'SELECT kind, id, at, account, outcome, amount, currency, who, told, sources, texts FROM gw.things ORDER BY kind, id',
    ),
  );

/** @returns count and amount of each kind and outcome; what was given up was declined */
async function sums(): Promise<Record<string, [count: number, amount: number]>> {
  const period = { from: '2026-01-01', until: '2027-01-01' };
  const found: Record<string, [number, number]> = {};
  for (const one of await things.totals({ scope: SCOPE, ...period, by: 'reason' }))
    add(found, one.kind, one.outcome, one.count, Number(one.amount));
  return found;
}

function expected(payments: readonly Payment[]) {
  const found: Record<string, [number, number]> = {};
  for (const { kind, outcome, amount } of payments) add(found, kind, outcome, 1, amount);
  return found;
}

function add(
  sums: Record<string, [number, number]>,
  kind: string,
  outcome: string | null,
  count: number,
  amount: number,
) {
  const name = `${kind} ${outcome === 'abandoned' ? 'declined' : outcome}`;
  const [n, sum] = sums[name] ?? [0, 0];
  sums[name] = [n + count, sum + amount];
}

const writersOf = ({ things }: Life, ways: readonly Way[]) =>
  things.flatMap((thing) => ways.flatMap((way) => thing.ways[way] ?? []));

test('requests, records and events give the same sums for the payments that they have', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (lived) => {
      const tellsOf = {
        request: lived.payments.filter(({ event }) => event === undefined),
        event: lived.payments.filter(({ event }) => event !== undefined),
        record: lived.payments,
      };
      for (const way of WAYS) {
        await tell(writersOf(lived, [way]));
        expect(await sums()).toEqual(expected(tellsOf[way]));
      }
      await tell(writersOf(lived, WAYS));
      expect(await sums()).toEqual(expected(lived.payments));
      const ids = (await rows()).map(({ kind, id }) => `${kind} ${id}`);
      expect(ids).toEqual(lived.things.map(({ name }) => name).toSorted());
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('in any order, doubled, and in lots of any size: the rows are the same', async () => {
  const shuffled = life.chain((lived) => {
    const writers = writersOf(lived, WAYS);
    return fc.tuple(
      fc.constant(lived),
      fc.shuffledSubarray(writers, { minLength: writers.length }),
      fc.subarray(writers),
      fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 }),
    );
  });
  await fc.assert(
    fc.asyncProperty(shuffled, async ([lived, order, again, lots]) => {
      await tell(writersOf(lived, WAYS));
      const plain = await rows();
      await tell([...order, ...again], lots);
      expect(await rows()).toEqual(plain);
      const abandoned = lived.payments.filter(({ outcome }) => outcome === 'abandoned');
      const found = await things.search({ outcome: 'abandoned', limit: 50 });
      expect(found.map(({ id }) => id).toSorted()).toEqual(
        abandoned.map(({ id }) => id).toSorted(),
      );
    }),
    { numRuns: 60 },
  );
}, 60_000);
