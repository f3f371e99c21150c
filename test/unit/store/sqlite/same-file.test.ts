/** Nobody finds what is written to a file that left its path, or that has a second name. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { standingClock } from '../../../helpers/client.ts';
import { charge } from '../../../helpers/listener.ts';
import { recorded, sandboxPurchase } from '../../../helpers/recorded.ts';
import { run } from '../../../helpers/run.ts';
import { havePrograms, mayUnshare } from '../../../helpers/skip.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { newEvent } from '../../events/support.ts';

const AT_ONCE = { endOfTurn: () => Promise.resolve() };
const DONE = { state: 'done', status: 200, recordId: 'R-9', message: null } as const;
const [MOVED, LINKED] = ['file-moved', 'file-linked'].map((code) =>
  expect.objectContaining({ kind: 'guard', exitCode: 10, code }),
);

/** A home with a ledger in it, by way of a link, and a second home. */
function homes() {
  const root = temporaryDirectory();
  const [real, home, other] = ['real', 'home', 'other'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(real);
  mkdirSync(other);
  symlinkSync(real, home);
  return { real, home, other, file: path.join(home, 'ledger.db') };
}

type Homes = ReturnType<typeof homes>;

async function open(file: string, options = {}) {
  const ledger = await openSqliteLedger(file, standingClock(), options);
  onTestFinished(() => ledger.close());
  return ledger;
}

function copyAll(from: string, to: string) {
  for (const name of readdirSync(from)) copyFileSync(path.join(from, name), path.join(to, name));
}

const MOVES: [what: string, move: (homes: Homes) => void][] = [
  ['its directory is moved', ({ real }) => renameSync(real, `${real}.old`)],
  [
    'its directory is moved, and a copy is in its place',
    ({ real, other }) => {
      copyAll(real, other);
      renameSync(real, `${real}.old`);
      renameSync(other, real);
    },
  ],
  [
    'the link to its directory leads to another one',
    ({ real, home, other }) => {
      copyAll(real, other);
      unlinkSync(home);
      symlinkSync(other, home);
    },
  ],
  ['it is deleted', ({ file }) => rmSync(file)],
  ['all of it is deleted', ({ real }) => rmSync(real, { recursive: true })],
  [
    'a copy of it takes its place, beside its log',
    ({ file }) => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
  ['its log is deleted', ({ file }) => rmSync(`${file}-wal`)],
  [
    'a copy of its log takes the place of that',
    ({ file }) => {
      copyFileSync(`${file}-wal`, `${file}-new`);
      renameSync(`${file}-new`, `${file}-wal`);
    },
  ],
  [
    'a link stands in its place, and its log stays',
    ({ file, other }) => {
      renameSync(file, path.join(other, 'ledger.db'));
      symlinkSync(path.join(other, 'ledger.db'), file);
    },
  ],
];

describe.each([
  ['for a single request', {}],
  ['for many', AT_ONCE],
])('a ledger that is open %s', (_, options) => {
  test.each(MOVES)('accepts no intent and no outcome if %s', async (_what, move) => {
    const at = homes();
    const ledger = await open(at.file, options);
    const id = await recorded(ledger, sandboxPurchase('INV-1'));
    move(at);
    await expect(recorded(ledger, sandboxPurchase('INV-2'))).rejects.toThrow(MOVED);
    await expect(ledger.settle(id, DONE)).rejects.toThrow(MOVED);
    expect(await ledger.list({ limit: 9 })).toMatchObject([{ id, state: 'sending' }]);
  });

  test('accepts no intent from the first one on', async () => {
    const at = homes();
    const ledger = await open(at.file, options);
    renameSync(at.real, `${at.real}.old`);
    await expect(recorded(ledger, sandboxPurchase('INV-1'))).rejects.toThrow(MOVED);
  });

  test('does not report an intent as stored if it was moved during the write', async () => {
    const at = homes();
    const ledger = await open(at.file, options);
    const request = sandboxPurchase('INV-1');
    // In the transaction, after the file has been looked at.
    const toJSON = () => {
      renameSync(at.real, `${at.real}.old`);
      return {};
    };
    const intended = ledger.intend({ ...request, body: { metadata: { toJSON } } as never });
    await expect(intended).rejects.toThrow(MOVED);
  });

  test('goes on when it is back in its place', async () => {
    const at = homes();
    const ledger = await open(at.file, options);
    renameSync(at.real, `${at.real}.old`);
    await expect(recorded(ledger, sandboxPurchase('INV-1'))).rejects.toThrow(MOVED);
    renameSync(`${at.real}.old`, at.real);
    expect(await recorded(ledger, sandboxPurchase('INV-1'))).toMatch(/./);
  });

  test('accepts no intent with a second name, and goes on without it', async () => {
    const { file, other } = homes();
    const ledger = await open(file, options);
    linkSync(file, path.join(other, 'ledger.db'));
    await expect(recorded(ledger, sandboxPurchase('INV-1'))).rejects.toThrow(LINKED);
    rmSync(path.join(other, 'ledger.db'));
    expect(await recorded(ledger, sandboxPurchase('INV-1'))).toMatch(/./);
  });
});

test('closing copies nothing into another file at the path', async () => {
  const { file } = homes();
  const ledger = await openSqliteLedger(file, standingClock(), AT_ONCE);
  const many = Array.from({ length: 400 }, (_, n) => recorded(ledger, sandboxPurchase(`I-${n}`)));
  await Promise.all(many);
  copyFileSync(file, `${file}.new`);
  renameSync(`${file}.new`, file);
  await ledger.close();
  // The log is of both, and has all of it.
  expect(await (await open(file)).list({ limit: 999 })).toHaveLength(400);
});

test('a ledger with two names is not opened by either name', async () => {
  const { file, other } = homes();
  await (await openSqliteLedger(file, standingClock())).close();
  const second = path.join(other, 'ledger.db');
  linkSync(file, second);
  for (const name of [file, second]) {
    await expect(openSqliteLedger(name, standingClock())).rejects.toThrow(LINKED);
    expect(() => new EventFile(name)).toThrow(LINKED);
  }
  expect(existsSync(`${second}-wal`)).toBe(false);
});

test.each<[what: string, link: (homes: Homes) => string]>([
  ['its directory', ({ home }) => path.join(home, 'ledger.db')],
  [
    'the file',
    ({ real, other }) => {
      symlinkSync(path.join(real, 'ledger.db'), path.join(other, 'ledger.db'));
      return path.join(other, 'ledger.db');
    },
  ],
])('a link to %s opens the same ledger with the same log', async (_, link) => {
  const at = homes();
  const direct = await open(path.join(at.real, 'ledger.db'), AT_ONCE);
  const linked = await open(link(at), AT_ONCE);
  const ids = [
    await recorded(direct, sandboxPurchase('INV-1')),
    await recorded(linked, sandboxPurchase('INV-2')),
  ];
  for (const ledger of [direct, linked])
    expect((await ledger.list({ limit: 9 })).map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(readdirSync(at.other).filter((name) => name.endsWith('-wal'))).toEqual([]);
});

test('a link that changes its target counts as a moved ledger', async () => {
  const { real, other } = homes();
  const link = path.join(other, 'ledger.db');
  const [one, two] = ['one.db', 'two.db'].map((name) => path.join(real, name)) as [string, string];
  for (const file of [one, two]) await (await openSqliteLedger(file, standingClock())).close();
  symlinkSync(one, link);
  const ledger = await open(link);
  unlinkSync(link);
  symlinkSync(two, link);
  await expect(recorded(ledger, sandboxPurchase('INV-1'))).rejects.toThrow(MOVED);
});

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/journal/program.ts');
});

test('events that arrive while the ledger is moved are not reported as stored', async () => {
  const { file, real } = homes();
  const store = new EventFile(file);
  onTestFinished(() => store.close());
  const keep = (id: string) => store.append(newEvent(charge(id)));
  expect(await keep('P-1')).toMatchObject({ id: 1 });
  renameSync(real, `${real}.old`);
  await expect(keep('P-2')).rejects.toThrow(MOVED);
  await expect(store.prune('2026-01-01')).rejects.toThrow(MOVED);
  renameSync(`${real}.old`, real);
  expect(await keep('P-2')).toMatchObject({ id: 2 });
});

test.skipIf(!havePrograms('unshare', 'mount') || !mayUnshare('--mount'))(
  'a file that is mounted alone is refused, and one in a mounted directory is not',
  async () => {
    const { real, other } = homes();
    const [from, to] = [real, other].map((home) => path.join(home, 'a b\\ledger.db'));
    if (from === undefined || to === undefined) throw new Error('no path');
    for (const file of [from, to]) await (await openSqliteLedger(file, standingClock())).close();
    const within = (mounts: string, file: string) =>
      run('unshare', [
        ...['--mount', 'sh', '-c', `mount --bind ${mounts} && exec "$0" "$@"`],
        ...[process.execPath, program, 'open', file],
      ]);
    const byItself = await within(`'${from}' '${to}'`, to);
    expect(byItself).toMatchObject({ stdout: expect.stringMatching(/^guard: .* is mounted /) });
    const byDirectory = await within(`'${real}' '${other}'`, to);
    expect(byDirectory).toMatchObject({ stdout: 'ok\n', stderr: '' });
    // Nothing shows where this mount comes from.
    expect(await within(`'${from}' '${to}'`, from)).toMatchObject({ stdout: 'ok\n' });
  },
);
