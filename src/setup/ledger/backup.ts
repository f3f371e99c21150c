/** `gw ledger backup`: a ledger as it is at one moment, as a file. */

import { openServer } from '../../client/ledger/open-on-server.ts';
import type { ServerPlace } from '../../client/ledger/place.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { checkForm } from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { rowSource } from '../../store/ledger/rows/row-source.ts';
import { perform } from '../../store/postgres/postgres-store.ts';
import { copyDatabase, makeBackup } from '../../store/sqlite/backup-file.ts';
import { compactFile } from '../../store/sqlite/inspect-file.ts';
import { copyRows } from './copy.ts';
import { openFileTarget, openSource } from './ledgers.ts';
import { labelOfPlace, namedLedger } from './named-ledger.ts';

/**
 * @param file that is to be; never one that is there
 * @throws Failure, with nothing written, when it cannot be read or written
 */
export async function backUpLedger(
  { host }: Context,
  file: string,
  { from, profile }: { from: string | undefined; profile: string | undefined },
): Promise<void> {
  const place = await namedLedger(host, from, profile);
  await makeBackup(file, async (path) => {
    if (place.kind === 'server') await copyServer(host, place, path);
    else {
      await (await openSource(host, place)).close();
      copyDatabase(ledgerFile(place.path), path);
    }
  });
  const bytes = host.files.size(file);
  await host.stderr.write(
    `Copied ${labelOfPlace(place)} to ${file} (${bytes.toLocaleString('en')} bytes).\n`,
  );
}

/** All of one snapshot, however long it takes. */
async function copyServer(host: Host, place: ServerPlace, path: string): Promise<void> {
  const server = openServer(host, place);
  try {
    await server.transaction(async (run) => {
      await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await checkForm(run, labelOfPlace(place));
      const target = openFileTarget(host, path);
      try {
        await copyRows(rowSource({ read: (work) => perform(run, work()) }), target);
      } finally {
        await target.close();
      }
    });
    compactFile(ledgerFile(path));
  } finally {
    await server.close();
  }
}
