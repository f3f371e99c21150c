/** The file that journal, sightings and received events are kept in. */
import { Failure } from '../failure.ts';
import type { FileFormat } from './database.ts';
import { LEDGER_MIGRATIONS } from './ledger-schema.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** 'gwlg' */
const APPLICATION_ID = 0x67776c67;

/** @returns the format of the ledger's file, which refuses with Failure guard what is no ledger of this version */
export function ledgerFile(path: string, busyTimeoutMs = BUSY_TIMEOUT_MS): FileFormat {
  return {
    path,
    name: "The ledger's file",
    repair:
      'Move the file away to start a new ledger. Keep it: it knows which requests are unresolved.',
    applicationId: APPLICATION_ID,
    migrations: LEDGER_MIGRATIONS,
    busyTimeoutMs,
    // What is written is on disk when the statement returns, also when the power fails right after.
    settings: 'PRAGMA synchronous = FULL',
    refuse: (what) =>
      what === 'foreign'
        ? new Failure('guard', `${path} is a database, but not a gw ledger.`, {
            code: 'file-foreign',
            next: 'Move the file away. gw will make a new one.',
          })
        : new Failure('guard', `The ledger in ${path} was written by a newer gw.`, {
            code: 'file-newer',
            next: 'Update gw, or use the version that wrote it.',
          }),
  };
}
