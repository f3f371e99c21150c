import { shellWord } from '../../base/shell.ts';
import { count } from '../../base/text.ts';
import { command } from '../../cli/dispatch/command.ts';
import { type LedgerSources, ledgerPlace } from '../../client/ledger/place.ts';
import { readProfiles } from '../../client/profiles/store.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { setCopied } from '../../store/ledger/copied.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import type { LedgerAddress } from '../../store/postgres/address.ts';
import { copyDatabase, makeBackup } from '../../store/sqlite/backup-file.ts';

export default command({
  summary: "Back up this machine's ledger to a file",
  description: `Writes journal, records and events of this machine to a new file that only you can read.
    gw can keep working meanwhile.

    To restore, put that file in the place of the old one, which \`gw ledger status file\`
    shows. gw sends nothing by it until you have accepted that it lacks what was sent since:
    \`gw ledger init file --accept-restore\`. Use pg_dump for a ledger on a server.`,
  examples: ['gw ledger backup ./ledger-backup.db', 'gw ledger backup ~/ledger-2026-03.db'],
  args: { file: { description: 'Path of the new file.', required: true } },
  flags: {},

  run: ({ host }, { args }) => backUpLedger(host, args.file),
});

/**
 * @param file the new file; an existing one is never overwritten
 * @throws Failure, with nothing written, if there is no ledger, or it cannot be read or written
 */
async function backUpLedger(
  { env, files, stderr, clock }: Pick<Host, 'env' | 'files' | 'stderr' | 'clock'>,
  file: string,
): Promise<void> {
  const path = ledgerPath(files);
  // The file of this machine is worth a copy whatever the profiles say.
  const shared = await orFailure(sharedLedger({ env, files }));
  const dump = shared instanceof Failure ? undefined : shared && dumpOf(shared);
  if (files.size(path) === 0)
    throw new Failure(
      'ledger-missing',
      `There is no ledger ${path}.`,
      dump
        ? `An owner of the ledger on the server backs that up: \`${dump}\`.`
        : 'There is nothing to back up yet: the first request that moves money creates it.',
    );
  await makeBackup(file, (partial) => {
    const at = clock.now().toISOString();
    copyDatabase(ledgerFile(path), partial);
    setCopied(partial, at);
  });
  const bytes = count(files.size(file));
  await stderr.write(`Copied ${path} to ${file} (${bytes} bytes).\n`);
  if (dump)
    await stderr.write(
      `It has what only this machine knows. The ledger on the server: \`${dump}\`.\n`,
    );
}

/** An owner has another role than this machine. What looks like a login in an address would be masked. */
function dumpOf({ text }: LedgerAddress): string {
  return `pg_dump --dbname=${shellWord(text.replace(/\/\/[^@/]*@/, '//'))} --file=ledger.sql`;
}

/** @returns the address of the ledger in use, or of another profile's, if it is on a server */
async function sharedLedger(host: LedgerSources): Promise<LedgerAddress | undefined> {
  const { profiles } = await readProfiles(host.files);
  for (const profile of [undefined, ...profiles.keys()]) {
    const place = await ledgerPlace(host, { profile });
    if (place.kind === 'server') return place.address;
  }
  return undefined;
}
