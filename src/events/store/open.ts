/** Opens the events that this user's machine received: they are in the ledger's file, also where a team shares a ledger. */
import type { Host } from '../../host/host.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { EventStore } from './event-store.ts';

/** @throws Failure usage or guard when the file cannot be used */
export async function openEvents({ files }: Pick<Host, 'files'>): Promise<EventStore> {
  const { EventFile } = await import('./event-file.ts');
  return new EventFile(ledgerPath(files));
}
