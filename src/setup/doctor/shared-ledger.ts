/** Checks whether a team's ledger can be reached and used by this role and this version of gw. */

import { onlookerOf, openServer } from '../../client/ledger/open-on-server.ts';
import type { ServerPlace } from '../../client/ledger/place.ts';
import type { Host } from '../../host/host.ts';
import { findRestored } from '../../journal/postgres/restored.ts';
import { checkForm } from '../../store/ledger/init.ts';
import {
  type Durability,
  durabilityOf,
  type RoleRights,
  rightsOfRole,
  serverStatus,
} from '../../store/ledger/server-status.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { Finding } from '../../view/records/check.ts';
import { failed, ok } from './finding.ts';

/**
 * @throws Failure if the server cannot be reached, has no ledger or one of another form, or lacks an entry that this
 *   machine has seen
 */
export async function checkSharedLedger(host: Host, place: ServerPlace): Promise<Finding> {
  const server = openServer(host, place);
  const label = labelOfAddress(place.address);
  try {
    await checkForm((sql, values) => server.runAgain(sql, values), label);
    const refused = await findRestored(onlookerOf(host, server));
    if (refused) throw refused;
    const { version, form } = await serverStatus(server);
    const rights = await rightsOfRole(server);
    const durability = await durabilityOf(server);
    const what = `${label}, PostgreSQL ${version}, format ${form}`;
    return refusalOf(rights, durability) ?? ok(`${what}; ${usedBy(rights, durability)}`);
  } finally {
    await server.close();
  }
}

/** @returns the reason why no money request should be sent; undefined if there is none */
export function refusalOf(
  { role, mayWrite }: RoleRights,
  { isOnDisk, weak }: Durability,
): Finding | undefined {
  if (!mayWrite)
    return failed(
      'guard',
      `The role ${role} may read the ledger but not write to it. So gw sends nothing that moves money.`,
      `An owner can allow it with \`gw ledger init --operator ${role}\`.`,
    );
  if (!isOnDisk)
    return failed(
      'guard',
      `A crash of the ledger's server may lose requests that were sent. gw could then send them again (${weak.join(', ')}).`,
      'Ask whoever runs the server to turn these settings on (docs/team.md says how).',
    );
  return undefined;
}

function usedBy({ role, mayDelete }: RoleRights, { hosts }: Durability): string {
  const where = hosts > 1 ? `on ${hosts} servers` : 'on this server only';
  return `${role} is ${mayDelete ? 'an owner' : 'an operator'}; durable ${where}`;
}
