/** `gw ledger status`: what the ledger is, has, and who is at it. */
import type { JsonObject } from '../../base/json.ts';
import { openServer } from '../../client/ledger/open-on-server.ts';
import type { LedgerPlace, ServerPlace } from '../../client/ledger/place.ts';
import { readProfiles } from '../../client/profiles/store.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { countLedger } from '../../store/ledger/counts.ts';
import { refuseNewer } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { changedEntries } from '../../store/ledger/outcome-audit.ts';
import {
  activeSenders,
  durabilityOf,
  latencyOf,
  serverStatus,
} from '../../store/ledger/server-status.ts';
import { PostgresStore } from '../../store/postgres/postgres-store.ts';
import { Database } from '../../store/sqlite/database.ts';
import { bytesOf } from '../../store/sqlite/inspect-file.ts';
import { formatOf, type PrintFlags, printRecords } from '../../view/print-records.ts';
import { ACTIVE_SENDER_VIEW, LEDGER_STATUS_VIEW } from '../../view/records/ledger-status.ts';
import { labelOfPlace, namedLedger } from './named-ledger.ts';

export interface StatusFlags extends PrintFlags {
  profile?: string | undefined;
}

/** @throws Failure guard when the ledger cannot be reached or read */
export async function showStatus(
  { host }: Context,
  named: string | undefined,
  flags: StatusFlags,
): Promise<void> {
  const place = await namedLedger(host, named, flags.profile);
  const record = place.kind === 'server' ? await ofServer(host, place) : ofFile(host, place.path);
  if (named === undefined && flags.profile === undefined) await tellElsewhere(host, place);
  const { active, ...rest } = record;
  const isTable = (formatOf(flags) ?? (host.stdout.isTerminal ? 'table' : 'tsv')) === 'table';
  if (!isTable || flags.fields !== undefined || !Array.isArray(active)) {
    await printRecords(host, flags, [record], { kind: LEDGER_STATUS_VIEW, isSingle: true });
    return;
  }
  const counted = { ...rest, active: active.length };
  await printRecords(host, flags, [counted], { kind: LEDGER_STATUS_VIEW, isSingle: true });
  if (active.length === 0) return;
  await host.stdout.write('\n');
  const senders = active as JsonObject[];
  await printRecords(host, flags, senders, { kind: ACTIVE_SENDER_VIEW, isSingle: false });
}

/** Whoever has a profile with a shared ledger, and names none, may take the file for it. */
async function tellElsewhere(host: Host, place: LedgerPlace): Promise<void> {
  if (place.kind === 'server') return;
  const { profiles } = await readProfiles(host.files);
  const shared = [...profiles].filter(([, { ledger }]) => ledger !== undefined);
  const [first] = shared.map(([name]) => name);
  if (first === undefined) return;
  await host.stderr.write(
    `This is the ledger on this machine. For the ledger of the profile ${first}, add \`--profile ${first}\`.\n`,
  );
}

async function ofServer(host: Host, place: ServerPlace): Promise<JsonObject> {
  const server = openServer(host, place);
  const label = labelOfPlace(place);
  try {
    const status = await serverStatus(server);
    refuseNewer(status.form, label);
    const aheadMs = host.clock.now().getTime() - Date.parse(status.now);
    const latencyMs = await latencyOf(server, () => host.clock.now().getTime());
    const active = await activeSenders(server);
    const { isOnDisk, hosts } = await durabilityOf(server);
    // As cheap as the counts: of a large ledger `gw doctor` tells.
    const changed = status.isEstimated
      ? undefined
      : await new PostgresStore(server).read(changedEntries);
    return LEDGER_STATUS_VIEW.record({
      ...status,
      label,
      version: `PostgreSQL ${status.version}`,
      latencyMs,
      aheadMs,
      durableHosts: isOnDisk ? hosts : 0,
      changedOutcomes: changed?.length,
      active,
    });
  } finally {
    await server.close();
  }
}

function ofFile({ files }: Host, path: string): JsonObject {
  if (files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: 'The first request that moves money creates it.',
    });
  const format = ledgerFile(path);
  const database = new Database(format);
  try {
    const counts = database.read((queries) => queries.do(countLedger(), ''));
    const [form, bytes] = [format.migrations.length, bytesOf(path)];
    return LEDGER_STATUS_VIEW.record({ ...counts, form, bytes, label: path });
  } finally {
    database.close();
  }
}
