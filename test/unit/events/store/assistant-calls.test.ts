import { expect, test } from 'vitest';
import { AssistantCalls, rewriteCalls } from '../../../../src/events/store/assistant-calls.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const CALL = {
  ...{ at: '2026-03-01T00:00:00.000Z', profile: 'shop', client: 'try 1.0', tool: 'find' },
  ...{ arguments: '{"text":"ada@example.com"}', outcome: 'done', rows: 3, ms: 12 },
};

function open() {
  const files = createFiles({ HOME: temporaryDirectory() });
  return { files, calls: new AssistantCalls({ files }) };
}

test('the newest calls come first, of one profile or of all', async () => {
  const { calls } = open();
  await calls.add(CALL);
  await calls.add({ ...CALL, profile: 'other', tool: 'get' });
  expect(await calls.list(undefined, 10)).toMatchObject([{ id: 2, tool: 'get' }, CALL]);
  expect(await calls.list(undefined, 1)).toMatchObject([{ id: 2 }]);
  expect(await calls.list('shop', 10)).toEqual([{ id: 1, ...CALL }]);
});

test('the oldest are pruned', async () => {
  const { calls } = open();
  await calls.add(CALL);
  await calls.add({ ...CALL, at: '2026-04-01T00:00:00.000Z' });
  expect(await calls.older('2026-03-15')).toBe(1);
  expect(await calls.prune('2026-03-15')).toBe(1);
  expect(await calls.prune('2026-03-15')).toBe(0);
  expect(await calls.list(undefined, 10)).toHaveLength(1);
});

test('the arguments of a call about a person are emptied', async () => {
  const { files, calls } = open();
  await calls.add(CALL);
  await calls.add({ ...CALL, arguments: '{"text":"bob"}' });
  const database = new Database(ledgerFile(ledgerPath(files)));
  const go = (asked: Parameters<typeof rewriteCalls>[1]) =>
    database.write((queries) =>
      queries.do(rewriteCalls((call) => call.arguments.includes('ada'), asked)),
    );
  expect(go({ after: 0 })).toEqual({ touched: [1], last: 2 });
  expect(await calls.list(undefined, 10)).toMatchObject([{}, { arguments: CALL.arguments }]);
  go({ only: [1] });
  expect(go({ after: 0 }).touched).toEqual([]);
  database.close();
  const [bob, ada] = await calls.list(undefined, 10);
  expect([ada?.arguments, bob?.arguments]).toEqual(['', '{"text":"bob"}']);
});
