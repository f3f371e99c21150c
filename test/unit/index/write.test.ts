/** Writing the index: what is written again, moved, and taken out. */
import { describe, expect, test } from 'vitest';
import type { IndexedDocument } from '../../../src/index/document.ts';
import {
  changeOutcome,
  clearDocuments,
  dropDocuments,
  putDocuments,
} from '../../../src/index/write.ts';
import { ownersNamedBy } from '../../../src/journal/due-documents.ts';
import { all } from '../../../src/store/sql.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { EMPTY_DOCUMENT } from './empty-document.ts';
import { postgresIndex } from './postgres-index.ts';
import type { TestIndex } from './search-cases.ts';
import { sqliteIndex } from './sqlite-index.ts';

const named = (parts: Partial<IndexedDocument>): IndexedDocument => ({
  ...EMPTY_DOCUMENT,
  ...parts,
});

function writeCases(index: () => TestIndex): void {
  const put = (documents: Parameters<typeof putDocuments>[0]) =>
    index().store.write(function* () {
      yield* clearDocuments();
      yield* putDocuments(documents);
    });
  const putMore = (documents: Parameters<typeof putDocuments>[0]) =>
    index().store.write(() => putDocuments(documents));
  const owners = (names: readonly string[]) => index().store.read(() => ownersNamedBy(names));
  const rows = () =>
    index().store.read(() =>
      all<{ origin: string; doc: number; who: string; keys: string }>(
        'SELECT origin, doc, who, keys FROM gw.documents ORDER BY doc',
      ),
    );
  const keys = async () =>
    (
      await index().store.read(() =>
        all<{ key: string }>('SELECT key FROM gw.document_keys ORDER BY key, doc'),
      )
    ).map(({ key }) => key);

  test('of one origin there is one document, which keeps its place within its second', async () => {
    const [one, other] = [named({ who: 'one', keys: ['a', 'b'] }), named({ who: 'other' })];
    await put([
      { origin: 'x', document: named({ who: 'nobody' }) },
      { origin: 'y', document: other },
      { origin: 'x', document: one },
    ]);
    const before = await rows();
    expect(before.map(({ who }) => who)).toEqual(['one', 'other']);
    await putMore([{ origin: 'x', document: named({ who: 'Zoë', keys: ['B', 'c'] }) }]);
    const [now] = await rows();
    expect(now).toEqual({ ...before[0], who: 'Zoë', keys: '["b","c"]' });
    await putMore([{ origin: 'x', document: named({ at: '2027-01-01', keys: ['c'] }) }]);
    expect((await rows()).map(({ origin }) => origin)).toEqual(['y', 'x']);
    expect(await keys()).toEqual(['c']);
  });

  test('no text is lost or refused', async () => {
    const who = `\ud800 \0 \u0001json: ' \\ { } , " NULL`;
    await put([{ origin: 'x', document: named({ who, keys: [who, 'NULL', ''] }) }]);
    expect(await rows()).toMatchObject([{ who }]);
    expect((await owners([who])).get(who)).toEqual({ who, lastFour: null });
  });

  test('the owner of a name is who the newest document says that has it', async () => {
    await put([
      { origin: 'old', document: named({ at: '2026-01-01', who: 'Old', keys: ['TOKEN'] }) },
      { origin: 'new', document: named({ at: '2026-01-02', who: 'New', keys: ['token'] }) },
      { origin: 'silent', document: named({ at: '2026-01-03', who: null, keys: ['token'] }) },
      {
        origin: 'sent',
        document: named({ at: '2026-01-04', kind: 'request', who: 'I', keys: ['token'] }),
      },
      { origin: 'was', document: named({ at: '2026-01-05', who: 'Was', keys: ['token'] }) },
    ]);
    await putMore([{ origin: 'was', document: named({ at: '2026-01-05', who: 'Was' }) }]);
    expect([...(await owners(['Token', 'nosuch']))]).toEqual([
      ['Token', { who: 'New', lastFour: null }],
    ]);
    expect(await owners([])).toEqual(new Map());
  });

  test('an outcome is changed, and a document taken out, with all its names', async () => {
    const document = named({ who: 'Ada', keys: ['ada'] });
    const origins = ['event 1 0', 'event 1 1', 'event 12 0', 'event 2 0'];
    await put(origins.map((origin) => ({ origin, document })));
    await index().store.write(() => changeOutcome(['event 1 ', 'event 1 ~'], 'contradicted'));
    const contradicted = await index().documents.search({ outcome: 'contradicted', limit: 9 });
    expect(contradicted).toHaveLength(2);
    const gone = await index().store.write(() =>
      dropDocuments('outcome = :outcome', { outcome: 'contradicted' }),
    );
    expect(gone).toBe(2);
    expect((await rows()).map(({ origin }) => origin)).toEqual(['event 12 0', 'event 2 0']);
    expect(await keys()).toEqual(['ada', 'ada']);
  });

  test('more of a second than one statement takes have a place each', async () => {
    const documents = Array.from({ length: 1_200 }, (_, n) => ({
      origin: `event ${n} 0`,
      document: named({ id: `f-${n}`, keys: [`f-${n}`] }),
    }));
    await put(documents);
    await putMore(documents.slice(0, 20));
    const found = await rows();
    expect(new Set(found.map(({ doc }) => doc)).size).toBe(1_200);
    expect(found[7]).toMatchObject({ origin: 'event 7 0', keys: '["f-7"]' });
  });
}

describe('in a file', () => {
  const index = sqliteIndex();
  writeCases(() => index);
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  const index = postgresIndex(programs);
  writeCases(index);

  test('a number that a document of the second has is given to no other', async () => {
    const last = { origin: 'last', document: named({ keys: ['last'] }) };
    await index().store.write(clearDocuments);
    // The numbers of a second begin anew when the sequence has come so far.
    await index().run("SELECT setval('gw.document_numbers', 1)");
    await index().store.write(() => putDocuments([{ ...last, origin: 'first' }]));
    await index().run("SELECT setval('gw.document_numbers', 1048577)");
    await index().store.write(() => putDocuments([last]));
    expect(await index().run('SELECT count(*) AS n FROM gw.documents')).toEqual([{ n: 2 }]);
  });
});
