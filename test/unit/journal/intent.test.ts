/** The intent is on disk before the bytes leave; and what processes leave behind that die in between. */
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Sender } from '../../../src/client/senders/sender.ts';
import { createSingleSender } from '../../../src/client/senders/single.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { bundle } from '../../helpers/bundle.ts';
import { CALLS, ENVELOPE } from '../../helpers/calls.ts';
import { createTestClient, NOW, standingClock } from '../../helpers/client.ts';
import { answer, hostileServer } from '../../helpers/hostile-server.ts';
import { run, start } from '../../helpers/run.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const BASE_URL = new URL('https://gateway.example');

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/journal/program.ts');
});

/** Reads the file as another process would. */
function rowsOf(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT state, reference, settled_at FROM money_requests').all();
  database.close();
  return rows.map((row: object) => ({ ...row }));
}

test('a money request is recorded before it is sent', async () => {
  const seen: unknown[] = [];
  const sender: Sender = {
    async send() {
      seen.push(...rowsOf(ledgerFile));
      return { status: 200, headers: {}, body: ENVELOPE };
    },
    close: async () => undefined,
  };
  const { client, ledgerFile } = createTestClient({ baseUrl: BASE_URL, sender });
  await client.call(...CALLS.money);
  expect(seen).toEqual([{ state: 'sending', reference: 'INV-1', settled_at: null }]);
  expect(rowsOf(ledgerFile)).toEqual([{ state: 'done', reference: 'INV-1', settled_at: NOW }]);
  await client.close();
});

test('a money request is recorded before its first byte arrives', async () => {
  const seen: unknown[] = [];
  const server = await hostileServer({
    onConnection: (socket) => socket.once('data', () => seen.push(...rowsOf(ledgerFile))),
    onRequest: (socket) => socket.write(answer(200, ENVELOPE)),
  });
  const { client, ledgerFile } = createTestClient({
    baseUrl: server.url,
    sender: createSingleSender(),
  });
  await client.call(...CALLS.money);
  await client.close();
  expect(seen).toEqual([{ state: 'sending', reference: 'INV-1', settled_at: null }]);
});

test('a defect after sending leaves an unresolved entry', async () => {
  const sender: Sender = {
    send: () => Promise.reject(new TypeError('a defect')),
    close: async () => undefined,
  };
  const { client, ledgerFile } = createTestClient({ baseUrl: BASE_URL, sender });
  await expect(client.call(...CALLS.money)).rejects.toThrow('a defect');
  expect(rowsOf(ledgerFile)).toMatchObject([{ state: 'sending' }]);
  await client.close();
});

describe('a process that dies', () => {
  test('while it waits for the answer leaves an unresolved entry and a valid ledger', async () => {
    const file = `${temporaryDirectory()}/ledger.db`;
    const server = await hostileServer({ onRequest: () => void child.kill('SIGKILL') });
    const { child, ended } = start(process.execPath, [program, 'pay', file, server.url.href]);
    expect(await ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });

    const ledger = await openSqliteLedger(file, standingClock());
    expect(await ledger.list({ unresolved: true, limit: 9 })).toMatchObject([
      { state: 'sending', reference: 'INV-1', amount: 2500, settledAt: null },
    ]);
    expect(server.requests).toHaveLength(1);
    await ledger.close();
  });

  test.each([0, 1, 7, 20])('after %i intents has stored them', async (count) => {
    const file = `${temporaryDirectory()}/ledger.db`;
    const { child, ended, printed } = start(process.execPath, [program, 'record', file, 'x']);
    if (count > 0) await printed(new RegExp(`x-${count - 1}\\n`));
    child.kill('SIGKILL');
    const promised = (await ended).stdout.match(/x-\d+/g) ?? [];

    const ledger = await openSqliteLedger(file, standingClock());
    const entries = await ledger.list({ limit: 1000 });
    expect(promised.length).toBeGreaterThanOrEqual(count);
    expect(entries.map(({ reference }) => reference)).toEqual(expect.arrayContaining(promised));
    await ledger.close();
  });
});

test('many processes create one ledger at once and lose no entry', async () => {
  const file = `${temporaryDirectory()}/ledger.db`;
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const ends = await Promise.all(
    names.map((name) => run(process.execPath, [program, 'record', file, name])),
  );
  expect(ends.filter(({ stdout }) => !stdout.endsWith('ok\n'))).toEqual([]);

  const ledger = await openSqliteLedger(file, standingClock());
  const entries = await ledger.list({ limit: 1000 });
  const expected = names.flatMap((name) => Array.from({ length: 25 }, (_, i) => `${name}-${i}`));
  expect(entries.map(({ reference }) => reference).sort()).toEqual(expected.sort());
  expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(['done']));
  await ledger.close();
});
