/** Until when an intent on a server may be sent, by the clock of this machine. */
import { expect, test } from 'vitest';
import { intendAll } from '../../../../src/journal/postgres/server-intents.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import type { InTransaction, Server } from '../../../../src/store/postgres/server.ts';
import { REFUND } from '../../../helpers/money-request.ts';

/** A server that takes its time: for the locks, and for what is asked then. */
function slowServer(time: { ms: number }, waitsMs: number): Server {
  return {
    address: parseLedgerAddress('postgres://ledger.example/gw', 'test'),
    async transaction<Result>(work: InTransaction<Result>, begin: () => string) {
      begin();
      const now = new Date(time.ms).toISOString();
      time.ms += waitsMs;
      return work(async () => [], [{ form: LEDGER_FORM, now }]);
    },
  } as unknown as Server;
}

test.each([
  [0, 24_000, true],
  [0, 26_000, false],
  [6_000, 18_000, true],
  // The server has counted for 26 seconds by then, and gives 30.
  [6_000, 20_000, false],
])('waited for locks for %i ms, then for %i ms: it may be sent: %s', async (waited, later, may) => {
  const time = { ms: Date.UTC(2026, 2, 10) };
  const [became] = await intendAll([{ id: 'a', request: REFUND, conditions: undefined }], {
    server: slowServer(time, waited),
    clock: { now: () => new Date(time.ms) },
    writer: {
      processes: { self: 'me', isGone: () => undefined },
      author: undefined,
      leaseMs: 30_000,
      isDeferring: false,
    },
    marks: undefined,
    onNotKnown: () => undefined,
    onNotSent: async () => undefined,
  });
  time.ms += later;
  expect(became).toMatchObject({ kind: 'recorded' });
  expect(became?.kind === 'recorded' && became.isStillOurs?.()).toBe(may);
});
