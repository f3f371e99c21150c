/** Erasing a person from a ledger that a team shares, of which then no row has their name. */
import { afterAll, describe, onTestFinished } from 'vitest';
import { erasePerson } from '../../../../src/desk/forget/erase.ts';
import type { Person } from '../../../../src/desk/forget/person.ts';
import { openServerEvents } from '../../../../src/events/store/server-events.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { PostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { standingClock } from '../../../helpers/client.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { erasureCases } from './erasure-cases.ts';

const programs = findPostgres();
const author = { operator: 'ada@example.org', machine: 'desk' };
const TABLES = ['money_requests', 'records_seen', 'events', 'event_sources', 'facts', 'fact_keys'];

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs ?? '');
  afterAll(() => cluster.remove());

  async function open(seen: readonly RecordSnapshot[]) {
    const database = await cluster.database();
    const clock = { ...standingClock(), sleep: () => Promise.resolve() };
    const server = serverOf(database.url);
    const ledger = openPostgresLedger(serverOf(database.url), { author, clock });
    const store = await openServerEvents(serverOf(database.url), author.machine);
    onTestFinished(async () => {
      await ledger.close();
      await store.close();
      await server.close();
    });
    await ledger.remember(seen);
    return {
      ledger,
      store,
      erase: (person: Person, isDry: boolean) =>
        erasePerson(new PostgresStore(server), person, isDry),
      async bytes() {
        const all = TABLES.map(
          (table) => `SELECT row_to_json(t)::text AS row FROM gw.${table} AS t`,
        );
        const bodies = "SELECT convert_from(body, 'UTF8') FROM gw.events";
        const sql = [...all, bodies].join(' UNION ALL ');
        const rows = await cluster.query<{ row: string }>(database.name, sql);
        return rows
          .map(({ row }) => row)
          .join('\n')
          .toLowerCase();
      },
    };
  }

  erasureCases(open);
});
