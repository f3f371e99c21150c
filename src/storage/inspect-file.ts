/** Whether a file of gw's is whole, and writing it anew. */
import { statSync } from 'node:fs';
import { Database, type FileFormat } from './database.ts';

export interface FileReport {
  /** Of the file and its log. */
  bytes: number;
  /** How many steps of its format it has had. */
  version: number;
  /** What SQLite found wrong in it, in its own words; none of a file that is whole. */
  faults: readonly string[];
}

const MAX_FAULTS = 5;

/** @throws Failure as `Database` when the file cannot be opened, or is of a newer gw */
export function inspectFile(format: FileFormat): FileReport {
  const database = new Database(format);
  try {
    const found = database.read((queries) => {
      const rows = queries.all<{ quick_check: string }>(`PRAGMA quick_check(${MAX_FAULTS})`);
      const { version } = queries.one<{ version: number }>(
        'SELECT user_version AS version FROM pragma_user_version',
      );
      return {
        version,
        faults: rows.map((row) => row.quick_check).filter((said) => said !== 'ok'),
      };
    });
    return { ...found, bytes: bytesOf(format.path) };
  } finally {
    database.close();
  }
}

/**
 * As `Database.compact`.
 * @throws Failure as `inspectFile`
 */
export function compactFile(format: FileFormat): boolean {
  const database = new Database(format);
  try {
    return database.compact();
  } finally {
    database.close();
  }
}

function bytesOf(path: string): number {
  const sizes = ['', '-wal'].map(
    (part) => statSync(path + part, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((total, size) => total + size, 0);
}
