/** Records as they were seen last, in a file and on a server. */
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { accountAt } from '../../../../src/base/account.ts';
import { clearDocuments } from '../../../../src/index/write.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { refundTies } from '../../../../src/journal/records/refund-currency.ts';
import {
  amountPaid,
  amountsPaid,
  findSnapshots,
  forgetSnapshots,
  indexRecords,
  pruneSnapshots,
  remember,
} from '../../../../src/journal/records/snapshots.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { all, insert, type SqlStore } from '../../../../src/store/sql.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { SqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { NOW, standingClock } from '../../../helpers/client.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const FINGERPRINT = '0123456789abcdef0123456789abcdef';
const HERE = { account: FINGERPRINT, profile: 'shop', host: 'gateway.example' };
const LATER = '2026-04-01T00:00:00.000Z';

const PURCHASE: RecordSnapshot = {
  ...HERE,
  environment: 'sandbox',
  kind: 'purchase',
  id: 'P-1',
  reference: 'INV-1',
  name: 'Ada Byron',
  lastFour: '4242',
  amount: 1_000,
  seenBy: 'purchase get',
  seenAt: NOW,
  record: { id: 'P-1', amount: 1_000, currency: 'AUD' },
};
const refundSeen = (id: string): RecordSnapshot => ({
  ...PURCHASE,
  ...{ kind: 'refund', id, reference: null, name: null, lastFour: null, record: { id } },
});

/** The entry of a refund, as far as its record does not say it. */
const refundMade = (id: string, purchase: string) => ({
  ...HERE,
  ...{ id: `entry-${id}`, created_at: NOW, environment: 'sandbox', operation: 'refund create' },
  ...{ body: '{}', state: 'done', record_id: id, refund_of: purchase },
});

function inEitherStore(open: () => Promise<SqlStore>): void {
  const origins = () =>
    all<{ origin: string; purchase: string | null }>(
      'SELECT origin, purchase, currency FROM gw.facts ORDER BY origin',
    );

  test('many are written at once, each as the last look has it', async () => {
    const store = await open();
    const many = Array.from({ length: 25 }, (_, i) => ({ ...PURCHASE, id: `P-${i}` }));
    const again = { ...PURCHASE, seenAt: LATER, name: null, amount: null, record: { id: 'P-1' } };
    const late = { ...PURCHASE, id: 'P-2', seenAt: '2026-01-01T00:00:00.000Z', name: 'Old' };
    await store.write(() => remember([...many, again, late]));
    const found = await store.read(function* () {
      return {
        all: yield* findSnapshots({ kind: 'purchase' }, 99),
        again: yield* findSnapshots({ id: 'P-1' }, 9),
        late: yield* findSnapshots({ id: 'P-2' }, 9),
      };
    });
    expect(found.all).toHaveLength(25);
    const { seenAt: _, ...seen } = again;
    const known = { name: 'Ada Byron', amount: 1_000, firstSeenAt: NOW, lastSeenAt: LATER };
    expect(found.again).toEqual([{ ...seen, ...known }]);
    expect(found.late).toMatchObject([{ name: 'Ada Byron', lastSeenAt: NOW }]);
  });

  test('a text that neither store keeps as it is comes back, and is found', async () => {
    const store = await open();
    const odd = { ...PURCHASE, id: 'nul \0', name: '\ud800', record: { id: 'nul \0' } };
    await store.write(() => remember([odd]));
    await store.write(() => remember([{ ...odd, name: null, seenAt: LATER }]));
    const [found, ...others] = await store.read(() => findSnapshots({ id: odd.id }, 9));
    expect(found).toMatchObject({ id: 'nul \0', name: '\ud800', lastSeenAt: LATER });
    expect(others).toEqual([]);
  });

  test.each([
    ['without its account', null, 'shop', 1],
    ['without its account, under another profile', null, 'other', 2],
    ['without its port', FINGERPRINT, 'other', 1],
  ])('what an older gw saw %s', async (_, account, profile, rows) => {
    const store = await open();
    const host = '127.0.0.1:4010';
    const at = accountAt(FINGERPRINT, new URL(`http://${host}`));
    await store.write(() => remember([{ ...PURCHASE, account, profile, host }]));
    await store.write(() => remember([{ ...PURCHASE, account: at, host, seenAt: LATER }]));
    const atOnce = { account: at, host, seenAt: LATER };
    await store.write(() =>
      remember([
        { ...PURCHASE, account, profile, host, id: 'P-2' },
        { ...PURCHASE, ...atOnce, id: 'P-2' },
      ]),
    );
    const found = await store.read(() => findSnapshots({ id: 'P-1' }, 9));
    const alike = await store.read(() => findSnapshots({ id: 'P-2' }, 9));
    expect(alike.map((one) => ({ ...one, id: 'P-1' }))).toEqual(found);
    expect(found).toHaveLength(rows);
    expect(found[0]).toMatchObject({ account: at, lastSeenAt: LATER });
    expect(found[0]?.firstSeenAt).toBe(rows === 1 ? NOW : LATER);
    expect(await store.read(origins)).toHaveLength(2 * rows);
  });

  test('another gateway of this machine is another one', async () => {
    const store = await open();
    const [one, two] = ['127.0.0.1:4010', '127.0.0.1:4011'];
    const at = accountAt(FINGERPRINT, new URL(`http://${two}`));
    await store.write(() => remember([{ ...PURCHASE, host: one }]));
    await store.write(() => remember([{ ...PURCHASE, account: at, host: two }]));
    expect(await store.read(() => findSnapshots({ id: 'P-1' }, 9))).toHaveLength(2);
  });

  test('a refund has the purchase and the currency that its request says', async () => {
    const store = await open();
    const usd = { ...PURCHASE, account: 'other', record: { id: 'P-1', currency: 'USD' } };
    const asked = { ...refundMade('P-9', ''), refund_of: null, currency: 'EUR' };
    await store.write(function* () {
      yield* insert('money_requests', refundMade('R-1', 'P-1'));
      yield* insert('money_requests', refundMade('R-9', 'P-9'));
      yield* insert('money_requests', asked);
      yield* remember([usd, PURCHASE]);
      yield* remember(['R-1', 'R-2', 'R-9'].map(refundSeen));
    });
    const ties = await store.read(() =>
      refundTies(['R-9', 'R-2', 'R-1'].map((id) => ({ ...HERE, id }))),
    );
    expect(ties).toEqual([
      { purchase: 'P-9', currency: 'EUR' },
      {},
      { purchase: 'P-1', currency: 'AUD' },
    ]);
    expect(await store.read(origins)).toContainEqual({
      ...{ origin: `record refund ${FINGERPRINT} R-1`, purchase: 'P-1', currency: 'AUD' },
    });
  });

  test('what was paid is known of an account, one purchase or many', async () => {
    const store = await open();
    const theirs = { ...PURCHASE, account: 'other', amount: 5 };
    const older = { ...PURCHASE, account: null, id: 'P-2', amount: 700 };
    const declined = { ...PURCHASE, id: 'P-3', amount: null };
    await store.write(() => remember([theirs, older, declined, PURCHASE]));
    const paid = await store.read(function* () {
      return [yield* amountPaid(HERE, 'P-1'), yield* amountPaid(HERE, 'P-3')];
    });
    expect(paid).toEqual([1_000, undefined]);
    const many = await store.read(() => amountsPaid(HERE, ['P-3', 'P-2', 'P-1', 'P-1']));
    expect(many).toEqual(
      new Map([
        ['P-1', 1_000],
        ['P-2', 700],
      ]),
    );
  });

  test('what is deferred is written by whoever indexes it', async () => {
    const store = await open();
    await store.write(() => remember([PURCHASE], true));
    expect(await store.read(origins)).toEqual([]);
    expect(await store.read(() => all('SELECT kind, key FROM gw.facts_due'))).toEqual([
      { kind: 'record', key: `["${FINGERPRINT}","shop","gateway.example","purchase","P-1"]` },
    ]);
    await store.write(function* () {
      yield* clearDocuments();
      yield* indexRecords();
    });
    expect(await store.read(origins)).toHaveLength(1);
  });

  test('what is forgotten is not in the index either', async () => {
    const store = await open();
    const others = { ...PURCHASE, account: 'b', profile: 'other', seenAt: LATER };
    await store.write(() => remember([PURCHASE, others, { ...others, id: 'P-2', seenAt: NOW }]));
    expect(await store.write(() => pruneSnapshots(LATER))).toBe(2);
    expect(await store.read(origins)).toHaveLength(1);
    await store.write(() => forgetSnapshots('other'));
    expect(await store.read(() => findSnapshots({}, 9))).toEqual([]);
    expect(await store.read(origins)).toEqual([]);
  });
}

describe('in a file', () => {
  inEitherStore(async () => {
    const file = ledgerFile(path.join(temporaryDirectory(), 'ledger.db'));
    const store = new SqliteStore(new Database(file), standingClock());
    onTestFinished(() => store.close());
    return store;
  });
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  async function open() {
    const server = serverOf((await cluster.database()).url);
    onTestFinished(() => server.close());
    return new PostgresStore(server);
  }
  inEitherStore(open);

  test('two machines that see the same at once know what either saw', async () => {
    const [ada, bob] = [await open(), await open()];
    const seen = (name: string | null) => [
      { ...PURCHASE, name },
      { ...PURCHASE, id: 'P-2', name },
    ];
    await Promise.all([
      ada.write(() => remember(seen('Ada Byron'))),
      bob.write(() => remember(seen(null).toReversed())),
    ]);
    expect(await ada.read(() => findSnapshots({}, 9))).toHaveLength(2);
  });
});
