/** Promises that hold for every database file of gw. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import {
  allRows,
  change,
  firstRow,
  insert,
  insertAll,
  insertedId,
  onlyRow,
  update,
} from '../../../../src/store/sql.ts';
import { Database, type FileFormat } from '../../../../src/store/sqlite/database.ts';
import { GroupWriter } from '../../../../src/store/sqlite/group-writer.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

let file: string;
beforeEach(() => {
  file = path.join(temporaryDirectory(), 'new', 'notes.db');
});

const TABLES =
  'CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, text TEXT, stars INTEGER NOT NULL DEFAULT 0)';

function format(): FileFormat {
  return {
    path: file,
    name: 'The notes',
    repair: 'Write new ones.',
    applicationId: 7,
    tables: TABLES,
    form: 2,
    busyTimeoutMs: 20,
    settings: 'PRAGMA synchronous = NORMAL',
    refuse: (what) => new Failure(`file-${what}`, what, ''),
  };
}

function open(fill?: ConstructorParameters<typeof Database>[1]) {
  const database = new Database(format(), fill);
  onTestFinished(() => database.close());
  return database;
}

interface Note {
  id: number;
  title: string | null;
  text: string | null;
  stars: number;
}
const notes = (database: Database) =>
  database.read((queries) => queries.do(allRows<Note>('SELECT * FROM notes ORDER BY id')));
const add = (database: Database, title: string | null) =>
  database.write((queries) => queries.do(insertedId('notes', { title, text: '' })));

/** Runs SQL on the file past the storage layer. */
function alter(sql: string): void {
  const raw = new DatabaseSync(file);
  raw.exec(sql);
  raw.close();
}

