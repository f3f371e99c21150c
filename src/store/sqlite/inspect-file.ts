/** Whether a file of gw's is whole, and writing it anew. */
import { statSync } from 'node:fs';
import { Database, type FileFormat } from './database.ts';
import type { Queries } from './queries.ts';
import { logOf } from './same-file.ts';

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
      const faults = tablesOf(queries).flatMap((table) => faultsOf(queries, table));
      const { version } = queries.one<{ version: number }>(
        'SELECT user_version AS version FROM pragma_user_version',
      );
      return { version, faults: [...new Set(faults)].slice(0, MAX_FAULTS) };
    });
    return { ...found, bytes: bytesOf(format.path) };
  } finally {
    database.close();
  }
}

/** A full-text index is most of a large file, takes long to look through, and can be made anew. */
function tablesOf(queries: Queries): string[] {
  const tables = queries.all<{ name: string }>(
    `SELECT name FROM sqlite_schema AS one
      WHERE type = 'table' AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema AS virtual
         WHERE virtual.sql LIKE 'CREATE VIRTUAL TABLE%'
           AND (one.name = virtual.name OR substr(one.name, 1, length(virtual.name) + 1) = virtual.name || '_'))`,
  );
  return tables.map(({ name }) => name);
}

/** What SQLite cannot even read is a fault as well; its error has no code then. */
function faultsOf(queries: Queries, table: string): string[] {
  try {
    const rows = queries.all<{ quick_check: string }>(`PRAGMA quick_check('${table}')`);
    return rows.map((row) => row.quick_check).filter((said) => said !== 'ok');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [error.message];
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

/** @returns the size of a file with its log, in bytes */
function bytesOf(path: string): number {
  const sizes = [path, logOf(path)].map(
    (part) => statSync(part, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((total, size) => total + size, 0);
}
