/** Opens the events of the ledger that is in use: those of this user, or those of a team. */

import {
  type LedgerChoice,
  type LedgerHost,
  ledgerPlace,
  type ServerPlace,
} from '../../client/ledger/place.ts';
import type { EventStore } from './event-store.ts';

/** @throws Failure usage or guard when the ledger cannot be used */
export async function openEvents(host: LedgerHost, choice: LedgerChoice = {}): Promise<EventStore> {
  const place = await ledgerPlace(host, choice);
  if (place.kind === 'server') return openShared(host, place);
  const { openEventStore } = await import('./file-events.ts');
  return openEventStore(place.path);
}

export interface ListenerEvents {
  store: EventStore;
  /** Where they are kept, as people name it. */
  ledger: string;
}

/** As `openEvents`, with what people call the place. */
export async function openListenerEvents(
  host: LedgerHost,
  choice: LedgerChoice,
): Promise<ListenerEvents> {
  const place = await ledgerPlace(host, choice);
  if (place.kind === 'server') {
    const { labelOfAddress } = await import('../../store/postgres/address.ts');
    const store = await openShared(host, place);
    return { store, ledger: `the ledger at ${labelOfAddress(place.address)}` };
  }
  const { openEventStore } = await import('./file-events.ts');
  return { store: await openEventStore(place.path), ledger: place.path };
}

async function openShared(host: LedgerHost, place: ServerPlace): Promise<EventStore> {
  const { openServer } = await import('../../client/ledger/open-on-server.ts');
  const { openServerEvents } = await import('./server-events.ts');
  return openServerEvents(openServer(host, place), host.user.machine);
}
