/** The file that holds the journal, snapshots and received events. */
import { dirname, join } from 'node:path';
import { shellWord } from '../../base/shell.ts';
import { Failure } from '../../failure.ts';
import type { FileFormat } from '../sqlite/database.ts';
import { LEDGER_FILE_FORM, LEDGER_TABLES } from './sqlite-schema.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** 'gwlg' */
const APPLICATION_ID = 0x67776c67;

/**
 * @returns the format of the ledger's file, which refuses a file that is not a ledger of this version with Failure
 *   guard
 */
export function ledgerFile(path: string, busyTimeoutMs = BUSY_TIMEOUT_MS): FileFormat {
  return {
    path,
    name: "The ledger's file",
    get repair() {
      return asideOf(path);
    },
    isIrreplaceable: true,
    applicationId: APPLICATION_ID,
    tables: LEDGER_TABLES,
    form: LEDGER_FILE_FORM,
    busyTimeoutMs,
    // A write is on disk when the statement returns, even if the power fails right after.
    settings: 'PRAGMA synchronous = FULL',
    refuse: (what) => refused(what, path),
  };
}

function refused(what: Parameters<FileFormat['refuse']>[0], path: string): Failure {
  switch (what) {
    case 'foreign':
      return new Failure(
        'file-foreign',
        `${path} is a database, but not a gw ledger.`,
        asideOf(path),
      );
    case 'newer':
      return new Failure(
        'file-newer',
        `The ledger in ${path} was written by a newer gw.`,
        'Update gw, or use the version that wrote it.',
      );
    case 'older':
      return new Failure(
        'file-older',
        `The ledger in ${path} was written by a development version of gw, which this gw does not read.`,
        asideOf(path),
      );
  }
}

/** @returns how to start a new file; the log must move with the old one, because it has the newest entries */
function asideOf(path: string): string {
  const aside = shellWord(join(dirname(path), 'damaged'));
  return `Keep it, because it knows which requests are unresolved, and start a new one: \`mkdir ${aside} && mv ${shellWord(path)}* ${aside}\`.`;
}
