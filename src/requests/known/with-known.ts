/** Opens the things that this machine knows of the account that a command uses. */
import type { GatewayConnection } from '../../client/connection/call.ts';
import type { Context } from '../../host/context.ts';
import type { Destination } from '../../journal/ledger.ts';
import { type KnownWithEvents, LazyLedger } from './lazy-ledger.ts';

/**
 * Waits until the answers so far are stored, and reads.
 * @returns undefined if nothing is kept
 * @throws Failure guard if the ledger cannot be used
 */
export async function withKnown<Found>(
  { host }: Context,
  { profile, ledger }: Pick<GatewayConnection, 'profile' | 'ledger'>,
  read: (known: KnownWithEvents, owner: Destination) => Promise<Found>,
): Promise<Found | undefined> {
  await ledger.allSeen();
  const memory = new LazyLedger(host, { profile });
  try {
    const known = await memory.known();
    return known && (await read(known, await ledger.destination()));
  } finally {
    await memory.close();
  }
}
