/** That the thread keeps events as the store alone does, and what becomes of them when it fails. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openThreadedEventStore } from '../../../src/events/threaded-event-store.ts';
import { bundle } from '../../helpers/bundle.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { newEvent } from '../webhooks/support.ts';
import { eventStoreCases } from './event-store-cases.ts';

let worker: string;
beforeAll(async () => {
  worker = await bundle('src/events/event-store-worker.ts');
});

eventStoreCases(() => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  return async () => {
    const store = await openThreadedEventStore(file, worker);
    onTestFinished(() => store.close());
    return store;
  };
});

async function storeWith(program: string) {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'worker.cjs');
  writeFileSync(
    file,
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (told) => told === 'end' && parentPort.close());
     ${program}`,
  );
  const store = await openThreadedEventStore(path.join(directory, 'ledger.db'), file);
  onTestFinished(() => store.close());
  return store;
}

test('a thread that dies fails what it was asked, and what it is asked later', async () => {
  const store = await storeWith("parentPort.once('message', () => process.exit(1));");
  await expect(store.append([newEvent('{}')])).rejects.toThrow('has ended');
  await expect(store.append([newEvent('{}')])).rejects.toThrow('has ended');
});

test('a failure comes from the thread as what it is', async () => {
  const error = {
    kind: 'usage',
    code: 'file-locked',
    message: 'The ledger is locked.',
    next: 'Try again.',
  };
  const store = await storeWith(
    `parentPort.on('message', ({ id }) => parentPort.postMessage({ id, error: ${JSON.stringify(error)} }));`,
  );
  await expect(store.append([newEvent('{}')])).rejects.toMatchObject(error);
});

test('an answer finds its question, whatever their order', async () => {
  const store = await storeWith(
    `let first;
     parentPort.on('message', ({ id }) => {
       if (first === undefined) first = id;
       else for (const one of [id, first]) parentPort.postMessage({ id: one, appended: [{ id: one, duplicateOf: null }] });
     });`,
  );
  const appended = await Promise.all([1, 2].map(() => store.append([newEvent('{}')])));
  expect(appended.flat().map(({ id }) => id)).toEqual([1, 2]);
});

test('what was asked before the end is kept, by a thread that is still loading', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const store = await openThreadedEventStore(file, worker);
  const appended = store.append([newEvent('{}')]);
  await store.close();
  expect(await appended).toEqual([{ id: 1, duplicateOf: null }]);
});

test('a thread that is still loading is waited for, and not ended in the middle', async () => {
  const file = path.join(temporaryDirectory(), 'end');
  const program = `parentPort.on('message', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, 'by itself'));`;
  const store = await storeWith(program);
  await store.close();
  expect(readFileSync(file, 'utf8')).toBe('by itself');
});
