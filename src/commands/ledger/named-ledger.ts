/** Finds the ledger that a person means: the one in use, or a named one. */

import {
  type LedgerPlace,
  ledgerPlace,
  ownFile,
  type ServerPlace,
  serverAt,
} from '../../client/ledger/place.ts';
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { labelOfAddress, PARAMETER_LIST } from '../../store/postgres/address.ts';

/** Names the file of this user. */
export const FILE_WORD = 'file';

/**
 * @param named `file`, a path, an address, or undefined for the one in use
 * @param profile its name; undefined for the one in use
 * @throws Failure usage for anything else
 */
export async function namedLedger(
  { env, files }: Pick<Host, 'env' | 'files'>,
  named: string | undefined,
  profile: string | undefined,
): Promise<LedgerPlace> {
  const inUse = () => ledgerPlace({ env, files }, { profile });
  if (named === undefined) return inUse();
  if (named === FILE_WORD) return ownFile(files);
  if (/^postgres(?:ql)?:/i.test(named) || PARAMETER_LIST.test(named))
    return ofAddress(named, await inUse());
  if (/[./\\]/.test(named)) return { kind: 'file', path: named, chosenBy: 'default' };
  throw usage(
    'ledger-unknown',
    `${named} is not a ledger.`,
    'Use `file` (the one on this machine), a path such as ./ledger.db, or an address such as postgres://ledger.example/gw.',
  );
}

/** If the address is the ledger in use, and names the same role, the profile adds its password. */
async function ofAddress(named: string, inUse: LedgerPlace): Promise<ServerPlace> {
  const place = await serverAt(named, 'The address');
  const isInUse =
    inUse.kind === 'server' && labelOfAddress(inUse.address) === labelOfAddress(place.address);
  return isInUse ? { ...place, command: inUse.command } : place;
}

/** @returns the name of a ledger in messages */
export function labelOfPlace(place: LedgerPlace): string {
  return place.kind === 'file' ? place.path : labelOfAddress(place.address);
}

/** @param next what to do, unless the user is to name another file */
export function noLedger(path: string, next = OTHER_FILE): Failure {
  return new Failure('ledger-missing', `There is no ledger ${path}.`, next);
}

const OTHER_FILE = 'Name another file. `gw ledger status file` shows the one of this machine.';

/** @throws Failure usage if the ledger is a file */
export function onServer(place: LedgerPlace): ServerPlace {
  if (place.kind === 'server') return place;
  throw usage(
    'ledger-is-a-file',
    `The ledger in use is a file, ${place.path}, which gw creates when it first writes to it.`,
    'Name one on a server: `gw ledger init postgres://ledger.example/gw`, or `gw profile set NAME --ledger …`.',
  );
}
