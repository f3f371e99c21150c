/** That the thread takes deliveries in as is done where they arrive, and what becomes of them when it fails. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ReadingRules, StoredEvent } from '../../../../src/events/event.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import type { EventStore } from '../../../../src/events/store/event-store.ts';
import { ingest } from '../../../../src/events/store/ingest.ts';
import { ThreadedEventStore } from '../../../../src/events/store/threaded-event-store.ts';
import { arrival, READING_RULES as RULES } from '../../../helpers/arrival.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { charge } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

let worker: string;
beforeAll(async () => {
  worker = await bundle('src/events/store/event-store-worker.ts');
});

async function eventsOf(store: EventStore): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of store.list({ limit: 100 })) events.push(event);
  return events;
}

const ARRIVALS = [
  arrival(charge('P-1')),
  arrival(charge('P-1')),
  arrival(''),
  arrival('{"event":"a","payload":{"pan":"4111111111111111"}}', { isAuthenticated: true }),
  arrival('', { isTooLong: true }),
  arrival(charge('P-2'), { rawHeaders: ['x-service-mode', 'Live'] }),
];

test.each<[string, Partial<ReadingRules>]>([
  ['lines', {}],
  ['records', { form: { kind: 'record' } }],
  ['nothing to print yet', { form: undefined, isConfirming: true, forwardTo: 'http://app/' }],
  ['a profile that remembers nothing', { isRemembering: false, events: ['charge:*'] }],
])('the thread keeps and tells what is kept and told without it: %s', async (_, change) => {
  const rules = { ...RULES, ...change };
  const directory = temporaryDirectory();
  const threaded = new ThreadedEventStore(path.join(directory, 'a.db'), worker);
  const direct = new EventFile(path.join(directory, 'b.db'));
  onTestFinished(() => Promise.all([threaded.close(), direct.close()]).then(() => undefined));
  expect(await threaded.ingest(ARRIVALS, rules)).toEqual(await ingest(direct, ARRIVALS, rules));
  expect(await eventsOf(threaded)).toEqual(await eventsOf(direct));
  expect(ARRIVALS[0]?.body.length).toBeGreaterThan(0);
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
  const store = new ThreadedEventStore(path.join(directory, 'ledger.db'), file);
  onTestFinished(() => store.close());
  return store;
}

test('a thread that dies fails what it was asked, and what it is asked later', async () => {
  const store = await storeWith("parentPort.once('message', () => process.exit(1));");
  await expect(store.ingest(ARRIVALS, RULES)).rejects.toThrow('has ended');
  await expect(store.ingest(ARRIVALS, RULES)).rejects.toThrow('has ended');
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
  await expect(store.ingest(ARRIVALS, RULES)).rejects.toMatchObject(error);
});

test('an answer finds its question, whatever their order', async () => {
  const store = await storeWith(
    `let first;
     parentPort.on('message', ({ id }) => {
       if (first === undefined) first = id;
       else for (const one of [id, first]) parentPort.postMessage({ id: one, taken: [{ id: one }] });
     });`,
  );
  const taken = await Promise.all([1, 2].map(() => store.ingest(ARRIVALS, RULES)));
  expect(taken.flat().map(({ id }) => id)).toEqual([1, 2]);
});

test('what was asked before the end is kept, by a thread that is still loading', async () => {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const store = new ThreadedEventStore(file, worker);
  const taken = store.ingest([arrival(charge('P-1'))], RULES);
  await store.close();
  expect(await taken).toMatchObject([{ id: 1, duplicateOf: null }]);
});

test('a thread that is still loading is waited for, and not ended in the middle', async () => {
  const file = path.join(temporaryDirectory(), 'end');
  const program = `parentPort.on('message', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, 'by itself'));`;
  const store = await storeWith(program);
  await store.close();
  expect(readFileSync(file, 'utf8')).toBe('by itself');
});
