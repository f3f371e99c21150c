/** `gw doctor` names the derived rows that somebody changed by hand, and `gw ledger rebuild` makes them again. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openLedgerAt } from '../../../../src/client/ledger/open.ts';
import { ownFile } from '../../../../src/client/ledger/place.ts';
import { checkSharedLedger } from '../../../../src/commands/doctor/shared-ledger.ts';
import { rebuildLedger } from '../../../../src/commands/ledger/run-rebuild.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { learnAllDue } from '../../../../src/requests/known/learn-due.ts';
import { makeLedger, makeOperator } from '../../../../src/store/ledger/init.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import { allRows, runSql } from '../../../../src/store/sql.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { AT, REFUND } from '../../../helpers/money-request.ts';
import {
  Cluster,
  findPostgres,
  SCHEMA,
  serverOf,
  type TestDatabase,
} from '../../../helpers/postgres.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';

const programs = findPostgres();
const SEEN = '2026-03-10T09:30:00.000Z';
const DONE = { state: 'done', status: 200, message: null } as const;

const seen = (
  kind: 'purchase' | 'refund' | 'customer',
  id: string,
  amount: number | null = null,
) => ({
  ...{ ...AT, kind, id, reference: `of ${id}`, name: 'Ada Byron', lastFour: null, amount },
  ...{
    seenBy: `${kind} get`,
    seenAt: SEEN,
    record: { id, amount, currency: 'AUD', successful: true },
  },
});

/** Makes requests of each state, and records of some kinds. */
async function fill(ledger: ReturnType<typeof openPostgresLedger>): Promise<void> {
  for (const [n, state] of (
    ['done', 'done', 'declined', 'unknown', 'not-sent'] as const
  ).entries()) {
    const id = await recorded(ledger, sandboxPurchase(`O-${n}`));
    const recordId = state === 'unknown' || state === 'not-sent' ? null : `071-P-${n}`;
    await ledger.settle(
      id,
      { ...DONE, state, recordId },
      n === 0 ? [seen('purchase', '071-P-0', 2500)] : [],
    );
  }
  const id = await recorded(ledger, { ...REFUND, target: '071-P-0', refundOf: '071-P-0' });
  await ledger.settle(id, { ...DONE, recordId: '071-R-1' }, [seen('refund', '071-R-1', 100)]);
  await recorded(ledger, { ...REFUND, reference: 'R-2' });
  await recorded(ledger, {
    ...REFUND,
    operation: 'api POST /v1.0/any',
    refundOf: null,
    reference: 'R-3',
  });
  const voided = seen('purchase', '071-P-V', 70);
  await ledger.remember([
    ...[seen('customer', '071-C-1'), seen('purchase', '071-P-8', 0)],
    { ...voided, record: { ...voided.record, message: 'Voided' } },
  ]);
  for (const [n, state] of (['done', 'declined', 'declined'] as const).entries()) {
    const entry = await recorded(ledger, sandboxPurchase(`V-${n}`));
    const recordId = n === 2 ? null : `071-P-V${n}`;
    await ledger.settle(entry, { ...DONE, state, recordId, message: 'Transaction voided' });
  }
  await learnAllDue(ledger.sql);
}

