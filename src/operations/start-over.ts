/** Starts the embedded gateway over, for `reset` and for `start --fresh`. */
import type { Beginning } from '../emulator/initial-contents.ts';
import { openEventStore } from '../events/sqlite-event-store.ts';
import type { Host } from '../host/host.ts';
import { LOCAL_PROFILE } from '../profiles/profile.ts';
import { openOwnLedger } from '../session/own-ledger.ts';
import { emulatorPath, ledgerPath } from '../session/paths.ts';

/**
 * Replaces the state in the file. When it is the state of `--profile local`, the ledger forgets that
 * profile too: it would take a request for one of before, and count what is gone.
 * @returns where a damaged file was moved to, if it was
 */
export async function startOver(
  host: Host,
  path: string,
  beginning: Beginning,
): Promise<{ movedTo?: string }> {
  const { resetState } = await import('../emulator/state.ts');
  const result = resetState({ path, clock: host.clock, ...beginning });
  if (path === emulatorPath(host.files)) {
    const ledger = await openOwnLedger(host, { profile: LOCAL_PROFILE });
    await ledger.forget(LOCAL_PROFILE.name);
    await ledger.close();
    const events = await openEventStore(ledgerPath(host.files));
    await events.forget(LOCAL_PROFILE.name);
    await events.close();
  }
  return result;
}
