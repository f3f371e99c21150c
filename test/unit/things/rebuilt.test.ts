/** After any writes, deletions and lots, the table is the same as one that is rebuilt from its sources. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learnAllDue, learnDue, rebuildIndex } from '../../../src/requests/known/learn-due.ts';
import { allRows, engine, runSql, type SqlStore, type Work } from '../../../src/store/sql.ts';
import type { SourceIds, ThingRow } from '../../../src/things/thing.ts';
import { searchable } from '../../../src/things/thing-columns.ts';
import { keysOf } from '../../../src/things/words.ts';
import { purgeThings } from '../../../src/things/write.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { postgresIndex } from './postgres-index.ts';
import { contradict, putEntry, putEvent, putRecord, removeSource } from './sources.ts';
import { sqliteIndex } from './sqlite-index.ts';

/** A step that changes the sources or the table. */
type Step = { name: string; does: () => Work<unknown> };

const step = (name: string, does: () => Work<unknown>): Step => ({ name, does });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const one = <Value>(...values: Value[]) => fc.constantFrom(...values);

const time = fc
  .integer({ min: 0, max: 9 })
  .map((hour) => `2026-03-0${1 + (hour % 3)}T0${hour}:00:00.000Z`);
const CUSTOMERS = ['071-C-1', '071-C-2'];
const CUSTOMER_REFERENCES = ['C-1', 'C-2'];
const SUBSCRIPTIONS = ['071-S-1', '071-S-2'];
const SUBSCRIPTION_REFERENCES = ['SUB-1', 'SUB-2'];
const PURCHASES = ['071-P-1', '071-P-2', '071-P-3'];
const PLANS = ['071-PL-1', 'GOLD'];
const customerName = one(...CUSTOMERS, ...CUSTOMER_REFERENCES);
const account = one('a1', 'a1', 'a1', 'a1', 'a2');
const profile = one('shop', 'shop', 'shop', 'shop', 'desk');
const environment = one('live', 'live', 'sandbox');
const someone = maybe(one('Ada', 'Zoë Ångström'));
const amount = one(300, 2_500);

const bodies = {
  purchase: fc.record({
    amount,
    currency: maybe(one('AUD', 'JPY')),
    successful: fc.boolean(),
    authorized: maybe(fc.boolean()),
    message: maybe(one('Approved', 'Declined', 'Voided')),
    source: maybe(one('Recurring')),
    transaction_date: maybe(time),
    card_token: maybe(one('tok')),
  }),
  refund: fc.record({
    amount,
    successful: fc.boolean(),
    refunded: maybe(one('Approved', 'Declined')),
    transaction_date: maybe(time),
  }),
  customer: fc.record({
    email: maybe(one('ada@example.org')),
    created_at: maybe(time),
    card_token: maybe(one('tok')),
  }),
  subscription: fc.record({
    customer: maybe(customerName),
    plan: maybe(one(...PLANS)),
    is_active: fc.boolean(),
    last_status: maybe(one('Successful')),
  }),
  plan: fc.record({ amount, currency: one('AUD') }),
  card: fc.record({ successful: fc.boolean() }),
};
const NAMES = {
  purchase: [PURCHASES, ['INV-1', 'SUB-1']],
  refund: [['071-R-1', '071-R-2'], ['RET-1']],
  customer: [CUSTOMERS, CUSTOMER_REFERENCES],
  subscription: [SUBSCRIPTIONS, SUBSCRIPTION_REFERENCES],
  plan: [['071-PL-1'], ['GOLD']],
  card: [['tok'], ['alias']],
} as const;
type Kind = keyof typeof NAMES;
const KINDS = Object.keys(NAMES) as Kind[];
const named = one(...KINDS).chain((kind) =>
  fc.record({ kind: fc.constant(kind), id: one(...NAMES[kind][0]) }),
);

const seen = named.chain(({ kind, id }) =>
  fc
    .record({
      ...{ account, profile, environment, last_seen_at: time, name: someone },
      reference: maybe(one(...NAMES[kind][1])),
      record: bodies[kind] as fc.Arbitrary<object>,
      seen_by: one('get', 'customer delete'),
    })
    .map((row) =>
      step(`record ${kind} ${id} ${JSON.stringify(row)}`, () =>
        putRecord({ ...row, kind, id, record: JSON.stringify({ id, ...row.record }) }),
      ),
    ),
);

const entry = fc
  .record({
    ...{ id: one('e1', 'e2', 'e3'), account, profile, environment, amount },
    operation: one(...KINDS.filter((kind) => kind !== 'card'), 'api').map(
      (kind) => `${kind} create`,
    ),
    state: one('sending', 'unknown', 'done', 'declined', 'not-done'),
    record: fc.nat({ max: 1 }),
    reference: maybe(one('C-1', 'SUB-1', 'INV-1')),
    refund_of: one(...PURCHASES),
    body: fc.record({ card_holder: someone, customer: customerName, plan: one(...PLANS) }),
    created_at: time,
    settled_at: maybe(time),
  })
  .map(({ record, body, refund_of, ...row }) => {
    const kind = row.operation.split(' ')[0] as Kind;
    const ids = NAMES[kind]?.[0] ?? PURCHASES;
    const isSettled = row.state === 'done' || row.state === 'declined';
    const record_id = isSettled ? (ids[record] ?? null) : null;
    const money = kind === 'refund' ? { refund_of, target: refund_of } : {};
    return step(`entry ${JSON.stringify({ ...row, record_id, body, ...money })}`, () =>
      putEntry({ ...row, record_id, ...money, body: JSON.stringify(body) }),
    );
  });