describe.skipIf(programs === undefined)('a ledger on a server', () => {
  const cluster = new Cluster(programs, ['fsync = on']);
  afterAll(() => cluster.remove());
  let database: TestDatabase;

  const urlOf = (role: string) => database.url.replace('gw@', `${role}@`);
  const check = (role = 'ada') =>
    checkSharedLedger(createTestHost(), {
      kind: 'server',
      address: parseLedgerAddress(urlOf(role), 'It'),
      command: undefined,
      chosenBy: 'profile',
    });
  const query = (sql: string) => cluster.query<Record<string, unknown>>(database.name, sql);
  const things = () => query('SELECT * FROM gw.things ORDER BY kind, id');
  function open(role: string) {
    const clock = { now: () => new Date(), uptimeMs: () => performance.now() };
    const ledger = openPostgresLedger(serverOf(urlOf(role)), {
      author: { operator: role, machine: 'desk' },
      clock,
    });
    onTestFinished(() => ledger.close());
    return ledger;
  }

  beforeAll(async () => {
    if (programs === undefined) return;
    database = await cluster.database();
    const owner = serverOf(database.url);
    await makeLedger(owner, SCHEMA);
    await cluster.query('postgres', 'CREATE ROLE ada LOGIN');
    await makeOperator(owner, 'ada');
    await owner.close();
  });

  test('is as it was derived, also while sources are due', async () => {
    const ledger = open('ada');
    await fill(ledger);
    expect(await query('SELECT * FROM gw.differences')).toEqual([]);
    expect(await check()).toMatchObject({ state: 'ok' });
    const id = await recorded(ledger, sandboxPurchase('O-9'));
    await ledger.settle(id, { ...DONE, recordId: '071-P-9' }, [seen('purchase', '071-P-9', 2500)]);
    expect(await check()).toMatchObject({ state: 'ok' });
    await learnAllDue(ledger.sql);
    expect(await check()).toMatchObject({ state: 'ok' });
  });

  const ofRecord = "kind = 'purchase' AND id = '071-P-0'";
  const byOperator: [string, RegExp, string][] = [
    [
      'an amount of a record',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET amount = 1 WHERE ${ofRecord}`,
    ],
    ['no amount', /purchase \(1\) 071-P-0/, `UPDATE gw.things SET amount = NULL WHERE ${ofRecord}`],
    [
      'an outcome',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET outcome = 'declined' WHERE ${ofRecord}`,
    ],
    [
      'no clear outcome',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET outcome = 'unclear' WHERE ${ofRecord}`,
    ],
    [
      'a currency',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET currency = 'JPY' WHERE ${ofRecord}`,
    ],
    ['a sign', /purchase \(1\) 071-P-0/, `UPDATE gw.things SET amount = -amount WHERE ${ofRecord}`],
    [
      'a void',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET outcome = 'voided', message = 'Voided' WHERE ${ofRecord}`,
    ],
    [
      'a void of a request',
      /purchase \(1\) 071-P-1/,
      "UPDATE gw.things SET outcome = 'voided', message = 'Voided' WHERE id = '071-P-1'",
    ],
    [
      'a time',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET at = '2020-01-01T00:00:00.000Z' WHERE ${ofRecord}`,
    ],
    [
      'a place in time',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET doc = doc - 90 * 86400 * 16384::bigint WHERE ${ofRecord}`,
    ],
    [
      'a time of a request',
      /purchase \(1\) 071-P-1/,
      "UPDATE gw.things SET at = '2020-01-01T00:00:00.000Z' WHERE id = '071-P-1'",
    ],
    [
      'where it was',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET environment = 'live', profile = 'other' WHERE ${ofRecord}`,
    ],
    [
      'a reference',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET reference = 'other' WHERE ${ofRecord}`,
    ],
    [
      'amount and sources',
      /purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET amount = 1, sources = '{}' WHERE ${ofRecord}`,
    ],
    [
      'whose it is',
      /purchase \(\d\) 071-P-0/,
      `UPDATE gw.things SET account = 'a9' WHERE ${ofRecord}`,
    ],
    [
      'its kind',
      /card \(1\) 071-P-0, purchase \(1\) 071-P-0/,
      `UPDATE gw.things SET kind = 'card' WHERE ${ofRecord}`,
    ],
    [
      'how it is known',
      /purchase \(\d\) 071-P-0/,
      `UPDATE gw.things SET told = 'event' WHERE ${ofRecord}`,
    ],
    [
      'an amount of a request',
      /purchase \(1\) 071-P-1/,
      "UPDATE gw.things SET amount = 1 WHERE id = '071-P-1'",
    ],
    [
      'a decline',
      /purchase \(1\) 071-P-2/,
      "UPDATE gw.things SET outcome = 'approved' WHERE id = '071-P-2'",
    ],
    ['a refund', /refund \(1\) 071-R-1/, "UPDATE gw.things SET amount = -1 WHERE id = '071-R-1'"],
    [
      'what is open',
      /request \(\d\)/,
      "UPDATE gw.things SET outcome = 'done' WHERE kind = 'request'",
    ],
    [
      'what an open request asks for',
      /request \(\d\)/,
      "UPDATE gw.things SET amount = 1 WHERE kind = 'request'",
    ],
    ['that there is a record', /purchase \(1\) 071-P-0/, `DELETE FROM gw.things WHERE ${ofRecord}`],
    [
      'that a request made one',
      /record \(1\) 071-P-1/,
      "DELETE FROM gw.things WHERE id = '071-P-1'",
    ],
    ['that there is a request', /request \(\d\)/, "DELETE FROM gw.things WHERE kind = 'request'"],
    ['all', /customer \(1\) 071-C-1, key .*purchase \(4\)/, 'DELETE FROM gw.things'],
    [
      'a purchase that there is not',
      /purchase \(1\) 071-P-X/,
      `INSERT INTO gw.things (doc, kind, id, at, seen_at, account, told, sources, keys, text)
       SELECT 1, kind, '071-P-X', at, seen_at, account, told, sources, '[]', '' FROM gw.things WHERE ${ofRecord}`,
    ],
    ['a name', /key \(1\)/, "DELETE FROM gw.thing_keys WHERE key = '071-p-0'"],
    ['a name that there is not', /key \(1\)/, "INSERT INTO gw.thing_keys VALUES ('ada', 1)"],
  ];
  const byOwner: [string, RegExp, string][] = [
    [
      'a state',
      /entry \(1\)/,
      "UPDATE gw.money_requests SET state = 'not-done' WHERE record_id = '071-P-1'",
    ],
    [
      'an open request as done',
      /entry \(1\)/,
      "UPDATE gw.money_requests SET state = 'done' WHERE reference = 'R-2'",
    ],
    [
      'a record of an entry',
      /entry \(1\)/,
      "UPDATE gw.money_requests SET record_id = '071-P-7' WHERE record_id = '071-P-1'",
    ],
  ];

  test.each([
    ...byOperator.map((row) => ['ada', ...row] as const),
    ...byOwner.map((row) => ['gw', ...row] as const),
  ])('%s falsifies %s: it is found, and made again', async (role, _, words, sql) => {
    const before = await things();
    const entries = await query('SELECT * FROM gw.money_requests ORDER BY number');
    const server = serverOf(urlOf(role));
    onTestFinished(() => server.close());
    await server.run(sql);
    await query('DELETE FROM gw.sources_due');
    expect(await check()).toMatchObject({
      ...{ state: 'failed', kind: 'guard', message: expect.stringMatching(words) },
      next: expect.stringContaining('gw ledger rebuild'),
    });
    const host = createTestHost();
    expect(await failureOf(() => rebuildLedger(host, urlOf('ada'), undefined))).toMatchObject({
      code: 'ledger-not-permitted',
    });
    await rebuildLedger(host, database.url, undefined);
    expect(host.stderr.text).toContain('again');
    expect(await check()).toMatchObject({ state: 'ok' });
    const withoutPlace = (rows: Record<string, unknown>[]) => rows.map(({ doc: _, ...row }) => row);
    expect(withoutPlace(await things())).toEqual(withoutPlace(before));
    expect(await query('SELECT * FROM gw.money_requests ORDER BY number')).toEqual(entries);
  });

  test('is made again in parts: ended after the first, the same command or a search goes on', async () => {
    const before = await things();
    const interrupted = { ...createTestHost(), interrupted: AbortSignal.abort() };
    expect(
      await failureOf(() => rebuildLedger(interrupted, database.url, undefined)),
    ).toMatchObject({
      kind: 'interrupted',
    });
    expect(await things()).toEqual([]);
    expect(await check()).toMatchObject({ state: 'ok' });
    await open('ada').sql.write(() => runSql("DELETE FROM gw.sources_due WHERE kind = 'customer'"));
    const host = createTestHost();
    await rebuildLedger(host, database.url, undefined);
    expect(host.stderr.text).toContain('Going on');
    expect((await things()).map(({ id }) => id)).toEqual(
      before.map(({ id }) => id).filter((id) => id !== '071-C-1'),
    );
    await rebuildLedger(createTestHost(), database.url, undefined);
    expect((await things()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test('says which purchase was said to be paid more than before, or otherwise', async () => {
    const ledger = open('ada');
    const at = (day: number, amount: number, currency = 'AUD') => {
      const one = seen('purchase', '071-P-0', amount);
      const record = { ...one.record, currency };
      return { ...one, seenAt: `2026-04-0${day}T00:00:00.000Z`, record };
    };
    // Voided; and captured later, as the first amount of another.
    await ledger.remember([
      at(1, 0),
      { ...seen('purchase', '071-P-8', 70), seenAt: at(1, 0).seenAt },
    ]);
    await learnAllDue(ledger.sql);
    expect(await check()).toMatchObject({ state: 'ok' });
    for (const day of [2, 4]) {
      await ledger.remember([day === 2 ? at(day, 9_900) : at(day, 2_500, 'JPY')]);
      await learnAllDue(ledger.sql);
      expect(await check()).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(/1 purchase.*071-P-0 by ada/),
        next: expect.stringContaining('gw purchase get 071-P-0'),
      });
      await ledger.remember([at(day + 1, 2_500)]);
      await learnAllDue(ledger.sql);
      expect(await check()).toMatchObject({ state: 'ok' });
    }
  });
});

test('a file is made again too', async () => {
  const host = createTestHost();
  expect(await failureOf(() => rebuildLedger(host, 'file', undefined))).toMatchObject({
    code: 'ledger-missing',
  });
  const ledger = await openLedgerAt(host, ownFile(host.files));
  await fill(ledger);
  const rows = () => allRows('SELECT * FROM gw.things ORDER BY kind, id');
  const before = await ledger.sql.read(rows);
  await ledger.sql.write(() => runSql('UPDATE gw.things SET amount = 1'));
  await ledger.close();
  await rebuildLedger(host, 'file', undefined);
  const again = await openLedgerAt(host, ownFile(host.files));
  const withoutPlace = (all: object[]) => all.map((row) => ({ ...row, doc: 0 }));
  expect(withoutPlace(await again.sql.read(rows))).toEqual(withoutPlace(before));
  await again.close();
});
