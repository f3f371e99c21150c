/** The index of a ledger on a server that an older gw made is the one that this gw writes. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { StoredDocuments } from '../../../../src/index/stored-documents.ts';
import { clearDocuments, putDocuments } from '../../../../src/index/write.ts';
import { bringUpToDate } from '../../../../src/store/ledger/init.ts';
import { LEDGER_FORM, LEDGER_STEPS } from '../../../../src/store/ledger/postgres-schema.ts';
import { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { all } from '../../../../src/store/sql.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { EMPTY_DOCUMENT } from '../../index/empty-document.ts';

const programs = findPostgres();
const OLD_FORM = 3;

const DOCUMENT = {
  ...EMPTY_DOCUMENT,
  ...{ amount: 2_500, currency: 'AUD', reference: 'INV-1', who: 'Zoë Li', lastFour: '2346' },
  ...{ keys: ['INV-1', 'Zoë Li'], words: ['25.00'], names: ['Zoë Li'] },
};
/** As an older gw wrote it, with the signs of its filters in its last line. */
const OLD_TEXT =
  ' 071-p-1\ninv-1\nzoe li\n2346\n2500\naud\n2026-03-09\n25.00\n\u0003\u0003zo\u0003\u0003li\n' +
  'QDM 87D ZZQ L0Q AGM QCI 96A WPB GZI RFE MKP';
const SECOND = Date.parse(DOCUMENT.at) / 1_000;

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  async function emptyDatabase() {
    const server = serverOf((await cluster.database({ isEmpty: true })).url);
    onTestFinished(() => server.close());
    return server;
  }

  const rowsOf = (store: PostgresStore) =>
    store.read(function* () {
      const documents = yield* all('SELECT origin, doc, keys, text FROM gw.facts ORDER BY doc');
      return { documents, keys: yield* all('SELECT key, doc FROM gw.fact_keys ORDER BY doc, key') };
    });

  test('facts keep their order, texts and names, and lose signs and stale keys', async () => {
    const server = await emptyDatabase();
    const statements = LEDGER_STEPS.slice(0, OLD_FORM).join('\n').split(';');
    await server.run('CREATE SCHEMA gw');
    for (const statement of statements) if (statement.trim() !== '') await server.run(statement);
    await server.run("INSERT INTO gw.ledger (id, form) VALUES ('old', $1)", [OLD_FORM]);
    const doc = (second: number, n: number) =>
      String((BigInt(second) << 30n) + BigInt(n) + 5_000_000n);
    const old = [
      { origin: 'a', doc: doc(SECOND, 1), at: DOCUMENT.at },
      { origin: 'b', doc: doc(SECOND, 7), at: DOCUMENT.at },
      { origin: 'c', doc: doc(SECOND + 60, 4), at: '2026-03-09T10:01:00Z' },
    ];
    for (const one of old) {
      await server.run(
        `INSERT INTO gw.facts (doc, origin, kind, id, at, seen_at, profile, environment, host, outcome,
                               amount, currency, reference, who, last_four, keys, text)
         VALUES ($1, $2, 'purchase', '071-P-1', $3, $4, 'shop', 'live', 'gateway.example', 'approved',
                 2500, 'AUD', 'INV-1', $5, '2346', $6, $7)`,
        [one.doc, one.origin, one.at, DOCUMENT.seenAt, DOCUMENT.who, ['inv-1', 'zoe li'], OLD_TEXT],
      );
      await server.run(
        "INSERT INTO gw.fact_keys VALUES ('inv-1', $1), ('zoe li', $1), ('stale', $1)",
        [one.doc],
      );
    }
    expect(await bringUpToDate(server, 'x')).toEqual({ from: OLD_FORM, to: LEDGER_FORM });

    const store = new PostgresStore(server);
    const upgraded = await rowsOf(store);
    expect(upgraded.documents).toMatchObject([{ origin: 'a' }, { origin: 'b' }, { origin: 'c' }]);
    const documents = new StoredDocuments(store);
    expect(
      await documents.search({ text: 'zoe 25.00', outcome: 'approved', limit: 9 }),
    ).toHaveLength(3);
    expect(await documents.tied(['INV-1'], { limit: 9 })).toHaveLength(3);
    expect(await documents.tied(['stale'], { limit: 9 })).toEqual([]);
    expect([await documents.isWhole(), await documents.due()]).toEqual([true, 0]);
    await store.write(function* () {
      yield* clearDocuments();
      yield* putDocuments(old.map(({ origin, at }) => ({ origin, document: { ...DOCUMENT, at } })));
    });
    // The numbers within a second are the sequence's.
    const told = ({ documents, keys }: Awaited<ReturnType<typeof rowsOf>>) => ({
      documents: documents.map((row) => ({ ...row, doc: undefined })),
      keys: keys.map((row) => ({ ...row, doc: undefined })),
    });
    expect(told(upgraded)).toEqual(told(await rowsOf(store)));
  });
});
