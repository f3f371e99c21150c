/** That the thread keeps events as the store alone does, and what becomes of them when it fails. */
import { writeFileSync } from 'node:fs';
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
  writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${program}`);
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
