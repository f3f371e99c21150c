/** `gw ledger status`: what the ledger is, has, and who is at it. */
import type { JsonObject } from '../../base/json.ts';
import { marksAt, openServer } from '../../client/ledger/open-on-server.ts';
import type { ServerPlace } from '../../client/ledger/place.ts';
import { readProfiles } from '../../client/profiles/store.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { findRestored } from '../../journal/postgres/restored.ts';
import { countLedger } from '../../store/ledger/counts.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import {
  activeSenders,
  durabilityOf,
  latencyOf,
  serverStatus,
} from '../../store/ledger/server-status.ts';
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
  const isChosen = named === undefined && flags.profile === undefined;
  const elsewhere = isChosen && place.kind === 'file' ? await sayElsewhere(host) : undefined;
  if (place.kind === 'file') {
    const record = ofFile(host, place.path, elsewhere);
    if (elsewhere) await host.stderr.write(`This is the ledger on this machine. ${elsewhere}\n`);
    await print(host, record, flags);
    return;
  }
  const { record, refused } = await ofServer(host, place);
  await print(host, record, flags);
  if (refused) throw refused;
}

async function print(host: Host, record: JsonObject, flags: StatusFlags): Promise<void> {
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
async function sayElsewhere(host: Host): Promise<string | undefined> {
  const { profiles } = await readProfiles(host.files);
  const shared = [...profiles].filter(([, { ledger }]) => ledger !== undefined);
  const [first] = shared.map(([name]) => name);
  return first && `For the ledger of the profile ${first}, add \`--profile ${first}\`.`;
}

/** @returns what it is, and why nothing may be sent to it, if so */
async function ofServer(
  host: Host,
  place: ServerPlace,
): Promise<{ record: JsonObject; refused: Failure | undefined }> {
  const server = openServer(host, place);
  const label = labelOfPlace(place);
  try {
    const status = await serverStatus(server);
    refuseOtherForm(status.form, label);
    const refused = await findRestored(server, marksAt(host, place)?.all() ?? []);
    const aheadMs = host.clock.now().getTime() - Date.parse(status.now);
    const latencyMs = await latencyOf(server, () => host.clock.now().getTime());
    const active = await activeSenders(server);
    const { isOnDisk, hosts } = await durabilityOf(server);
    const record = LEDGER_STATUS_VIEW.record({
      ...status,
      label,
      version: `PostgreSQL ${status.version}`,
      latencyMs,
      aheadMs,
      durableHosts: isOnDisk ? hosts : 0,
      active,
    });
    return { record, refused };
  } finally {
    await server.close();
  }
}

/** @param elsewhere says where else there is one */
function ofFile({ files }: Host, path: string, elsewhere: string | undefined): JsonObject {
  if (files.size(path) === 0)
    throw new Failure('notFound', `There is no ledger ${path}.`, {
      code: 'ledger-missing',
      next: elsewhere ?? 'The first request that moves money creates it.',
    });
  const format = ledgerFile(path);
  const database = new Database(format);
  try {
    const counts = database.read((queries) => queries.do(countLedger(), ''));
    const [form, bytes] = [format.form, bytesOf(path)];
    return LEDGER_STATUS_VIEW.record({ ...counts, form, bytes, label: path });
  } finally {
    database.close();
  }
}
