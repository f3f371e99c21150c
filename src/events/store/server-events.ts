/** Received events in the ledger of a team, on a server. */
import { randomUUID } from 'node:crypto';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { PostgresStore } from '../../store/postgres/postgres-store.ts';
import type { Server } from '../../store/postgres/server.ts';
import { one } from '../../store/sql.ts';
import { leasesOf } from './forwards.ts';
import { SqlEventStore } from './sql-event-store.ts';

/**
 * Opens the events of a ledger.
 * @param machine name of this machine, which is kept with what it receives
 * @throws Failure guard when the server cannot be reached, or has no ledger that this gw can use
 */
export async function openServerEvents(server: Server, machine: string): Promise<SqlEventStore> {
  const store = new PostgresStore(server);
  try {
    const { form } = await store.read(() => one<{ form: number }>('SELECT form FROM gw.ledger'));
    refuseOtherForm(form, labelOfAddress(server.address));
  } catch (error) {
    await store.close();
    throw error;
  }
  return new SqlEventStore(store, {
    machine,
    leases: leasesOf(store, `${machine} ${randomUUID()}`),
  });
}