const id = one(1, 2, 3, 4, 5, 6);
const customer = fc
  .record({
    id: maybe(one(...CUSTOMERS)),
    reference: maybe(one(...CUSTOMER_REFERENCES)),
    first_name: someone,
    card_token: maybe(one('tok')),
  })
  .map((all) => ({ email: 'ada@example.org', ...all }));
const subscription = fc.record({
  id: maybe(one(...SUBSCRIPTIONS)),
  reference: maybe(one(...SUBSCRIPTION_REFERENCES)),
  frequency: one('Daily'),
  last_status: maybe(one('Failed (1), Pending')),
  plan: maybe(one(...PLANS)),
  customer: fc.oneof(customer, customerName),
});
const charge = fc.record({
  event: one('charge:successful', 'charge:retry', 'charge:failed', 'charge:pending'),
  subscription,
  response: fc.record({
    id: maybe(one(...PURCHASES)),
    amount,
    currency: one('AUD'),
    successful: fc.boolean(),
    transaction_date: maybe(time),
    card_number: one('531358XXXXXX3430'),
  }),
});
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: charge.map(({ event, subscription: of, response }) => ({
      event,
      payload: [
        event === 'charge:pending'
          ? of
          : { subscription: of, response: { successful: true, response } },
      ],
    })),
  },
  fc.record({ event: one('card:expiring', 'card:expired'), payload: customer.map((one) => [one]) }),
  fc.record({ event: one('other'), payload: fc.constant([]) }),
);
const event = fc
  .record({
    id,
    body,
    receivedAt: time,
    profile: one('shop', 'shop', 'shop', 'desk', null),
    mode: one('Live', 'Live', 'Live', 'Sandbox', null),
  })
  .map((sent) => step(`event ${JSON.stringify(sent)}`, () => putEvent(sent)));

const gone = fc
  .oneof(
    named.chain(({ kind, id }) => account.map((of) => ({ kind, account: of, id }))),
    one('e1', 'e2', 'e3').map((id) => ({ kind: 'request' as const, account: null, id })),
    id.map((n) => ({ kind: 'event' as const, account: null, id: String(n) })),
  )
  .map((source) => step(`gone ${JSON.stringify(source)}`, () => removeSource(source)));
const learnt = fc
  .integer({ min: 1, max: 4 })
  .map((limit) => step(`learn ${limit}`, () => learnDue(limit)));
const contradicted = id.map((n) => step(`contradicted ${n}`, () => contradict(n)));

const onServer = fc.oneof(
  { weight: 4, arbitrary: seen },
  { weight: 4, arbitrary: entry },
  { weight: 3, arbitrary: learnt },
  { weight: 1, arbitrary: gone.filter(({ name }) => !name.includes('"event"')) },
);
const inFile = fc.oneof(
  { weight: 3, arbitrary: seen },
  { weight: 3, arbitrary: entry },
  { weight: 6, arbitrary: event },
  { weight: 3, arbitrary: learnt },
  { weight: 1, arbitrary: contradicted },
  { weight: 2, arbitrary: gone },
);

function* empty(): Work<void> {
  const events = (yield* engine()) === 'sqlite' ? ['events'] : [];
  for (const table of [...events, 'records', 'money_requests'])
    yield* runSql(`DELETE FROM gw.${table}`);
}

/** @returns all rows, and what finds them */
function* table(): Work<string[]> {
  const rows = yield* allRows<ThingRow>('SELECT * FROM gw.things');
  const keys = yield* allRows<{ doc: number; key: string }>(
    'SELECT doc, key FROM gw.thing_keys ORDER BY key',
  );
  const found = rows.map(({ doc, ...row }) => {
    const names = keys.filter((one) => one.doc === doc).map(({ key }) => key);
    const own = keysOf(searchable(row, row.texts), JSON.parse(row.sources) as SourceIds);
    expect(names).toEqual(own.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    return JSON.stringify({ ...row, names });
  });
  return found.toSorted();
}

/** @returns how many texts have each trigram, in a file: nothing is left of a text that was taken out */
function* trigrams(): Work<object[]> {
  if ((yield* engine()) === 'postgres') return [];
  yield* purgeThings();
  yield* runSql(
    'CREATE VIRTUAL TABLE IF NOT EXISTS temp.trigrams USING fts5vocab(main, things_text, row)',
  );
  return yield* allRows('SELECT term, doc FROM temp.trigrams');
}

/** The rows that `gw doctor` names on a server, but for entries: these tests write their states without an outcome. */
function* differences(): Work<object[]> {
  if ((yield* engine()) === 'sqlite') return [];
  return yield* allRows("SELECT * FROM gw.differences WHERE kind <> 'entry'");
}

function rebuiltCases(store: () => SqlStore, steps: fc.Arbitrary<Step>, numRuns: number): void {
  test('the table is the same as one that is rebuilt', async () => {
    const shown = fc.array(steps, { maxLength: 24, size: 'max' }).map((all) => ({
      all,
      toString: () => all.map(({ name }) => name).join('\n'),
    }));
    await fc.assert(
      fc.asyncProperty(shown, async (given) => {
        await store().write(empty);
        await rebuildIndex(store());
        for (const { does } of given.all) await store().write(does);
        await learnAllDue(store());
        const before = await store().read(table);
        const indexed = await store().write(trigrams);
        expect(await store().read(differences)).toEqual([]);
        await rebuildIndex(store());
        expect(before).toEqual(await store().read(table));
        expect(indexed).toEqual(await store().write(trigrams));
      }),
      { numRuns },
    );
  }, 120_000);
}

describe('in a file', () => {
  const { store } = sqliteIndex();
  rebuiltCases(() => store, inFile, 250);
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  const index = postgresIndex(programs);
  rebuiltCases(() => index().store, onServer, 20);
});
