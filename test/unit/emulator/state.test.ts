import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeFile } from '../../../src/emulator/schema.ts';
import { readSeed } from '../../../src/emulator/seed.ts';
import { describeState, openState, resetState } from '../../../src/emulator/state.ts';
import { Failure } from '../../../src/failure.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { CARD, openBench, testClock } from './support.ts';

let directory: string;
let path: string;
const clock = testClock();
beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory, 'gw', 'emulator.db');
});

const open = () => openState({ path, clock });
const buy = { ...CARD, amount: 100 };

/** Makes the file a current one, then changes it with SQL; all of it is in the file itself afterwards. */
function alter(sql: string): void {
  open().close();
  const database = new DatabaseSync(path);
  database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

/** Puts something else in the place of a file and of what belongs to it. */
function replaceFile(content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
  writeFileSync(path, content);
}

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It did not fail');
}

describe('opening', () => {
  test('a new file and directory are private, and stay private after writes', async () => {
    const bench = await openBench('in process', { path });
    await bench.send('POST', '/v1.0/purchases', buy);
    expect(statSync(join(directory, 'gw')).mode & 0o777).toBe(0o700);
    const files = readdirSync(join(directory, 'gw'));
    expect(files.sort()).toEqual(['emulator.db', 'emulator.db-shm', 'emulator.db-wal']);
    for (const file of files)
      expect(statSync(join(directory, 'gw', file)).mode & 0o777).toBe(0o600);
    await bench.close();
  });

  test('the next process finds what one wrote', async () => {
    const first = await openBench('in process', { path });
    const { body } = await first.send('POST', '/v1.0/purchases', buy);
    await first.close();
    const second = await openBench('in process', { path });
    const found = await second.send('GET', `/v1.0/purchases/${body.response.id}`);
    expect(found.body).toEqual(body);
    await second.close();
  });

  test('an empty file counts as a new one', () => {
    replaceFile('');
    const store = open();
    expect(store.isNew).toBe(true);
    store.close();
    const again = open();
    expect(again.isNew).toBe(false);
    again.close();
  });

  test('a seed that is refused leaves no half-filled file', () => {
    const seed = readSeed('{"merchants":[{"username":"A"}]}', 'seed.json');
    expect(() => openState({ path, clock, seed })).toThrow('api_token is missing');
    const store = open();
    expect(store.isNew).toBe(true);
    store.close();
  });

  test.each([
    ['text', 'not a database at all '.repeat(100)],
    ['what has a broken header', `SQLite format 3\0${'\0'.repeat(4096)}`],
  ])('a file that is %s is refused, and does not change', (_, content) => {
    replaceFile(content);
    const failure = failureOf(open);
    expect(failure.kind).toBe('usage');
    expect(failure.message).toBe(
      `The built-in test gateway's file ${path} is damaged or is not a database.`,
    );
    expect(failure.next).toContain('gw emulator reset');
    expect(readFileSync(path, 'latin1')).toBe(content);
  });

  test('damage that is found later is reported with the path', () => {
    alter('');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096);
    replaceFile(bytes);
    const failure = failureOf(() => {
      const store = open();
      try {
        describeState(store);
      } finally {
        store.close();
      }
    });
    expect(failure.message).toContain(path);
    expect(failure.message).toContain('damaged');
  });

  test('a file of a newer version is refused', () => {
    alter(`PRAGMA user_version = ${storeFile(path).form + 1}`);
    const failure = failureOf(open);
    expect(failure.message).toBe(
      `The built-in test gateway's file ${path} was written by a newer gw.`,
    );
    expect(failure.next).toContain('gw emulator reset');
  });

  test('a file of a development version is refused, and a reset moves it aside', () => {
    alter('PRAGMA user_version = 6');
    const failure = failureOf(open);
    expect(failure.message).toContain('was written by a development version of gw');
    expect(failure.next).toContain('gw emulator reset');
    expect(resetState({ path, clock })).toEqual({ movedTo: `${path}.old`, queued: 0 });
    open().close();
  });

  test("another program's database is refused", () => {
    mkdirSync(join(directory, 'gw'));
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE thesis (chapter TEXT)');
    database.close();
    const failure = failureOf(open);
    expect(failure.message).toBe(
      `${path} is a database, but not one of the built-in test gateway.`,
    );
  });

  test('a directory in place of the file is refused, and so is a file in place of its directory', () => {
    mkdirSync(path, { recursive: true });
    expect(failureOf(open).message).toContain(`${path} cannot be used`);
    writeFileSync(join(directory, 'file'), '');
    path = join(directory, 'file', 'emulator.db');
    expect(failureOf(open).message).toContain(`${path} cannot be used`);
  });
});

test('a dialect and a time are for a new file only', () => {
  resetState({ path, clock, dialect: 'strict' });
  const store = openState({ path, clock, dialect: 'deployed', time: new Date('2012-06-01') });
  expect(describeState(store)).toMatchObject({ dialect: 'strict', billingDay: '2026-03-10' });
  store.close();
});

describe('reset', () => {
  test('reset empties the file of a running server, which goes on', async () => {
    const bench = await openBench('HTTP', { path });
    const { body } = await bench.send('POST', '/v1.0/purchases', buy);
    expect(resetState({ path, clock })).toEqual({ queued: 0 });
    const gone = await bench.send('GET', `/v1.0/purchases/${body.response.id}`);
    expect(gone.status).toBe(404);
    const again = await bench.send('POST', '/v1.0/purchases', buy);
    expect(again.body).toEqual(body);
    await bench.close();
  });

  test('reset moves an unknown file aside, each time under a new name', () => {
    for (const [content, movedTo] of [
      ['first text, long enough for a header, more than 100 bytes of it'.repeat(3), `${path}.old`],
      [
        'second text, long enough for a header, more than 100 bytes of it'.repeat(3),
        `${path}.old-2`,
      ],
    ] as const) {
      replaceFile(content);
      expect(resetState({ path, clock })).toEqual({ movedTo, queued: 0 });
      expect(readFileSync(movedTo, 'utf8')).toBe(content);
      expect(existsSync(path)).toBe(true);
      open().close();
    }
  });

  test('reset replaces a file of a newer version', () => {
    alter(`PRAGMA user_version = ${storeFile(path).form + 1}`);
    expect(resetState({ path, clock })).toEqual({ movedTo: `${path}.old`, queued: 0 });
    open().close();
  });
});
