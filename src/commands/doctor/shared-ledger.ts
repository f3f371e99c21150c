/** Checks whether a team's ledger can be reached and used by this role and this version of gw. */

import { count, quantity } from '../../base/text.ts';
import { onlookerOf, openServer } from '../../client/ledger/open-on-server.ts';
import type { LedgerHost, ServerPlace } from '../../client/ledger/place.ts';
import { findRestored } from '../../journal/postgres/restored.ts';
import { checkForm } from '../../store/ledger/init.ts';
import {
  type CommitGuarantee,
  differencesIn,
  durabilityOf,
  type RoleRights,
  raisedAmounts,
  rightsOfRole,
  serverStatus,
} from '../../store/ledger/server-status.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { Server } from '../../store/postgres/server.ts';
import type { Finding } from './check.ts';
import { failed, ok, warning } from './finding.ts';

/** Comparing millions of rows takes long. */
const COMPARE_MS = 60_000;

/**
 * @throws Failure if the server cannot be reached, has no ledger or one of another form, or lacks an entry that this
 *   machine has seen
 */
export async function checkSharedLedger(host: LedgerHost, place: ServerPlace): Promise<Finding> {
  const server = openServer(host, place, undefined, { statementMs: COMPARE_MS });
  const label = labelOfAddress(place.address);
  try {
    await checkForm((sql, values) => server.runAgain(sql, values), label);
    const refused = await findRestored(onlookerOf(host, server));
    if (refused) throw refused;
    const { version, form } = await serverStatus(server);
    const rights = await rightsOfRole(server);
    const durability = await durabilityOf(server);
    const what = `${label}, PostgreSQL ${version}, format ${form}`;
    return (
      refusalOf(rights, durability) ??
      (await falsified(server)) ??
      ok(`${what}; ${usedBy(rights, durability)}`)
    );
  } finally {
    await server.close();
  }
}

/** @returns the reason why no money request should be sent; undefined if there is none */
export function refusalOf(
  { role, mayWrite }: RoleRights,
  { isOnDisk, weak }: CommitGuarantee,
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

/** @returns what somebody has changed by hand, which gw would have derived otherwise; undefined if there is nothing */
async function falsified(server: Server): Promise<Finding | undefined> {
  const found = await differencesIn(server);
  const named = found.map(({ kind, count: n, example }) => `${kind} (${count(n)}) ${example}`);
  if (found.length > 0)
    return failed(
      'guard',
      `The ledger has rows that are not what was sent and seen. Somebody has changed them: ${named.join(', ').trim()}.`,
      'An owner makes them again with `gw ledger rebuild`.',
    );
  const [raised, ...others] = await raisedAmounts(server);
  return (
    raised &&
    warning(
      `More was said to be paid than before, or in another currency, of ${quantity(others.length + 1, 'purchase', 'purchases')}, such as ${raised.id} by ${raised.role}.`,
      `Look it up again before you refund it: \`gw purchase get ${raised.id}\`.`,
    )
  );
}

function usedBy({ role, mayDelete }: RoleRights, { hosts }: CommitGuarantee): string {
  const where = hosts > 1 ? `on ${hosts} servers` : 'on this server only';
  return `${role} is ${mayDelete ? 'an owner' : 'an operator'}; durable ${where}`;
}
