/** `gw ledger status`: prints the ledger's place and content. */
import type { JsonObject } from '../../base/json.ts';
import { onlookerOf, openServer } from '../../client/ledger/open-on-server.ts';
import type { LedgerHost, ServerPlace } from '../../client/ledger/place.ts';
import { type ProfileFiles, readProfiles } from '../../client/profiles/store.ts';
import type { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { findRestored } from '../../journal/postgres/restored.ts';
import { countFile, countServer } from '../../store/ledger/counts.ts';
import { refuseOtherForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { serverStatus } from '../../store/ledger/server-status.ts';
import { ledgerPath } from '../../store/paths.ts';
import { Database } from '../../store/sqlite/database.ts';
import { type OutputOptions, printRecords } from '../../view/print-records.ts';
import { LEDGER_STATUS_VIEW } from './ledger-status.ts';
import { labelOfPlace, namedLedger, noLedger } from './named-ledger.ts';

interface LedgerStatusOptions {
  /** An address or a path; undefined for the profile's ledger. */
  ledger: string | undefined;
  profile: string | undefined;
  output: OutputOptions;
}

/** @throws Failure guard if the ledger cannot be reached or read */
export async function showStatus(
  { host }: Context,
  { ledger: named, profile, output }: LedgerStatusOptions,
): Promise<void> {
  const place = await namedLedger(host, named, profile);
  const isChosen = named === undefined && profile === undefined;
  const elsewhere = isChosen && place.kind === 'file' ? await sayElsewhere(host.files) : undefined;
  const kind = { kind: LEDGER_STATUS_VIEW, isSingle: true };
  if (place.kind === 'file') {
    const record = ofFile(host.files, place.path, elsewhere);
    if (elsewhere) await host.stderr.write(`This is the ledger on this machine. ${elsewhere}\n`);
    await printRecords(host, output, [record], kind);
    return;
  }
  const { record, refused } = await ofServer(host, place);
  await printRecords(host, output, [record], kind);
  if (refused) throw refused;
}

/** A user who has a profile with a shared ledger but names none might take the file for it. */
async function sayElsewhere(files: ProfileFiles): Promise<string | undefined> {
  const { profiles } = await readProfiles(files);
  const shared = [...profiles].filter(([, { ledger }]) => ledger !== undefined);
  const [first] = shared.map(([name]) => name);
  return first && `For the ledger of the profile ${first}, add \`--profile ${first}\`.`;
}

/** @returns the record of the ledger, and the reason why nothing may be sent to it, if any */
async function ofServer(
  host: LedgerHost,
  place: ServerPlace,
): Promise<{ record: JsonObject; refused: Failure | undefined }> {
  const server = openServer(host, place);
  const label = labelOfPlace(place);
  try {
    const { form, version } = await serverStatus(server);
    refuseOtherForm(form, label);
    const refused = await findRestored(onlookerOf(host, server));
    const status = {
      label,
      version: `PostgreSQL ${version}`,
      form,
      ...(await countServer(server)),
    };
    return { record: LEDGER_STATUS_VIEW.record(status), refused };
  } finally {
    await server.close();
  }
}

const CREATED_LATER = 'The first request that moves money creates it.';

/** @param elsewhere a sentence about another ledger, if there is one */
function ofFile(files: Host['files'], path: string, elsewhere: string | undefined): JsonObject {
  if (files.size(path) === 0)
    throw noLedger(path, elsewhere ?? (path === ledgerPath(files) ? CREATED_LATER : undefined));
  const format = ledgerFile(path);
  const database = new Database(format);
  try {
    return LEDGER_STATUS_VIEW.record({ ...countFile(database), form: format.form, label: path });
  } finally {
    database.close();
  }
}
