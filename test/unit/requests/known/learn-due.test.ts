/** Learning later gives the same things as learning at once. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import {
  learnAllDue,
  learnInLots,
  rebuildIndex,
} from '../../../../src/requests/known/learn-due.ts';
import { Capture } from '../../../helpers/capture.ts';
import { standingClock } from '../../../helpers/client.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { charge } from '../../../helpers/listener.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { recorded } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { purchase, seen } from '../../desk/support.ts';
import { appendAll, newEvent } from '../../events/support.ts';

const AT = '2026-03-12T09:30:00.000Z';
const SETTLED = { state: 'done', status: 200, recordId: '071-R-1', message: 'Approved' } as const;

async function openBoth(endOfTurn?: () => Promise<void>) {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const ledger = await openSqliteLedger(file, { now: () => new Date(AT) }, { endOfTurn });
  const events = new EventFile(file);
  onTestFinished(async () => {
    await ledger.close();
    await events.close();
  });
  const things = async () => {
    const all = await ledger.things.search({ limit: 2_000 });
    // An entry's id is another one each time.
    return all.map(({ sources: { requests, ...sources }, ...thing }) => ({
      ...thing,
      sources,
      requests: Object.values(requests),
    }));
  };
  return { ledger, events, things };
}

test('requests and records of a batch are learnt later, and make the same things', async () => {
  const batch = await openBoth(async () => undefined);
  const single = await openBoth();
  for (const { ledger } of [batch, single]) {
    const seenThen = seen('refund', { id: '071-R-1', amount: -1_000, successful: true });
    await ledger.remember([seen('purchase', purchase('071-P-1'))]);
    await ledger.settle(await recorded(ledger, REFUND), SETTLED, [seenThen]);
  }
  expect(await batch.things()).toEqual([]);
  expect(await batch.ledger.things.due()).toBe(4);
  await learnAllDue(batch.ledger.sql);
  await learnAllDue(single.ledger.sql);
  expect(await batch.ledger.things.due()).toBe(0);
  expect(await batch.things()).toHaveLength(2);
  expect(await batch.things()).toEqual(await single.things());
});

test('any number of events become things in the order of their arrival', async () => {
  const { ledger, events, things } = await openBoth();
  const many = Array.from({ length: 1_100 }, (_, n) => newEvent(charge(`P-${n}`)));
  await appendAll(events, many);
  expect(await things()).toEqual([]);
  await learnAllDue(ledger.sql);
  await learnAllDue(ledger.sql);
  const charges = (await things()).filter(({ kind }) => kind === 'purchase');
  const ids = charges.map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 1_100 }, (_, n) => `P-${1_099 - n}`));
});

test('each event is learnt once, and one that repeats another is not due', async () => {
  const { ledger, events, things } = await openBoth();
  const due = () => ledger.things.due();
  const charges = async () =>
    (await things()).filter(({ kind }) => kind === 'purchase').map(({ id }) => id);
  await appendAll(events, [newEvent(charge('P-1')), newEvent(charge('P-1'))]);
  expect(await due()).toBe(1);
  await learnAllDue(ledger.sql);
  expect(await due()).toBe(0);
  await events.append(newEvent(charge('P-2')));
  expect(await due()).toBe(1);
  await learnAllDue(ledger.sql);
  expect(await due()).toBe(0);
  expect(await charges()).toEqual(['P-2', 'P-1']);
  await events.prune('9999');
  await events.append(newEvent(charge('P-3')));
  await learnAllDue(ledger.sql);
  expect(await charges()).toEqual(['P-3']);
});

test('a rebuilt index has every event', async () => {
  const { ledger, events, things } = await openBoth();
  await appendAll(
    events,
    Array.from({ length: 250 }, (_, n) => newEvent(charge(`P-${n}`))),
  );
  await learnAllDue(ledger.sql);
  const before = await things();
  await rebuildIndex(ledger.sql);
  expect(await things()).toEqual(before);
  expect(await ledger.things.due()).toBe(0);
});

test('a forgotten event makes no thing, and a contradicted one is shown as contradicted', async () => {
  const { ledger, events, things } = await openBoth();
  await appendAll(events, [newEvent(charge('P-1'), { profile: 'old' }), newEvent(charge('P-2'))]);
  await events.forget('old');
  await events.verify(2, { state: 'contradicted', reason: 'not found' });
  await learnAllDue(ledger.sql);
  expect(await things()).toMatchObject([{ id: '2', outcome: 'contradicted' }]);
});

test('learning that is interrupted keeps what it learnt, and goes on from there', async () => {
  const { ledger, events, things } = await openBoth();
  await appendAll(
    events,
    Array.from({ length: 1_200 }, (_, n) => newEvent(charge(`P-${n}`))),
  );
  const controller = new AbortController();
  let turns = 0;
  const host = {
    clock: standingClock(),
    endOfTurn: async () => {
      if (++turns === 2) controller.abort();
    },
    interrupted: controller.signal,
    stderr: new Capture(),
  };
  const failure = await failureOf(() => learnInLots(host, ledger.sql));
  expect(failure).toMatchObject({ kind: 'interrupted', code: 'interrupted' });
  expect(failure.next).toBe(
    'What was added to the index stays. Run the same command again to go on.',
  );
  expect(await ledger.things.due()).toBe(200);
  expect((await things()).length).toBeGreaterThan(0);
  await learnInLots({ ...host, interrupted: new AbortController().signal }, ledger.sql);
  expect(await ledger.things.due()).toBe(0);
  // Nothing was left to do, so nothing was interrupted.
  await learnInLots(host, ledger.sql);
});
