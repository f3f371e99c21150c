/** Whether the ledger of a team can be reached and used, by this role and this gw. */

import { marksAt, openServer } from '../../client/ledger/open-on-server.ts';
import type { ServerPlace } from '../../client/ledger/place.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { findRestored } from '../../journal/postgres/restored.ts';
import { checkForm } from '../../store/ledger/init.ts';
import {
  type Durability,
  durabilityOf,
  latencyOf,
  rightsOfRole,
  serverStatus,
} from '../../store/ledger/server-status.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { Server } from '../../store/postgres/server.ts';
import type { Checked, Finding } from '../../view/records/check.ts';
import { checked, failed, failedBy, ok, warning } from './finding.ts';

const SKEW_MS = 60_000;
const SLOW_MS = 250;

/** @returns its findings; what rests on one that failed is left out */
export async function checkSharedLedger(host: Host, place: ServerPlace): Promise<Checked[]> {
  const server = openServer(host, place);
  const label = labelOfAddress(place.address);
  try {
    await checkForm((sql, values) => server.runAgain(sql, values), label);
    const refused = await findRestored(server, marksAt(host, place)?.all() ?? []);
    if (refused) return [checked('journal', failedBy(refused))];
    return await lookAt(server, host, label);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return [checked('journal', failedBy(error, 'guard'))];
  } finally {
    await server.close();
  }
}

async function lookAt(server: Server, { clock }: Host, label: string): Promise<Checked[]> {
  const ms = () => clock.now().getTime();
  const status = await serverStatus(server);
  const aheadMs = ms() - Date.parse(status.now);
  const latencyMs = await latencyOf(server, ms);
  return [
    checked(
      'journal',
      reachedFinding(label, `PostgreSQL ${status.version}, format ${status.form}`, latencyMs),
    ),
    checked('ledger-role', roleFinding(await rightsOfRole(server))),
    checked('ledger-clock', clockFinding(aheadMs)),
    checked('ledger-durability', durabilityFinding(await durabilityOf(server))),
  ];
}

export function reachedFinding(label: string, what: string, latencyMs: number): Finding {
  const took = `${Math.round(latencyMs * 10) / 10} ms`;
  if (latencyMs <= SLOW_MS) return ok(`${label}, ${what}, ${took} away`);
  return warning(
    `The ledger at ${label} takes ${took} to answer, and every request that moves money asks it several times.`,
    'Run gw closer to it, or find out what keeps the server busy.',
  );
}

export function roleFinding({
  role,
  mayWrite,
  mayDelete,
}: {
  role: string;
  mayWrite: boolean;
  mayDelete: boolean;
}): Finding {
  if (!mayWrite)
    return failed(
      'guard',
      `The role ${role} may read the ledger but not write to it, so gw sends nothing that moves money.`,
      `An owner can allow it with \`gw ledger init --operator ${role}\`.`,
    );
  return ok(`${role} is ${mayDelete ? 'an owner' : 'an operator'}`);
}

function durabilityFinding({ isOnDisk, hosts, weak }: Durability): Finding {
  if (!isOnDisk)
    return failed(
      'guard',
      `A crash of the ledger's server may forget requests that were sent, which could then be sent again (${weak.join(', ')}).`,
      'Ask whoever runs the server to turn these settings on (docs/team.md says how).',
    );
  if (hosts > 1) return ok(`what it keeps is on ${hosts} servers before gw goes on`);
  return ok('what it keeps is on the disk of this server only; a standby may lack the newest');
}

export function clockFinding(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  if (Math.abs(aheadMs) <= SKEW_MS) return ok("this machine's clock agrees with the server's");
  return warning(
    `This machine's clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the ledger's; times in the ledger are the server's.`,
    'Set it, for example with `sudo timedatectl set-ntp true`; compare with `date -u`.',
  );
}
