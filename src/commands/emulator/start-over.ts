/** Starts the test gateway over, for `reset` and for `start --fresh`. */

import { plural, quantity } from '../../base/text.ts';
import { ledgerPlace } from '../../client/ledger/place.ts';
import { LOCAL_PROFILE } from '../../client/profiles/profile.ts';
import type { Beginning } from '../../emulator/initial-contents.ts';
import { openEvents } from '../../events/store/event-file.ts';
import { Failure } from '../../failure.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import { emulatorPath } from '../../store/paths.ts';

/** Each machine has its own test gateway. So its ledger is local too, unless GW_LEDGER_URL says otherwise. */
const CHOICE = { profile: LOCAL_PROFILE };

/**
 * Replaces the state in the file, and drops the webhooks of the old one that nobody has taken yet. For the state of `--profile local`, the ledger forgets that profile too. It would
 * otherwise take a request for an earlier one, and count records that are gone. Only the owner of a shared ledger may
 * delete there; if gw may not, it says so on stderr, as it does of a damaged file, which it moves aside.
 */
export async function replaceState(
  host: KnownHost,
  path: string,
  beginning: Beginning,
): Promise<void> {
  const { resetState } = await import('../../emulator/state.ts');
  const { movedTo, queued } = resetState({ path, clock: host.clock, ...beginning });
  if (movedTo !== undefined)
    await host.stderr.write(`The old file could not be read and is now ${movedTo}.\n`);
  const isLocal = path === emulatorPath(host.files);
  const waiting = queued + (isLocal ? await forgetIn(openEvents(host)) : 0);
  if (waiting > 0)
    await host.stderr.write(
      `${quantity(waiting, 'webhook', 'webhooks')} of the old state had not been taken, and ${plural(waiting, 'is', 'are')} dropped.\n`,
    );
  if (!isLocal) return;
  try {
    await forgetIn(await openLedger(host, { needs: 'sends', ...CHOICE }));
  } catch (error) {
    const { kind } = await ledgerPlace(host, CHOICE);
    if (kind === 'file' || !(error instanceof Failure)) throw error;
    await host.stderr.write(
      `Note: the shared ledger still has what was sent to the gateway before the reset. ${error.message}\n`,
    );
  }
}

/** A place with rows of profiles: a ledger, or events. */
interface ProfileRows<Forgotten> {
  forget(profile: string): Promise<Forgotten>;
  close(): Promise<void>;
}

async function forgetIn<Forgotten>(kept: ProfileRows<Forgotten>): Promise<Forgotten> {
  try {
    return await kept.forget(LOCAL_PROFILE.name);
  } finally {
    await kept.close();
  }
}
