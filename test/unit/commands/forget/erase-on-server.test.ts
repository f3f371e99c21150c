/** Erasing a person from a ledger that a team shares, and from the events of this machine: then nothing has their name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished } from 'vitest';
import { erasePerson } from '../../../../src/commands/forget/erase.ts';
import type { FoundPerson } from '../../../../src/commands/forget/find-person.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { openPostgresLedger } from '../../../../src/journal/postgres/postgres-ledger.ts';
import { ledgerFile } from '../../../../src/store/ledger/ledger-file.ts';
import { Database } from '../../../../src/store/sqlite/database.ts';
import { standingClock } from '../../../helpers/client.ts';
import { indexing } from '../../../helpers/indexing.ts';
import { Cluster, findPostgres, serverOf } from '../../../helpers/postgres.ts';
import { fileStore } from '../../../helpers/stores.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { ERASED, erasureCases, QUIET } from './erasure-cases.ts';

const programs = findPostgres();
const author = { operator: 'ada@example.org', machine: 'desk' };

describe.skipIf(programs === undefined)('on a server', () => {
  const cluster = new Cluster(programs);
  afterAll(() => cluster.remove());

  async function open(seen: readonly RecordSnapshot[]) {
    const database = await cluster.emptied();
    const clock = { ...standingClock(), sleep: () => Promise.resolve() };
    const server = serverOf(database.url);
    const ledger = indexing(openPostgresLedger(serverOf(database.url), { author, clock }));
    const folder = temporaryDirectory();
    const file = path.join(folder, 'ledger.db');
    const store = new EventFile(file);
    const events = new Database(ledgerFile(file));
    onTestFinished(async () => {
      await ledger.close();
      await store.close();
      events.close();
      await server.close();
    });
    await ledger.remember(seen);
    return {
      ledger,
      store,
      async erase(person: FoundPerson, isDry: boolean, host = QUIET) {
        const erased = await erasePerson(
          host,
          { ledger: ledger.sql, events: fileStore(events) },
          person,
          {
            isDry,
            deed: ERASED,
          },
        );
        expect(isDry || events.compact()).toBe(true);
        return erased;
      },
      async bytes() {
        const tables = await cluster.query<{ name: string }>(
          database.name,
          "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'gw' AND tablename <> 'target_locks'",
        );
        const all = tables.map(
          ({ name }) => `SELECT row_to_json(t)::text AS row FROM gw.${name} AS t`,
        );
        const rows = await cluster.query<{ row: string }>(database.name, all.join(' UNION ALL '));
        const files = readdirSync(folder).map((name) =>
          readFileSync(path.join(folder, name), 'latin1'),
        );
        const inLatin1 = rows.map(({ row }) => Buffer.from(row).toString('latin1'));
        return [...inLatin1, ...files].join('\n').toLowerCase();
      },
    };
  }

  erasureCases(open);
});
