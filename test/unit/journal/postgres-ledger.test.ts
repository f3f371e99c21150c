/** The ledger that a team shares: what every ledger does, and what only several machines can try. */
import { afterAll, describe, onTestFinished } from 'vitest';
import type { Clock } from '../../../src/host/host.ts';
import type { Ledger } from '../../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../../src/journal/postgres-ledger.ts';
import { Cluster, findPostgres, serverOf, type TestDatabase } from '../../helpers/postgres.ts';
import { standingTime } from '../../helpers/postgres-time.ts';
import { ledgerCases, MACHINE, START } from './ledger-cases.ts';

const programs = findPostgres();

/** Stands, and whoever sleeps wakes when the test says so, or is woken. */
function standingClock() {
  const clock = {
    time: Date.parse(START),
    sleepers: [] as (() => void)[],
    now: () => new Date(clock.time),
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        clock.sleepers.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  return clock satisfies Clock;
}

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  function open({ url }: TestDatabase, operator = 'first', clock: Clock = standingClock()): Ledger {
    const author = { operator, machine: MACHINE };
    const ledger = openPostgresLedger(serverOf(url), { author, clock });
    onTestFinished(() => ledger.close());
    return ledger;
  }

  ledgerCases(async () => {
    const database = await cluster.database();
    const { pass } = await standingTime(cluster, database, START);
    return {
      as: async (process) => open(database, process),
      async asNobody() {
        const ledger = open(database, 'nobody');
        const intend = ledger.intend.bind(ledger);
        ledger.intend = async (...intended) => {
          const became = await intend(...intended);
          await cluster.query(database.name, 'UPDATE gw.money_requests SET sender = NULL');
          return became;
        };
        return ledger;
      },
      async end(process) {
        const over =
          "UPDATE gw.senders SET lease_until = now() - interval '1 s' WHERE operator = $1";
        await cluster.query(database.name, over, [process]);
      },
      pass,
    };
  });
});
