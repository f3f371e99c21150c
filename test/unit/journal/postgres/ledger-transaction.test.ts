/** Until when an intent on a server may be sent, by the clocks of this machine. */
import { expect, test } from 'vitest';
import { transact } from '../../../../src/journal/postgres/ledger-transaction.ts';
import { isRunning } from '../../../../src/journal/sending.ts';
import { LEDGER_FORM } from '../../../../src/store/ledger/postgres-schema.ts';
import { parseLedgerAddress } from '../../../../src/store/postgres/address.ts';
import type { Beginning, InTransaction, Server } from '../../../../src/store/postgres/server.ts';
import { REFUND } from '../../../helpers/money-request.ts';

interface Time {
  wall: number;
  uptime: number;
}

function pass(time: Time, ms: number, clock: 'both' | keyof Time = 'both'): void {
  if (clock !== 'uptime') time.wall += ms;
  if (clock !== 'wall') time.uptime += ms;
}

/** A server that takes its time: for the locks, and for what is asked then. */
function slowServer(time: Time, waitsMs: number): Server {
  return {
    address: parseLedgerAddress('postgres://ledger.example/gw', 'test'),
    async transaction<Result>(work: InTransaction<Result>, { begin }: Beginning<undefined>) {
      begin?.();
      const now = new Date(time.wall).toISOString();
      pass(time, waitsMs);
      const rows = [{ form: LEDGER_FORM, id: 'team', now }];
      const asked = Promise.resolve(undefined);
      return work(async () => [], { rows, asked, commit: async () => undefined });
    },
  } as unknown as Server;
}

/** @returns whether what was written in a transaction may be sent */
async function written(time: Time, waitsMs = 0): Promise<() => boolean> {
  const clock = { now: () => new Date(time.wall), uptimeMs: () => time.uptime };
  const author = { operator: 'ada', machine: 'desk' };
  const connection = { server: slowServer(time, waitsMs), clock, author, marks: undefined };
  const intents = [{ id: 'e', request: REFUND, conditions: undefined }];
  const { lease } = await transact(connection, intents, {
    write: async (transaction) => transaction,
  });
  return () => isRunning(lease, clock);
}

const START: Time = { wall: Date.UTC(2026, 2, 10), uptime: 5_000 };

test.each([
  [0, 24_000, true],
  [0, 26_000, false],
  [6_000, 18_000, true],
  // The server has counted for 26 seconds by then, and gives 30.
  [6_000, 20_000, false],
])(
  'a request that waited for locks for %i ms, then for %i ms, may be sent: %s',
  async (waited, later, may) => {
    const time = { ...START };
    const mayBeSent = await written(time, waited);
    pass(time, later);
    expect(mayBeSent()).toBe(may);
  },
);

test.each<[what: string, may: boolean, wallMs: number, uptimeMs: number]>([
  ['paused, and the clock was put back to where it stood', false, 0, 40_000],
  ['paused, and the clock was put back by an hour', false, -3_600_000, 40_000],
  ['asleep, which the other clock does not count', false, 40_000, 0],
  ['quick, although the clock was put back a little', true, -50, 100],
  ['quick, although the clock was put back by an hour', true, -3_600_000, 100],
  ['quick, and the clock goes slow', true, 900, 1_000],
])('a request may be sent after the machine was %s: %s', async (_, may, wallMs, uptimeMs) => {
  const time = { ...START };
  const mayBeSent = await written(time);
  pass(time, wallMs, 'wall');
  pass(time, uptimeMs, 'uptime');
  expect(mayBeSent()).toBe(may);
});
