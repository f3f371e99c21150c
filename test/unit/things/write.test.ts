/** Writing rows: what is written in place, moved, and taken out. */
import { describe, expect, test } from 'vitest';
import { allRows } from '../../../src/store/sql.ts';
import { NO_SOURCES } from '../../../src/things/sources.ts';
import type { IndexedThing, ThingRow } from '../../../src/things/thing.ts';
import { columnsOf, THING_COLUMNS, thingIn } from '../../../src/things/thing-columns.ts';
import { clearThings, type StoredRow, writeRows } from '../../../src/things/write.ts';
import { findPostgres } from '../../helpers/postgres.ts';
import { EMPTY_THING } from './empty-thing.ts';
import { postgresIndex } from './postgres-index.ts';
import type { TestIndex } from './search-cases.ts';
import { sqliteIndex } from './sqlite-index.ts';

const named = (parts: Partial<IndexedThing>): IndexedThing => ({
  ...EMPTY_THING,
  ...parts,
});

function storedRow(row: ThingRow): StoredRow {
  const { doc, sources: ids, texts } = row;
  const thing = { ...thingIn(row, NO_SOURCES), formerTokens: [] };
  return { doc, ids, texts, cardExpiry: null, thing };
}

function writeCases(index: () => TestIndex): void {
  const rows = () =>
    index().store.read(() =>
      allRows<ThingRow>(`SELECT ${THING_COLUMNS} FROM gw.things ORDER BY doc`),
    );
  const keys = async () =>
    (
      await index().store.read(() =>
        allRows<{ key: string }>('SELECT key FROM gw.thing_keys ORDER BY key, doc'),
      )
    ).map(({ key }) => key);
  /** Writes a thing in place of its row, or takes it out. */
  const write = async (id: string, now: Partial<IndexedThing> | undefined) => {
    const row = (await rows()).find((one) => one.id === id);
    const before = row && storedRow(row);
    const thing = now && named({ id, ...now });
    const made = thing && { thing, columns: columnsOf(thing) };
    await index().store.write(() => writeRows([{ before, now: made }]));
  };
  const found = async (text: string) =>
    (await index().things.search({ text, limit: 9 })).map(({ id }) => id);

  test('a row keeps its place within its second, and moves with its date', async () => {
    await index().put([named({ id: 'x', who: 'one', keys: ['a', 'b'] }), named({ id: 'y' })]);
    const [before] = await rows();
    await write('x', { who: 'Zoe', keys: ['B', 'c'] });
    expect((await rows())[0]).toMatchObject({ doc: before?.doc, who: 'Zoe' });
    expect(await keys()).toEqual(['\u0006zoe', 'b', 'c', 'x', 'y', 'zoe']);
    expect([await found('one'), await found('zoe')]).toEqual([[], ['x']]);
    await write('x', { at: '2027-01-01', who: 'Zoe', keys: ['c'] });
    expect((await rows()).map(({ id }) => id)).toEqual(['y', 'x']);
    expect(await keys()).toEqual(['\u0006zoe', 'c', 'x', 'y', 'zoe']);
    expect(await found('zoe')).toEqual(['x']);
  });

  test('a row is taken out with its names and its words', async () => {
    await index().put([
      named({ id: 'x', who: 'Ada', keys: ['a'] }),
      named({ id: 'y', keys: ['a'] }),
    ]);
    await write('x', undefined);
    expect((await rows()).map(({ id }) => id)).toEqual(['y']);
    expect(await keys()).toEqual(['a', 'y']);
    expect(await found('ada')).toEqual([]);
  });

  test('no text is lost or refused', async () => {
    const who = `\ud800 \0 \u0001json: ' \\ { } , " NULL`;
    await index().put([named({ who, keys: [who, 'NULL', ''] })]);
    expect(await rows()).toMatchObject([{ who }]);
    await write('071-P-1', { who: 'Ada' });
    expect(await keys()).toEqual(['\u0006ada', '071-p-1', 'ada']);
  });

  test('more things of one second than fit a statement each get a place', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => named({ id: `f-${n}`, keys: [`f-${n}`] }));
    await index().put(many);
    await write('f-1200', { keys: ['f-1200'] });
    const written = await rows();
    expect(new Set(written.map(({ doc }) => doc)).size).toBe(1_201);
    expect(new Set(await keys()).size).toBe(1_201);
  });

  test('the places of a full second continue in the next second', async () => {
    await index().put([named({ id: 'last' }), named({ id: 'next', at: '2026-03-09T10:00:01Z' })]);
    await index().store.write(() =>
      allRows('UPDATE gw.things SET doc = doc + 16383 WHERE id = :id', { id: 'last' }),
    );
    await write('more', {});
    expect((await rows()).map(({ id }) => id)).toEqual(['last', 'next', 'more']);
  });

  test('an empty table has nothing to write', async () => {
    await index().put([]);
    await index().store.write(() => writeRows([]));
    await index().store.write(clearThings);
    expect(await rows()).toEqual([]);
  });
}

describe('in a file', () => {
  const index = sqliteIndex();
  writeCases(() => index);
});

const programs = findPostgres();

describe.skipIf(programs === undefined)('on a server', () => {
  writeCases(postgresIndex(programs));
});
