/** A machine remembers entries of a team's ledger. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { usage } from '../../../../src/failure.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import { digestOf, LedgerMarks } from '../../../../src/journal/postgres/ledger-marks.ts';
import { marksPath } from '../../../../src/store/paths.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

function machine() {
  const files = createFiles({ HOME: temporaryDirectory() });
  const directory = marksPath(files);
  return { files, directory, marks: new LedgerMarks(files, directory) };
}

const at = (minute: number) => new Date(Date.UTC(2026, 2, 10, 9, minute)).toISOString();
const mark = (entry: string, minute: number, account = 'live/shop', ledger = 'team') => ({
  ...{ ledger: digestOf(ledger), account: digestOf(account) },
  ...{ entry, at: at(minute) },
});

describe('marks', () => {
  test('are replaced by the next entry in the same ledger', () => {
    const { marks } = machine();
    expect(marks.all()).toEqual([]);
    marks.wrote(mark('a', 0), []);
    const found = marks.all();
    expect(found).toEqual([mark('a', 0)]);
    // By the server's clock, which may have been put back.
    marks.wrote(mark('b', -5), found);
    expect(marks.all()).toEqual([mark('b', -5)]);
  });

  test('of two independent processes are both stored', () => {
    const { marks } = machine();
    marks.wrote(mark('a', 0), []);
    const [first, second] = [marks.all(), marks.all()];
    marks.wrote(mark('c', 2), first);
    marks.wrote(mark('b', 1), second);
    expect(marks.all()).toEqual([mark('b', 1), mark('c', 2)]);
    marks.wrote(mark('d', 3), marks.all());
    expect(marks.all()).toEqual([mark('d', 3)]);
  });

  test('of another account stay, whoever writes; those of the account in another ledger do not', () => {
    const { marks } = machine();
    const others = [mark('a', 0, 'live/other'), mark('b', 1, 'sandbox/shop')];
    for (const one of [...others, mark('c', 2, 'live/shop', 'old')]) marks.wrote(one, []);
    marks.wrote(mark('d', 5), marks.all());
    expect(marks.all()).toEqual([...others, mark('d', 5)]);
    marks.saw(mark('e', 9), marks.all());
    expect(marks.all()).toEqual([...others, mark('e', 9)]);
  });

  test.each(['../../a', 'live/\u0000', 'x'.repeat(255), 'live/Zoë & Söhne', ''])(
    'of an account and a ledger called %j are kept, and nothing of them is a path',
    (name) => {
      const { marks, directory } = machine();
      marks.wrote(mark('a', 0, name, name), []);
      expect(marks.all()).toEqual([mark('a', 0, name, name)]);
      expect(readdirSync(directory)).toHaveLength(1);
    },
  );

  test('are replaced by a look-up only if it is a minute newer', () => {
    const { marks } = machine();
    marks.wrote(mark('a', 0), []);
    marks.saw(mark('b', 1), marks.all());
    expect(marks.all()).toEqual([mark('a', 0), mark('b', 1)]);
    marks.saw(mark('b', 1), marks.all());
    marks.saw(mark('c', 2), marks.all());
    expect(marks.all()).toEqual([mark('b', 1), mark('c', 2)]);
  });

  test('are removed only when the next one is there', () => {
    const { files, directory, marks } = machine();
    marks.wrote(mark('a', 0), []);
    const kept: string[][] = [];
    const look = () => kept.push(marks.all().map(({ entry }) => entry));
    const watched = new LedgerMarks(
      {
        ...files,
        append: (...args) => {
          look();
          return files.append(...args);
        },
        remove: (file) => {
          look();
          files.remove(file);
        },
      },
      directory,
    );
    watched.wrote(mark('b', 1), watched.all());
    watched.saw(mark('c', 3), watched.all());
    look();
    expect(kept).toEqual([['a'], ['a', 'b'], ['b'], ['b', 'c'], ['c']]);
  });

  test('stay if the next one cannot be written', () => {
    const { files, directory, marks } = machine();
    marks.wrote(mark('a', 0), []);
    const full = () => {
      throw usage('file-unwritable', 'The disk is full.', 'Make room.');
    };
    const failing = new LedgerMarks({ ...files, append: full }, directory);
    expect(() => failing.wrote(mark('b', 1), failing.all())).toThrow('The disk is full.');
    expect(marks.all()).toEqual([mark('a', 0)]);
    failing.saw(mark('c', 3), failing.all());
    expect(marks.all()).toEqual([mark('a', 0)]);
  });

  test('ignore other files and invalid ids', () => {
    const { marks, directory } = machine();
    mkdirSync(directory, { recursive: true });
    for (const name of ['x', '.5-a.tmp', "1-a'b", '1-'])
      writeFileSync(path.join(directory, name), '');
    marks.saw(mark('../../a', 0), []);
    marks.saw(mark("a'; DROP TABLE", 0), []);
    expect(marks.all()).toEqual([]);
    expect(readdirSync(directory)).toHaveLength(4);
  });
});