describe('a file', () => {
  test('that is new is created and filled in one step', () => {
    const broken = () =>
      open(() => {
        throw new Error('full');
      });
    expect(broken).toThrow('full');
    let times = 0;
    const fill: ConstructorParameters<typeof Database>[1] = (queries) => {
      times++;
      queries.do(insert('notes', { title: 'first' }));
    };
    const database = open(fill);
    open(fill);
    expect(times).toBe(1);
    expect(notes(database)).toMatchObject([{ title: 'first' }]);
  });

  test.each([
    ['file-newer', 'PRAGMA user_version = 3'],
    ['file-older', 'PRAGMA user_version = 1'],
    ['file-foreign', 'PRAGMA application_id = 8'],
  ])('is refused as %s and does not change', (code, sql) => {
    open().close();
    alter(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
    const before = readFileSync(file);
    expect(() => open()).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('starts over in one step, even for processes that have it open', () => {
    const database = open();
    const other = open();
    add(other, 'gone');
    expect(() =>
      database.startOver(() => {
        throw new Error('full');
      }),
    ).toThrow('full');
    expect(notes(other)).toHaveLength(1);
    database.startOver((queries) => queries.do(insert('notes', { title: 'new' })));
    expect(notes(other)).toMatchObject([{ id: 1, title: 'new' }]);
  });

  test('that another process uses is a failure that names it', () => {
    const database = open();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => add(database, 'x')).toThrow(expect.objectContaining({ code: 'file-locked' }));
    other.exec('ROLLBACK');
    other.close();
    expect(add(database, 'y')).toBe(1);
  });
});

describe('a transaction', () => {
  test('is undone when it throws', () => {
    const database = open();
    const write = () =>
      database.write((queries) => {
        queries.do(insert('notes', { title: 'half' }));
        throw new Error('no');
      });
    expect(write).toThrow('no');
    expect(notes(database)).toEqual([]);
  });

  test('that reads sees one state', () => {
    const [reader, writer] = [open(), open()];
    const [before, after] = reader.read((queries) => {
      const count = () => queries.do(onlyRow<{ n: number }>('SELECT count(*) AS n FROM notes')).n;
      const first = count();
      add(writer, 'meanwhile');
      return [first, count()];
    });
    expect([before, after]).toEqual([0, 0]);
    expect(notes(reader)).toHaveLength(1);
  });

  test('of a group is undone as a whole, and each member gets the reason', async () => {
    const database = open();
    const writer = new GroupWriter(
      database,
      () => Promise.resolve(),
      (queries) => queries,
    );
    const writes = [
      writer.write((queries) => queries.do(insert('notes', { title: 'good' })), {
        isDurable: true,
      }),
      writer.write(() => {
        throw new Error('bad');
      }),
    ];
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(notes(database)).toEqual([]);
  });

  test('waits for the disk, and then goes together with all that came meanwhile', async () => {
    const database = open();
    const disk: (() => void)[] = [];
    vi.spyOn(database, 'synced').mockImplementation(
      () => new Promise((resolve) => disk.push(resolve)),
    );
    const written = vi.spyOn(database, 'write');
    const writer = new GroupWriter(
      database,
      () => Promise.resolve(),
      (queries) => queries,
    );
    const write = (title: string) =>
      writer.write((queries) => queries.do(insert('notes', { title })), { isDurable: true });
    const first = write('first');
    await vi.waitFor(() => expect(disk).toHaveLength(1));
    const others = [write('second'), write('third')];
    await new Promise(setImmediate);
    expect(notes(database)).toHaveLength(1);
    disk[0]?.();
    await first;
    await vi.waitFor(() => expect(disk).toHaveLength(2));
    disk[1]?.();
    await Promise.all(others);
    expect(written).toHaveBeenCalledTimes(2);
    expect(notes(database)).toHaveLength(3);
  });
});

describe('a query', () => {
  test('binds an object by name, even for a repeated name', () => {
    const database = open();
    add(database, 'a');
    const found = database.read((queries) =>
      queries.do(
        firstRow<Note>('SELECT * FROM notes WHERE title = :title OR :title IS NULL', {
          title: null,
        }),
      ),
    );
    expect(found).toMatchObject({ title: 'a' });
  });

  test('without a value for one of its names is a defect', () => {
    const ask = () =>
      open().read((queries) =>
        queries.do(firstRow('SELECT * FROM notes WHERE id = :id', { title: 'a' })),
      );
    expect(ask).toThrow('no value for the parameter id');
  });

  test('that needs a row and finds none is a defect', () => {
    expect(() => open().read((queries) => queries.do(onlyRow('SELECT 1 WHERE 0')))).toThrow(
      'This cannot be: no row',
    );
  });

  test('inserts and updates by column and returns the number of rows', () => {
    const database = open();
    expect([add(database, 'a'), add(database, 'b')]).toEqual([1, 2]);
    const changed = database.write((queries) => [
      queries.do(update('notes', { title: 'c', stars: 5 }, { id: 2, title: 'b' })),
      queries.do(update('notes', { title: 'd' }, { id: 9 })),
      queries.do(change('DELETE FROM notes WHERE title = ?', ['a'])),
    ]);
    expect(changed).toEqual([1, 0, 1]);
    expect(notes(database)).toEqual([{ id: 2, title: 'c', text: '', stars: 5 }]);
  });

  test.each([0, 1, 9, 10, 11, 25])('inserts %i rows at once, in their order', (count) => {
    const database = open();
    const rows = Array.from({ length: count }, (_, n) => ({ title: `a\0${n}`, stars: n }));
    database.write((queries) => queries.do(insertAll('notes', rows)));
    expect(notes(database)).toEqual(rows.map((row, n) => ({ id: n + 1, text: null, ...row })));
  });

  test('differs from others with the same columns', () => {
    const database = open();
    add(database, 'a');
    const ignored = 'ON CONFLICT (id) DO NOTHING';
    database.write((queries) => {
      expect(queries.do(update('notes', { title: 'b', text: 'x' }, { id: 1 }))).toBe(1);
      expect(queries.do(update('notes', { title: 'c' }, { text: 'y', id: 1 }))).toBe(0);
    });
    database.write((queries) => queries.do(insert('notes', { id: 1, title: 'd' }, ignored)));
    expect(() =>
      database.write((queries) => queries.do(insert('notes', { id: 1, title: 'd' }))),
    ).toThrow('UNIQUE');
    expect(notes(database)).toMatchObject([{ id: 1, title: 'b' }]);
  });

  test.each(['', 'a\0b', '\0', '\ud83d', '\udc00x', '\u0001json:', '\u0001json:"x"', '💳'])(
    'returns the text %j unchanged and finds it',
    (title) => {
      const database = open();
      add(database, title);
      add(database, `${title}\0`);
      const found = database.read((queries) =>
        queries.do(allRows<Note>('SELECT * FROM notes WHERE title = ?', [title])),
      );
      expect(found.map((note) => note.title)).toEqual([title]);
    },
  );
});
