/** Outcomes that wait for a ledger which could not be reached. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { createFiles } from '../../../src/host/files/files.ts';
import type { Settlement } from '../../../src/journal/ledger.ts';
import {
  deliverOutcomes,
  type KeptOutcome,
  KeptOutcomes,
  OutcomeKeeper,
} from '../../../src/journal/outcome-outbox.ts';
import { outcomesPath } from '../../../src/store/paths.ts';
import { failureOf } from '../../helpers/failure.ts';
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
const failing = (code: string) => new Failure('guard', 'No.', { code, next: 'Wait.' });

function newPlace() {
  const files = createFiles({ HOME: temporaryDirectory() });
  const directory = outcomesPath(files);
  return { kept: new KeptOutcomes(files, directory), directory };
}

test('an outcome is kept for this user alone until it is delivered, to the ledger that it is of', async () => {
  const { kept, directory } = newPlace();
  expect(kept.of('team')).toEqual([]);
  kept.keep(outcome('a'));
  kept.keep(outcome('b', 'another'));
  expect(kept.of('team')).toEqual([outcome('a')]);
  for (const name of readdirSync(directory))
    expect(statSync(path.join(directory, name)).mode & 0o077).toBe(0);
  expect(statSync(directory).mode & 0o077).toBe(0);

  const settled: KeptOutcome[] = [];
  const settle = async (one: KeptOutcome) => void settled.push(one);
  expect(await deliverOutcomes(kept, 'team', settle)).toEqual({ lost: [] });
  expect(settled).toEqual([outcome('a')]);
  expect(kept.of('team')).toEqual([]);
  expect(kept.of('another')).toHaveLength(1);
});

test('one that cannot be written stays, with those after it', async () => {
  const { kept } = newPlace();
  for (const entry of ['a', 'b', 'c']) kept.keep(outcome(entry));
  let times = 0;
  const { lost, failure } = await deliverOutcomes(kept, 'team', async () => {
    if (++times === 2) throw failing('ledger-lost');
  });
  expect({ lost, code: failure?.code }).toEqual({ lost: [], code: 'ledger-lost' });
  expect(kept.of('team')).toHaveLength(2);
});

test('whoever is killed before it goes away has it written again', async () => {
  const { kept } = newPlace();
  kept.keep(outcome('a'));
  const dies = async () => {
    throw new Error('killed');
  };
  await expect(deliverOutcomes(kept, 'team', dies)).rejects.toThrow('killed');
  const settled: string[] = [];
  await deliverOutcomes(kept, 'team', async ({ entry }) => void settled.push(entry));
  expect(settled).toEqual(['a']);
});

test('two processes may deliver at the same time', async () => {
  const { kept } = newPlace();
  kept.keep(outcome('a'));
  const settle = async () => {
    await deliverOutcomes(kept, 'team', async () => undefined);
  };
  expect(await deliverOutcomes(kept, 'team', settle)).toEqual({ lost: [] });
});

test('an entry that the ledger lacks keeps its outcome, but for one that may never have been written', async () => {
  const { kept } = newPlace();
  kept.keep(outcome('a'));
  kept.keep({ ...outcome('b'), mayBeMissing: true });
  const lost = async () => {
    throw failing('entry-lost');
  };
  expect(await deliverOutcomes(kept, 'team', lost)).toEqual({ lost: [outcome('a')] });
  expect(kept.of('team')).toEqual([outcome('a')]);
});

test('what is no outcome is passed over', async () => {
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

describe('a keeper of outcomes', () => {
  function keeper() {
    const { kept } = newPlace();
    const told: string[][] = [];
    const parts = { kept, address: 'a/b', onLeft: (all: readonly string[]) => told.push([...all]) };
    return { kept, told, keeper: new OutcomeKeeper(parts) };
  }
  const settles = async () => undefined;
  const loses = async () => {
    throw failing('entry-lost');
  };
  const keptAs = (state: Settlement['state']): KeptOutcome => ({
    ...outcome('a'),
    settlement: { ...DONE, state },
  });

  test.each(['done', 'unknown'] as const)(
    'lets nothing be sent while one is lost that is %s, until it is dropped',
    async (state) => {
      const { kept, told, keeper: ours } = keeper();
      kept.keep(keptAs(state));
      await ours.begin('team', loses);
      expect(told).toEqual([['a']]);
      const failure = await failureOf(() => ours.refuseSending());
      expect(failure).toMatchObject({ kind: 'guard', code: 'ledger-lost-entry' });
      expect(failure.next).toContain('`gw journal resolve a`');
      kept.drop('a');
      ours.refuseSending();
    },
  );

  test.each(['declined', 'rejected', 'not-sent', 'not-done'] as const)(
    'goes on where one is lost that is %s',
    async (state) => {
      const { kept, told, keeper: ours } = keeper();
      kept.keep(keptAs(state));
      await ours.begin('team', loses);
      expect(told).toEqual([['a']]);
      ours.refuseSending();
    },
  );

  test('goes on where all that was kept could be written, and nothing else was', async () => {
    const { kept, told, keeper: ours } = keeper();
    kept.keep(outcome('a'));
    kept.keep(outcome('b', 'another'));
    await ours.begin('team', settles);
    ours.refuseSending();
    ours.keep(outcome('c'));
    ours.refuseSending();
    expect(told).toEqual([]);
  });

  test('lets nothing be sent where what was kept could not be written', async () => {
    const { kept, told, keeper: ours } = keeper();
    kept.keep(outcome('a'));
    await ours.begin('team', async () => {
      throw failing('ledger-disk-full');
    });
    expect(told).toEqual([]);
    expect(await failureOf(() => ours.refuseSending())).toMatchObject({ code: 'ledger-disk-full' });
  });
});
