/** Sums on a server: whatever was learnt, they are those of the file. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunStatement } from '../../../src/store/postgres/server.ts';
import { insert, runSql } from '../../../src/store/sql.ts';
import type { Database } from '../../../src/store/sqlite/database.ts';
import type { Owner } from '../../../src/things/owner.ts';
import type { IndexedThing } from '../../../src/things/thing.ts';
import type { SearchIndex } from '../../../src/things/thing-index.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { postgresIndex } from './postgres-index.ts';
import { sqliteIndex } from './sqlite-index.ts';

const programs = findPostgres();

const account = fc.constantFrom('a1', 'a2', null, null);
const profile = fc.constantFrom('shop', 'shop', 'sandbox', null);
const environment = fc.constantFrom('live', 'live', 'sandbox', 'Live', null);
const purchase = fc.constantFrom('071-P-1', '071-P-2', '071-P-3', null);
const instant = fc
  .integer({ min: 0, max: 6 })
  .map((hours) => new Date(Date.UTC(2026, 2, 9, hours)).toISOString());

const thing = fc
  .record({
    kind: fc.constantFrom('purchase', 'refund', 'request', 'event', 'event', 'event', 'customer'),
    at: instant,
    account,
    profile,
    environment,
    purchase,
    subscription: fc.constantFrom('SUB-1', 'SUB-2', null),
    outcome: fc.constantFrom('approved', 'declined', 'pending', 'abandoned', 'done', 'bad'),
    amount: fc.constantFrom(null, 25, -25, Number.MAX_SAFE_INTEGER),
    currency: fc.constantFrom('AUD', null),
    message: fc.constantFrom('Refer', null),
    lastFour: fc.constantFrom('2346', null),
    token: fc.constantFrom('tok', 'TOK', null),
    cardExpiry: fc.constantFrom('2026-04', '2031-05', null),
  })
  .map(({ cardExpiry, ...parts }) => ({
    ...EMPTY_THING,
    ...parts,
    keys: [parts.purchase],
    sources: { ...EMPTY_THING.sources, record: { seenAt: EMPTY_THING.seenAt, cardExpiry } },
  })) as fc.Arbitrary<IndexedThing>;

/** Records and entries have one; an event has none, and a scope may not know its own. */
const known = fc.constantFrom('a1', 'a2');

const seen = fc.record({
  account: known,
  profile: fc.constantFrom('shop', 'sandbox'),
  kind: fc.constantFrom('purchase', 'refund', 'customer'),
  id: fc.constantFrom('071-P-1', '071-P-2'),
});
const sent = fc.record({
  account: known,
  profile: fc.constantFrom('shop', 'sandbox'),
  state: fc.constantFrom('done', 'declined', 'unknown'),
  record_id: purchase,
});
const scope = fc.record({
  account,
  profile: fc.constantFrom('shop', 'sandbox'),
  environment: fc.constantFrom('live', 'sandbox'),
}) as fc.Arbitrary<Owner>;

type Row = Readonly<Record<string, string | null>>;

/** Required columns of each table. */
const SEEN = { host: 'h', environment: 'live', seen_by: 'x', record: '{}' };
const SENT = {
  ...{ created_at: '2026-03-09T00:00:00Z', environment: 'live', host: 'h', body: '{}' },
  operation: 'purchase create',
};

const seenRows = (all: readonly Row[]) =>
  all.map((row) => ({ ...SEEN, first_seen_at: 'x', last_seen_at: 'x', ...row }));
const sentRows = (all: readonly Row[]) =>
  all.map((row, n) => ({ ...SENT, id: `entry-${n + 1}`, ...row }));

async function fillServer(run: RunStatement, table: string, rows: readonly Row[]): Promise<void> {
  await run(`DELETE FROM gw.${table}`);
  for (const row of rows) {
    const places = Object.keys(row).map((_, i) => `$${i + 1}`);
    await run(
      `INSERT INTO gw.${table} (${Object.keys(row)}) VALUES (${places}) ON CONFLICT DO NOTHING`,
      Object.values(row),
    );
  }
}

function fillFile(database: Database, table: string, rows: readonly Row[]): void {
  database.write((queries) => {
    queries.do(runSql(`DELETE FROM ${table}`));
    for (const row of rows) queries.do(insert(table, row, 'ON CONFLICT DO NOTHING'));
  });
}

async function answers(things: SearchIndex, whose: Owner, until: string) {
  const period = { from: '2026-03-09T01:00:00Z', until };
  const totals = await Promise.all(
    (['reason', 'card', 'customer'] as const).map((by) =>
      things.totals({ scope: whose, ...period, by }),
    ),
  );
  const text = (one: object) =>
    JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  const sorted = totals.map((some) =>
    some.map((one) => text(Object.fromEntries(Object.entries(one).toSorted()))).toSorted(),
  );
  const charges = await things.newestCharges(whose);
  const expiries = await things.cardExpiries(['tok', 'TOK', 'none'], whose);
  return {
    sorted,
    charges,
    expiries: expiries.map(text).toSorted(),
    ...(await things.sources()),
  };
}

describe.skipIf(programs === undefined)('on a server', () => {
  const index = postgresIndex(programs);
  const file = sqliteIndex();

  test('sums, charges and accounts are those of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(thing, { maxLength: 12 }),
        fc.uniqueArray(seen, { maxLength: 2, selector: (one) => JSON.stringify(one) }),
        fc.array(sent, { minLength: 1, maxLength: 2 }),
        fc.array(fc.tuple(scope, instant), { minLength: 2, maxLength: 3 }),
        async (parts, records, entries, questions) => {
          const things = parts.map((one, n) => ({ ...one, id: `f-${n}` }));
          await index().put(things);
          await file.put(things);
          await fillServer(index().run, 'records', seenRows(records));
          fillFile(file.database, 'records', seenRows(records));
          await fillServer(index().run, 'money_requests', sentRows(entries));
          fillFile(file.database, 'money_requests', sentRows(entries));
          for (const [whose, until] of questions)
            expect(await answers(index().things, whose, until)).toEqual(
              await answers(file.things, whose, until),
            );
        },
      ),
      { numRuns: 60 },
    );
  });
});
