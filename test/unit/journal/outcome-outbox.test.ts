/** Outcomes that wait for a ledger which could not be reached. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import type { FailureCode } from '../../../src/failure-codes.ts';
import { createFiles } from '../../../src/host/files/files.ts';
import type { LedgerEntry, RecordSnapshot, Settlement } from '../../../src/journal/ledger.ts';
import {
  type KeptOutcome,
  KeptOutcomes,
  OutcomeOutbox,
} from '../../../src/journal/outcome-outbox.ts';
import { outcomesPath } from '../../../src/store/paths.ts';
import { failureOf } from '../../helpers/failure.ts';
import { AT } from '../../helpers/money-request.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const DONE = { state: 'done', status: 200, recordId: '071-R-1', message: null } as const;
const outcome = (entry: string, ledger = 'team'): KeptOutcome => ({
  ledger,
  address: 'ledger.example/gw',
  entry,
  settlement: DONE,
  snapshots: [],
  mayBeMissing: false,
});
const SEEN: RecordSnapshot = {
  ...AT,
  ...{ kind: 'customer', id: '071-C-1', reference: 'CUST-1', name: 'Ada Byron', lastFour: null },
  ...{ amount: null, seenBy: 'customer get', seenAt: '2026-01-01T00:00:00.000Z', record: {} },
};
const failing = (code: FailureCode) => new Failure(code, 'No.', 'Wait.');

function newPlace() {
  const files = createFiles({ HOME: temporaryDirectory() });
  const directory = outcomesPath(files);
  const kept = new KeptOutcomes(files, directory);
  /** The outbox of a process that opens a ledger. */
  const open = (ledger = 'team') => {
    const outbox = new OutcomeOutbox(kept, 'a/b');
    outbox.open(ledger);
    return outbox;
  };
  return { kept, directory, open };
}

const settles = async () => ({ isThere: true });
const loses = async () => ({ isThere: false });
const NOTHING = { late: [], lost: [] };

test('an outcome is stored privately until it is delivered to its ledger', async () => {
  const { kept, directory, open } = newPlace();
  expect(kept.of('team')).toEqual([]);
  kept.keep(outcome('a'));
  kept.keep(outcome('b', 'another'));
  expect(kept.of('team')).toEqual([outcome('a')]);
  for (const name of readdirSync(directory))
    expect(statSync(path.join(directory, name)).mode & 0o077).toBe(0);
  expect(statSync(directory).mode & 0o077).toBe(0);

  const settled: KeptOutcome[] = [];
  const delivered = await open().deliver(async (one) => {
    settled.push(one);
    return { isThere: true };
  });
  expect(delivered).toEqual(NOTHING);
  expect(settled).toEqual([outcome('a')]);
  expect(kept.of('team')).toEqual([]);
  expect(kept.of('another')).toHaveLength(1);
});

test('an outcome that cannot be written stays with those after it, and nothing is sent', async () => {
  const { kept, open } = newPlace();
  for (const entry of ['a', 'b', 'c']) kept.keep(outcome(entry));
  const outbox = open();
  let times = 0;
  const delivered = await outbox.deliver(async () => {
    if (++times === 2) throw failing('ledger-lost');
    return { isThere: true };
  });
  expect(delivered).toEqual(NOTHING);
  expect(kept.of('team')).toHaveLength(2);
  expect(await failureOf(() => outbox.refuseSending())).toMatchObject({ code: 'ledger-lost' });
  await outbox.deliver(settles);
  outbox.refuseSending();
});

test('an outcome is written again if the process is killed before it removes it', async () => {
  const { kept, open } = newPlace();
  kept.keep(outcome('a'));
  const dies = async () => {
    throw new Error('killed');
  };
  await expect(open().deliver(dies)).rejects.toThrow('killed');
  const settled: string[] = [];
  await open().deliver(async ({ entry }) => {
    settled.push(entry);
    return { isThere: true };
  });
  expect(settled).toEqual(['a']);
});

test('two processes may deliver outcomes at the same time', async () => {
  const { kept, open } = newPlace();
  kept.keep(outcome('a'));
  const delivered = await open().deliver(async () => {
    await open().deliver(settles);
    return { isThere: true };
  });
  expect(delivered).toEqual(NOTHING);
  expect(kept.of('team')).toEqual([]);
});

