/** That what is learnt later is learnt as if it had been at once. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import { openLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { learnAllDue } from '../../../../src/requests/known/learn-due.ts';
import { charge } from '../../../helpers/listener.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { recorded } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { purchase, seen } from '../../desk/support.ts';
import { newEvent } from '../../events/support.ts';

const AT = '2026-03-12T09:30:00.000Z';
const SETTLED = { state: 'done', status: 200, recordId: '071-R-1', message: 'Approved' } as const;

async function openBoth(endOfTurn?: () => Promise<void>) {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const ledger = await openLedger(file, { now: () => new Date(AT) }, { endOfTurn });
  const events = new EventFile(file);
  onTestFinished(async () => {
    await ledger.close();
    await events.close();
  });
  const documents = async () => {
    const all = await ledger.documents.search({ limit: 2_000 });
    // An entry's id is another one each time.
    return all.map(({ sources: { requests, ...sources }, ...document }) => ({
      ...document,
      sources,
      requests: Object.values(requests),
    }));
  };
  return { ledger, events, documents };
}

test('a batch leaves requests and records for later, and they become the same things', async () => {
  const batch = await openBoth(async () => undefined);
  const single = await openBoth();
  for (const { ledger } of [batch, single]) {
    const seenThen = seen('refund', { id: '071-R-1', amount: -1_000, successful: true });
    await ledger.remember([seen('purchase', purchase('071-P-1'))]);
    await ledger.settle(await recorded(ledger, REFUND), SETTLED, [seenThen]);
  }
  expect(await batch.documents()).toEqual([]);
  expect(await batch.ledger.documents.due()).toBe(4);
  await learnAllDue(batch.ledger.sql);
  await learnAllDue(single.ledger.sql);
  expect(await batch.ledger.documents.due()).toBe(0);
  expect(await batch.documents()).toHaveLength(2);
  expect(await batch.documents()).toEqual(await single.documents());
});

test('events become things in the order in which they came, however many there are', async () => {
  const { ledger, events, documents } = await openBoth();
  const many = Array.from({ length: 1_100 }, (_, n) => newEvent(charge(`P-${n}`)));
  await events.append(many);
  expect(await documents()).toEqual([]);
  await learnAllDue(ledger.sql);
  await learnAllDue(ledger.sql);
  const charges = (await documents()).filter(({ kind }) => kind === 'purchase');
  const ids = charges.map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 1_100 }, (_, n) => `P-${1_099 - n}`));
});

test('what is gone meanwhile becomes no thing, and what is contradicted an event that says so', async () => {
  const { ledger, events, documents } = await openBoth();
  await events.append([newEvent(charge('P-1'), { profile: 'old' }), newEvent(charge('P-2'))]);
  await events.forget('old');
  await events.verify(2, { state: 'contradicted', reason: 'not found' });
  await learnAllDue(ledger.sql);
  expect(await documents()).toMatchObject([{ id: '2', outcome: 'contradicted' }]);
});