test('an outcome of a resolved entry is reported', async () => {
  const { kept, open } = newPlace();
  kept.keep(outcome('a'));
  const late = { before: {} as LedgerEntry, state: 'done', again: undefined } as const;
  expect(await open().deliver(async () => ({ isThere: true, late }))).toEqual({
    late: [late],
    lost: [],
  });
  expect(kept.of('team')).toEqual([]);
});

test('the outcome of a missing entry stays, unless the entry may never have been written', async () => {
  const { kept, open } = newPlace();
  kept.keep(outcome('a'));
  kept.keep({ ...outcome('b'), mayBeMissing: true });
  const outbox = open();
  expect(await outbox.deliver(loses)).toEqual({ late: [], lost: ['a'] });
  expect(kept.of('team')).toEqual([outcome('a')]);
  // Told once.
  expect(await outbox.deliver(loses)).toEqual(NOTHING);
  expect(kept.of('team')).toEqual([outcome('a')]);
});

test('the outcome of a missing entry stays without records, so that it names nobody', async () => {
  const { kept, open } = newPlace();
  const named = { ...outcome('a'), snapshots: [SEEN] };
  kept.keep(named);
  const away = async () => Promise.reject(failing('ledger-unreachable'));
  await open().deliver(away);
  expect(kept.of('team')).toEqual([named]);
  expect(await open().deliver(loses)).toEqual({ late: [], lost: ['a'] });
  expect(kept.of('team')).toEqual([outcome('a')]);
});

test('invalid outcomes are skipped', async () => {
  const { kept, directory } = newPlace();
  mkdirSync(directory, { recursive: true });
  const texts = {
    'a.json': '{"ledger":"team","entry":"a"',
    'b.json': '[]',
    'c.json': JSON.stringify(outcome('../../c')),
    'd.txt': JSON.stringify(outcome('d')),
    '.e.json.1.tmp': JSON.stringify(outcome('e')),
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(directory, name), text);
  expect(kept.of('team')).toEqual([]);
});

describe('an outbox', () => {
  const keptAs = (state: Settlement['state']): KeptOutcome => ({
    ...outcome('a'),
    settlement: { ...DONE, state },
  });

  test.each(['done', 'unknown'] as const)(
    'stops all requests while an outcome that is %s is lost, until it is dropped',
    async (state) => {
      const { kept, open } = newPlace();
      kept.keep(keptAs(state));
      const outbox = open();
      expect(await outbox.deliver(loses)).toMatchObject({ lost: ['a'] });
      const failure = await failureOf(() => outbox.refuseSending());
      expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-lost-entry' });
      expect(failure.next).toContain('`gw journal resolve a`');
      kept.drop('a');
      outbox.refuseSending();
    },
  );

  test.each(['declined', 'rejected', 'not-sent', 'not-done'] as const)(
    'goes on if an outcome that is %s is lost',
    async (state) => {
      const { kept, open } = newPlace();
      kept.keep(keptAs(state));
      const outbox = open();
      expect(await outbox.deliver(loses)).toMatchObject({ lost: ['a'] });
      outbox.refuseSending();
    },
  );

  test('goes on after all stored outcomes were written', async () => {
    const { kept, open } = newPlace();
    kept.keep(outcome('a'));
    kept.keep(outcome('b', 'another'));
    const outbox = open();
    expect(await outbox.deliver(settles)).toEqual(NOTHING);
    outbox.refuseSending();
    expect(outbox.hasKept).toBe(false);
    outbox.keep(outcome('c'));
    expect(outbox.hasKept).toBe(true);
    outbox.refuseSending();
  });

  test('stops all requests after this process loses an outcome, and reports it once', async () => {
    const { open } = newPlace();
    const outbox = open();
    outbox.keep(outcome('c'), true);
    expect(await failureOf(() => outbox.refuseSending())).toMatchObject({
      code: 'ledger-lost-entry',
    });
    expect(await outbox.deliver(loses)).toEqual(NOTHING);
  });

  test('stores nothing for an unknown ledger', () => {
    const { kept } = newPlace();
    expect(new OutcomeOutbox(kept, 'a/b').keep(outcome('a'))).toBe(false);
    expect(kept.of('team')).toEqual([]);
  });
});
